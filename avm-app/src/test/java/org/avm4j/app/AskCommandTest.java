package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskCommandTest {
  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void generate() {
    data = folder.resolve("data.libsvm");
    Shell.run("data", "generate", "checkerboard", "--rows", "3000", "-o", data.toString());
  }

  private Shell.Result online(String name, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "online",
                data.toString(),
                "-q",
                "--gamma=20",
                "--delta=0.2",
                "--update=newton",
                "--answers",
                answers(name).toString(),
                "-m",
                folder.resolve(name + ".avm").toString()));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  private Path answers(String name) {
    return folder.resolve(name + ".answers");
  }

  @Test
  void theReportSaysHowManyLabelsWereAskedFor() throws IOException {
    String json = online("asked", "--ask", "5%", "--json").out();
    double labels = figure(json, "labelsAskedFor");
    assertThat(labels).isBetween(150.0 - 16, 150.0 + 16);
    assertThat(figure(json, "shareAskedFor")).isEqualTo(100 * labels / 3000);
    assertThat(figure(json, "instances")).isEqualTo(3000);
    List<String> lines = Files.readAllLines(answers("asked"));
    assertThat(lines).hasSize(3000).allMatch(line -> line.matches("(-?1|\\?) (ask|-)"));
    assertThat(lines.stream().filter(line -> line.endsWith(" ask")).count())
        .isEqualTo((long) labels);
    assertThat(online("words", "--ask", "5").out())
        .contains(String.format("%.0f, 5.", labels))
        .contains("labels asked for");
  }

  @Test
  void unsureRowsTeachMoreThanRandomOnes() {
    double asked = figure(online("asked", "--ask=5%", "--json").out(), "mistakeRate");
    double random =
        figure(online("r", "--ask=5%", "--ask-random=100%", "--json").out(), "mistakeRate");
    assertThat(asked).isLessThan(0.95 * random);
  }

  @Test
  void severalRunsTellTheMeanNumberOfLabels() {
    Shell.Result runs =
        Shell.run(
            "online", data.toString(), "-q", "--gamma=20", "--delta=0.2", "--ask=5%", "--runs=2");
    assertThat(runs.out()).containsPattern("labels asked for +1[3-6]\\d");
  }

  @Test
  void whatIsNoPercentageIsRefused() {
    for (String wrong : List.of("0", "101", "-5", "five", "", "NaN")) {
      Shell.Result refused = online("wrong", "--ask=" + wrong);
      assertThat(refused.code()).isEqualTo(Failure.USAGE);
      assertThat(refused.err()).contains("--ask must be a percentage").contains("'" + wrong + "'");
    }
    assertThat(online("wrong", "--ask=5", "--ask-random=200").err())
        .contains("--ask-random must be a percentage from 0 to 100: '200'");
    assertThat(Shell.run("online", data.toString(), "--task=anomaly", "--ask=5").err())
        .contains("--ask needs a task that learns labels");
  }

  /** A bad line stops the run; mended, it goes on from its checkpoint. */
  @Test
  void aRunThatStoppedGoesOnBitForBit() throws IOException {
    online("whole", "--ask=10%");
    String good = Files.readString(data);
    List<String> lines = new ArrayList<>(Files.readAllLines(data));
    String[] resumed = {
      "--ask=10%",
      "--checkpoint",
      folder.resolve("cp").toString(),
      "--checkpoint-every",
      "130",
      "--resume"
    };
    Files.writeString(data, String.join("\n", lines.subList(0, 1500)) + "\n1 1:nonsense\n");
    assertThat(online("parts", resumed).code()).isEqualTo(Failure.BAD_DATA);
    Files.writeString(data, good);
    assertThat(online("parts", resumed).code()).isZero();
    for (String ending : List.of(".answers", ".avm")) {
      assertThat(folder.resolve("parts" + ending))
          .hasSameBinaryContentAs(folder.resolve("whole" + ending));
    }
  }

  private static double figure(String json, String name) {
    return Double.parseDouble(json.replaceAll("(?s).*?\"" + name + "\" : ([0-9.]+).*", "$1"));
  }

  @Test
  void aShareAtRandomNeedsABudget() {
    Shell.Result refused = Shell.run("online", data.toString(), "--ask-random", "100");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--ask-random needs --ask");
  }
}
