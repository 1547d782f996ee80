package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --interval}: how sure answers are. */
class IntervalCommandTest {
  @TempDir Path folder;

  private static Shell.Result run(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private String numbers(String name, int count, long seed) throws IOException {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>(List.of("a,b,price"));
    for (int i = 0; i < count; i++) {
      double a = random.nextDouble();
      lines.add(a + "," + random.nextDouble() + "," + (10 * a + random.nextGaussian()));
    }
    return Files.write(folder.resolve(name), lines).toString();
  }

  private String classes(String name, int count, long seed) throws IOException {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>(List.of("a,b,kind"));
    for (int i = 0; i < count; i++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      double score = a + b + random.nextGaussian();
      lines.add(a + "," + b + "," + (score < -1 ? "low" : score < 1 ? "middle" : "high"));
    }
    return Files.write(folder.resolve(name), lines).toString();
  }

  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" : (-?[\\d.eE+-]+)").matcher(json);
    assertThat(found.find()).as(name + " in " + json).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void anIntervalStandsBehindEachAnswerOfARun() throws IOException {
    String table = numbers("t.csv", 3000, 1);
    String json =
        run(
                "online",
                table,
                "--interval=90",
                "--gamma=3",
                "--max-size=30",
                "--answers=" + path("a"),
                "--json",
                "-q")
            .out();
    assertThat(number(json, "level")).isEqualTo(90);
    assertThat(number(json, "coverage")).isCloseTo(90, within(0.5));
    assertThat(number(json, "worstCoverage")).isCloseTo(90, within(3.0));
    assertThat(number(json, "meanWidth")).isBetween(3.0, 4.5);
    List<String> answers = Files.readAllLines(folder.resolve("a"));
    List<String> rows = Files.readAllLines(Path.of(table)).subList(1, 3001);
    assertThat(answers.get(0)).endsWith(" -inf inf");
    int covered = 0;
    for (int i = 0; i < answers.size(); i++) {
      String[] fields = answers.get(i).replace("inf", "Infinity").split(" ");
      double truth = Double.parseDouble(rows.get(i).split(",")[2]);
      boolean isAbove = Double.parseDouble(fields[1]) <= truth;
      covered += isAbove && truth <= Double.parseDouble(fields[2]) ? 1 : 0;
    }
    assertThat(covered / 30.0).isCloseTo(number(json, "coverage"), within(0.1));
  }

  @Test
  void aSetOfLabelsStandsBehindEachAnswerOfARun() throws IOException {
    String table = classes("t.csv", 3000, 1);
    String page = path("page.html");
    String text =
        run("online", table, "--interval=80", "--max-size=30", "--gamma=0.5", "--html", page, "-q")
            .out();
    assertThat(text)
        .containsPattern("sets of labels, 80 % +contain (79\\.|80\\.)\\d+ % of the true labels");
    assertThat(Files.readString(Path.of(page))).contains("Coverage: sets of labels, 80 %");
  }

  @Test
  void aSavedModelKnowsHowSureItIsAtAnyLevel() throws IOException {
    String model = path("m.avm");
    run(
        "train",
        numbers("t.csv", 3000, 1),
        "-m",
        model,
        "--interval=90",
        "-q",
        "--gamma=3",
        "--max-size=30");
    String test = numbers("n.csv", 3000, 2);
    for (String level : List.of("80", "90", "95")) {
      String json = run("evaluate", test, "-m", model, "--interval=" + level, "--json").out();
      assertThat(number(json, "coverage")).isCloseTo(Double.parseDouble(level), within(4.0));
    }
    assertThat(run("evaluate", test, "-m", model).out()).contains("intervals, 90 %");
    List<String> answers = run("predict", test, "-m", model, "--csv", "-q").out().lines().toList();
    assertThat(answers.get(0)).isEqualTo("price,price_predicted,low,high,far");
    assertThat(run("predict", test, "-m", model, "--interval=95", "-q").out().lines().findFirst())
        .hasValueSatisfying(line -> assertThat(line.split(" ")).hasSize(3));
  }

  @Test
  void theMeanOfSeveralLearnersIsAsSureAsItsHeldOutRowsSay() throws IOException {
    String model = path("m.avm");
    run(
        "train",
        classes("t.csv", 1500, 1),
        "-m",
        model,
        "--interval=90",
        "-q",
        "--gamma=0.5",
        "--average=3",
        "--max-size=30");
    String test = classes("n.csv", 3000, 2);
    String json = run("evaluate", test, "-m", model, "--json").out();
    assertThat(number(json, "coverage")).isCloseTo(90, within(3.0));
    List<String> answers = run("predict", test, "-m", model, "--csv", "-q").out().lines().toList();
    assertThat(answers.get(0))
        .isEqualTo(
            "kind,kind_predicted,probability_middle,probability_low,probability_high,labels,far");
    assertThat(answers.subList(1, answers.size()))
        .anySatisfy(line -> assertThat(line).contains("|"))
        .allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(7));
  }

  @Test
  void thePageOfAnEvaluationTellsWhetherSetsAndIntervalsHold() throws IOException {
    String page = path("page.html");
    String[][] all = {
      {classes("c.csv", 3000, 1), classes("d.csv", 3000, 2), "sets of labels, 90 %"},
      {numbers("t.csv", 1000, 1), numbers("n.csv", 500, 2), "intervals, 90 %"}
    };
    for (String[] each : all) {
      String model = path("m.avm");
      run("train", each[0], "-m", model, "--interval=90", "-q", "--gamma=1", "--max-size=30");
      run("evaluate", each[1], "-m", model, "--html", page);
      assertThat(Files.readString(Path.of(page)))
          .contains(
              "Coverage: " + each[2], "% of the true labels", "learns nothing from these rows");
    }
  }

  @Test
  void whatCannotBeKnownIsRefused() throws IOException {
    String table = numbers("t.csv", 200, 1);
    String model = path("m.avm");
    run("train", table, "-m", model, "-q", "--gamma=3", "--max-size=10");
    assertThat(Shell.run("predict", table, "-m", model, "--interval=90").err())
        .contains("was trained without --interval");
    assertThat(Shell.run("online", table, "--interval=100", "-q").err())
        .contains("--interval must be a percentage such as 90, at least 1 and below 100: '100.0'");
    assertThat(Shell.run("online", table, "--interval=0.9", "-q").err())
        .contains("--interval must be a percentage such as 90, at least 1 and below 100: '0.9'");
    run("train", table, "-m", path("sure.avm"), "--interval=90", "-q", "--gamma=3");
    assertThat(Shell.run("predict", table, "-m", path("sure.avm"), "--interval=0.9").err())
        .contains("--interval must be a percentage such as 90, at least 1 and below 100: '0.9'");
    assertThat(Shell.run("online", table, "--interval=90", "--task=anomaly", "-q").err())
        .contains("--interval needs numbers or classes to be predicted");
    assertThat(Shell.run("train", table, "-m", model, "--interval=90", "--batch", "-q").err())
        .contains("which --batch does not have");
  }
}
