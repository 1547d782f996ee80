package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Public tables as they were published go through all commands with nothing but the label. */
class RawTablesTest {
  /** Rows that are learned, so that a build does not take long; hours of some days need more. */
  private static final int ROWS = 180;

  private static final int ORDERED_ROWS = 300;

  @TempDir Path folder;

  /** A table, its label, its task, and what a person should be told of it. */
  enum Raw {
    TITANIC("titanic", "survived", "binary", "column 'boat' alone nearly decides the label"),
    ADULT("adult-train", "15", "binary", ""),
    BANK("bank-full", "y", "binary", ""),
    POLLUTION("pollution", "pm2.5", "regression", "the rows are in chronological order"),
    AIR("AirQualityUCI", "CO(GT)", "regression", "column 'Date' increases from row to row"),
    AIRLINES(
        "AirlinesTrain",
        "IsDepDelayed",
        "binary",
        "column 'IsDepDelayed_REC' alone nearly decides the label"),
    CARS("cars", "economy (mpg)", "regression", ""),
    PROSTATE("prostate", "CAPSULE", "binary", "column 'ID' only numbers the rows and is left out");

    private final String name;
    private final String label;
    private final String task;
    private final String note;

    Raw(String name, String label, String task, String note) {
      this.name = name;
      this.label = label;
      this.task = task;
      this.note = note;
    }

    private Path file() {
      return Path.of(System.getenv("AVM_DATA"), "raw", name + ".csv.gz");
    }
  }

  @BeforeAll
  static void needsData() {
    assumeThat(System.getenv("AVM_DATA")).as("AVM_DATA, the folder of public data").isNotNull();
  }

  private static List<String> lines(Path file) throws IOException {
    try (BufferedReader text =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return text.lines().collect(Collectors.toList());
    }
  }

  /**
   * Neighbouring rows, or rows from all over the file where it has no order.
   *
   * @param shift 0 for rows to learn, 1 for others: those that come next, or beside the first
   */
  private Path part(Raw raw, int shift) throws IOException {
    List<String> lines = lines(raw.file());
    boolean isOrdered = raw == Raw.POLLUTION || raw == Raw.AIR;
    int most = isOrdered ? ORDERED_ROWS : ROWS;
    int step = isOrdered ? 1 : Math.max(1, lines.size() / ROWS);
    List<String> part = new ArrayList<>(lines.subList(0, 1));
    int first = 1 + shift * (isOrdered ? most : step > 1 ? step / 2 : lines.size() - most);
    for (int i = Math.max(1, first); i < lines.size() && part.size() <= most; i += step) {
      part.add(lines.get(i));
    }
    Path file = folder.resolve(raw.name + shift + ".csv");
    Files.write(file, part);
    return file;
  }

  private static Shell.Result run(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(String.join(" ", words) + ": " + result.err()).isZero();
    return result;
  }

  @ParameterizedTest
  @EnumSource
  void aRawTableGoesThroughAllCommands(Raw raw) throws IOException {
    assumeThat(raw.file()).exists();
    String table = part(raw, 0).toString();
    String model = folder.resolve("m.avm").toString();
    String answers = folder.resolve("answers.csv").toString();
    Shell.Result trained = run("train", table, "--label", raw.label, "-m", model);
    assertThat(trained.out())
        .startsWith("task")
        .contains(raw.task + ", because the labels")
        .containsPattern("about [\\d.,]+ (±|\\([\\d.,]+ to [\\d.,]+\\))");
    assertThat(trained.err()).contains(raw.note).doesNotContain("a bug");
    run("evaluate", table, "-m", model, "-q");
    run("predict", table, "-m", model, "-o", answers, "-q");
    int rows = Files.readAllLines(Path.of(table)).size() - (raw == Raw.ADULT ? 0 : 1);
    assertThat(Files.readAllLines(Path.of(answers))).hasSize(rows + 1);
    Path others = part(raw, 1);
    int count = Files.readAllLines(others).size() - (raw == Raw.ADULT ? 0 : 1);
    assertThat(run("evaluate", others.toString(), "-m", model, "-q").out())
        .containsPattern("instances +\\d");
    run("predict", others.toString(), "-m", model, "-o", answers, "-q");
    assertThat(Files.readAllLines(Path.of(answers))).hasSize(count + 1);
  }

  /** The labels of its test set end in a dot, those of the rows that were learned do not. */
  @Test
  void theDotsOfAdultAreTold() throws IOException {
    Path test = Path.of(System.getenv("AVM_DATA"), "raw", "adult-test.csv.gz");
    assumeThat(test).exists();
    String model = folder.resolve("m.avm").toString();
    run("train", part(Raw.ADULT, 0).toString(), "--label", "15", "-m", model, "-q");
    Shell.Result refused = Shell.run("evaluate", test.toString(), "-m", model);
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err())
        .contains("adult-test.csv.gz:1: ")
        .contains("it differs from '<=50K' only in a dot or blanks at the end");
    Path mended = folder.resolve("mended.csv");
    List<String> rows = lines(test).stream().map(line -> line.replaceAll("\\.$", "")).toList();
    Files.write(mended, rows.subList(0, 500));
    String figures = run("evaluate", mended.toString(), "-m", model, "--json", "-q").out();
    assertThat(figures).containsPattern("\"instances\" ?: ?500");
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"TITANIC, 1309", "CARS, 398", "PROSTATE, 380"})
  void aWholeRawTableIsLearned(Raw raw, String rows) throws IOException {
    assumeThat(raw.file()).exists();
    String table = raw.file().toString();
    String model = folder.resolve("m.avm").toString();
    String count = "instances +" + rows.replace("1309", "1,?309");
    assertThat(run("train", table, "--label", raw.label, "-m", model).out())
        .containsPattern(count)
        .contains("±");
    assertThat(run("evaluate", table, "-m", model, "-q").out()).containsPattern(count);
    int all = lines(raw.file()).size() - 1;
    assertThat(run("predict", table, "-m", model, "-q").out().lines()).hasSize(all);
  }

  /**
   * Traffic of a year goes up and down with the hours, and rows of the next weeks are like them.
   */
  @Test
  void thePromiseInTheOrderOfTimeHoldsForTheRowsThatComeNext() throws IOException {
    Path traffic = Path.of(System.getenv("AVM_DATA"), "metrotraffic.libsvm.gz");
    assumeThat(traffic).exists();
    List<String> lines = lines(traffic);
    Path past = Files.write(folder.resolve("past.libsvm"), lines.subList(0, 3000));
    Path next = Files.write(folder.resolve("next.libsvm"), lines.subList(3000, 4000));
    String model = folder.resolve("m.avm").toString();
    String trained = run("train", past.toString(), "-m", model, "--json", "-q").out();
    double promised = rmse(trained.substring(trained.indexOf("\"estimate\"")));
    double measured = rmse(run("evaluate", next.toString(), "-m", model, "--json", "-q").out());
    assertThat(promised / measured).isBetween(1 / 1.5, 1.5);
  }

  private static double rmse(String json) {
    Matcher found = Pattern.compile("\"rmse\" ?: ?([\\d.Ee+-]+)").matcher(json);
    assertThat(found.find()).as(json).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void aWholeRawTableIsDescribed(Raw raw) {
    assumeThat(raw.file()).exists();
    Shell.Result described = run("data", "describe", raw.file().toString(), "--label", raw.label);
    assertThat(described.out())
        .startsWith("column")
        .contains("the label")
        .containsPattern("task +" + raw.task);
    assertThat(described.err()).contains(raw.note).doesNotContain("malformed lines");
  }
}
