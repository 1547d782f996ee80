package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream whose rule changes, and whose labels then stick together, through the command. */
class ChangeCommandTest {
  private static final int ROWS = 4600;
  private static final int FIRST_CHANGE = 3000;
  private static final int SECOND_CHANGE = 3800;

  @TempDir Path folder;
  private Path data;
  private List<String> lines;

  @BeforeEach
  void generate() throws IOException {
    data = folder.resolve("data.libsvm");
    SplitMix random = new SplitMix(3);
    lines = new ArrayList<>();
    boolean label = true;
    for (int t = 0; t < ROWS; t++) {
      double x = 2 * random.getAsDouble() - 1;
      double y = 2 * random.getAsDouble() - 1;
      boolean rule = (t < FIRST_CHANGE ? x : -x) > 0.3 * y;
      boolean isRandom = random.nextInt(8) == 0;
      label = t < SECOND_CHANGE ? rule : isRandom != label;
      lines.add(String.format(Locale.ROOT, "%d 1:%.4f 2:%.4f", label ? 1 : -1, x, y));
    }
    Files.write(data, lines);
  }

  private Shell.Result online(String name, String... more) {
    List<String> words =
        new ArrayList<>(List.of("online", data.toString(), "-q", "--json", "--metric", "none"));
    for (String ending : List.of("answers", "scores")) {
      words.addAll(List.of("--" + ending, folder.resolve(name + "." + ending).toString()));
    }
    words.addAll(List.of("-m", folder.resolve(name + ".avm").toString()));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  /** Runs until a bad line after so many rows, as one that was killed there. */
  private Shell.Result until(int rows, String... options) throws IOException {
    List<String> some = new ArrayList<>(lines.subList(0, rows));
    some.add("1 1:nonsense");
    Files.write(data, some);
    return online("parts", options);
  }

  @Test
  @Tag("slow")
  void aRunThatStopsBeforeAndAfterEachChangeEndsBitForBit() throws IOException {
    Shell.Result whole = online("whole");
    assertThat(whole.out()).contains("\"usesLatestLabel\" : true").doesNotContain("\"rises\" : 0,");
    String checkpoint = folder.resolve("checkpoint").toString();
    String[] resumed = {"--checkpoint", checkpoint, "--checkpoint-every", "130", "--resume"};
    for (int rows : new int[] {2900, 3150, 3700, 3850, 4300}) {
      assertThat(until(rows, resumed).code()).isEqualTo(Failure.BAD_DATA);
    }
    Files.write(data, lines);
    assertThat(online("parts", resumed).code()).isZero();
    for (String ending : List.of(".answers", ".scores", ".avm")) {
      assertThat(folder.resolve("parts" + ending))
          .hasSameBinaryContentAs(folder.resolve("whole" + ending));
    }
    aSavedModelAnswersAsIfTheLatestLabelWereUnknown();
  }

  /** The labels of the last part say nothing of the features. */
  private void aSavedModelAnswersAsIfTheLatestLabelWereUnknown() throws IOException {
    Path file = folder.resolve("whole.avm");
    Path some = folder.resolve("some.libsvm");
    Files.write(some, lines.subList(0, 20));
    Path scores = folder.resolve("predicted");
    String[] words = {"predict", some.toString(), "-m", file.toString(), "--scores", "" + scores};
    Shell.Result predicted = Shell.run(words);
    assertThat(predicted.code()).as(predicted.err()).isZero();
    Model model = Model.load(file);
    String[] cells = lines.get(0).split("[ :]");
    Features x = Features.dense(Double.parseDouble(cells[2]), Double.parseDouble(cells[4]));
    double unknown = model.detached().score(x)[0];
    assertThat(model.score(x)[0]).isNotEqualTo(unknown);
    assertThat(Files.readAllLines(scores).get(0)).isEqualTo(Double.toString(unknown));
    assertThat(Shell.run("inspect", file.toString(), "--json").out())
        .contains("\"usesLatestLabel\" : true");
  }
}
