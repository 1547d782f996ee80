package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.avm4j.math.SplitMix;
import org.avm4j.run.DataSource;
import org.avm4j.run.PreparedData;
import org.avm4j.run.Run;
import org.avm4j.run.RunListener;
import org.avm4j.run.RunOptions;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A price that stops to depend on the size, and then has other sizes, through the command. */
@Tag("slow")
class DriftCommandTest {
  private static final int CHANGE = 2500;

  @TempDir Path folder;
  private Path data;
  private List<String> lines;

  @BeforeEach
  void generate() throws IOException {
    data = folder.resolve("data.csv");
    lines = new ArrayList<>(List.of("size,age,town,price"));
    SplitMix random = new SplitMix(3);
    for (int t = 0; t < CHANGE + 1300; t++) {
      double size = 50 + 100 * random.getAsDouble();
      double age = 40 * random.getAsDouble();
      String town = List.of("Aix", "Bonn", "Cork").get(random.nextInt(3));
      double price = 300 + (t < CHANGE ? 2 : -2) * (size - 100) - age + 5 * random.getAsDouble();
      lines.add(String.format(Locale.ROOT, "%.3f,%.2f,%s,%.3f", size, age, town, price));
    }
    Files.write(data, lines);
  }

  private Shell.Result online(String name, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "online",
                data.toString(),
                "-q",
                "--label=price",
                "--scale=standard",
                "--gamma=0.1",
                "--delta=0.5",
                "--update=newton",
                "--max-size=80",
                "--at-limit=merge",
                "-m",
                folder.resolve(name).toString()));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  @Test
  void theReportNamesTheColumnWhoseEffectChanged() throws IOException {
    Path page = folder.resolve("page.html");
    String text = online("a.avm", "--drift", "--html", page.toString()).out();
    String line = text.lines().filter(each -> each.startsWith("drift")).findFirst().orElseThrow();
    assertThat(line)
        .matches("drift at row 2,(49|50).*")
        .contains(
            "rmse ",
            ", then ",
            "the relation to the labels changed, the inputs did not",
            "the effect of size changed, mean label ")
        .doesNotContain("age", "town");
    assertThat(page).content().contains("What changed", "the effect of size", "class=\"drift\"");
  }

  @Test
  void jsonHasAllOfIt() {
    String json = online("a.avm", "--drift", "--json").out();
    assertThat(json.replaceAll("\\s+", ""))
        .contains(
            "\"cause\":\"rule\"", "\"effects\":[\"size\"]", "\"moved\":[]", "\"rmseBefore\":");
  }

  @Test
  void nothingIsWatchedWithoutTheFlag() {
    assertThat(online("a.avm", "--json").out()).doesNotContain("\"drift\"");
  }

  @Test
  void watchingDoesNotChangeWhatIsLearned() {
    online("with.avm", "--drift");
    online("without.avm");
    assertThat(folder.resolve("with.avm")).hasSameBinaryContentAs(folder.resolve("without.avm"));
  }

  @Test
  void aRunThatStoppedTellsTheSame() throws IOException {
    String whole = online("whole.avm", "--drift").out();
    String[] resumed = {
      "--drift",
      "--checkpoint",
      folder.resolve("cp").toString(),
      "--checkpoint-every=170",
      "--resume"
    };
    for (int stop : new int[] {1200, CHANGE + 400}) {
      List<String> some = new ArrayList<>(lines.subList(0, stop));
      some.add("1,2,Aix,3,4,5");
      Files.write(data, some);
      assertThat(online("parts.avm", resumed).code()).isEqualTo(Failure.BAD_DATA);
    }
    Files.write(data, lines);
    String parts = online("parts.avm", resumed).out();
    assertThat(drift(parts)).isNotEmpty().isEqualTo(drift(whole));
    assertThat(folder.resolve("parts.avm")).hasSameBinaryContentAs(folder.resolve("whole.avm"));
  }

  /** What missed the first rows would tell half of it. */
  @Test
  void aRunThatDidNotWatchCannotBeginInTheMiddle() throws IOException {
    String[] plain = {"--checkpoint", folder.resolve("cp").toString(), "--checkpoint-every=1000"};
    assertThat(online("m.avm", plain).code()).isZero();
    List<String> watching = new ArrayList<>(List.of(plain));
    watching.addAll(List.of("--drift", "--resume"));
    Shell.Result refused = online("m.avm", watching.toArray(String[]::new));
    assertThat(refused.code()).isEqualTo(Failure.USAGE);
    assertThat(refused.err()).contains("belongs to another run", "--drift");
    LearnerSpec spec = LearnerSpec.automatic();
    PreparedData table = PreparedData.look(DataSource.of(data.toString()), spec, 1);
    Path left = folder.resolve("java");
    RunOptions options = RunOptions.DEFAULT.withCheckpoint(left, 40, true, "");
    Run.start(table, spec, options, stopAt(50)).learn();
    Run resumed = Run.start(table, spec, options, RunListener.NONE);
    assertThatThrownBy(() -> resumed.watchDrift(event -> {}))
        .hasMessage("a run that continues from row 50 has not monitored drift before it");
  }

  private static RunListener stopAt(long row) {
    return new RunListener() {
      private long read;

      @Override
      public void advanced(long instances) {
        read = instances;
      }

      @Override
      public boolean isStopRequested() {
        return read == row;
      }
    };
  }

  private static List<String> drift(String text) {
    return text.lines().filter(line -> line.startsWith("drift")).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a9a",
        "cal_housing",
        "casp",
        "elec",
        "etth1",
        "house16H",
        "insects_gradual",
        "kin40k",
        "letter.scale",
        "magic",
        "metrotraffic"
      })
  void shuffledSetsRaiseNoAlarm(String name) {
    String sets = System.getenv("AVM_DATA");
    assumeThat(sets).as("AVM_DATA, the folder of public data").isNotNull();
    Shell.Result result =
        Shell.run(
            "online",
            Path.of(sets, name + ".libsvm.gz").toString(),
            "-q",
            "--drift",
            "--shuffle",
            "--scale=standard",
            "--gamma=0.1",
            "--delta=1",
            "--max-size=60",
            "--at-limit=merge");
    assertThat(result.code()).isZero();
    assertThat(drift(result.out()))
        .singleElement()
        .asString()
        .startsWith("drift ")
        .endsWith("the error did not rise");
  }
}
