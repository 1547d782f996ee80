package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as a table, and answers about rare classes. */
class AnswersTableTest {
  @TempDir Path folder;

  private String file(String name, List<String> lines) throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, lines);
    return file.toString();
  }

  private static Shell.Result run(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  /** One row in ten is rare, and only somewhat different. */
  private static List<String> rows(int count, long seed) {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>(List.of("id,\"who, and where\",a,b,kind"));
    for (int i = 0; i < count; i++) {
      boolean isRare = random.nextInt(10) == 0;
      double a = random.nextGaussian() + (isRare ? 1.5 : 0);
      double b = random.nextGaussian();
      lines.add(
          String.format(
              Locale.ROOT,
              "%d,\"x, \"\"%d\"\"\",%.3f,%.3f,%s",
              i + 500,
              i,
              a,
              b,
              isRare ? "fraud" : "fine"));
    }
    return lines;
  }

  private String trained(String... more) throws IOException {
    String model = folder.resolve("m.avm").toString();
    List<String> words = new ArrayList<>(List.of("train", file("t.csv", rows(400, 1))));
    words.addAll(List.of("-m", model, "-q", "--gamma=0.3", "--ignore=2"));
    words.addAll(List.of(more));
    run(words.toArray(String[]::new));
    return model;
  }

  @Test
  void textsThatNameTheRowsStandBesideTheAnswers() throws IOException {
    String model = folder.resolve("ids.avm").toString();
    String table = file("ids.csv", rows(400, 1));
    run("train", table, "-m", model, "-q", "--gamma=0.3");
    String answers = run("predict", table, "-m", model, "--csv").out();
    assertThat(answers.lines().findFirst())
        .hasValueSatisfying(header -> assertThat(header).contains("\"who, and where\""));
    assertThat(answers).contains("\"x, \"\"399\"\"\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "regression"})
  void rowsFarFromEverythingAreCounted(String task) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      lines.add((i % 3 == 0 ? 3 : 1) + " 1:" + i % 10 / 10.0 + " 2:" + i % 7 / 7.0);
    }
    String model = folder.resolve("far.avm").toString();
    String[] learn = {"online", file("near.libsvm", lines), "-m", model, "-q", "--task=" + task};
    List<String> words = new ArrayList<>(List.of(learn));
    words.addAll(List.of("--gamma=3", "--delta=0.1", "--kernel=gaussian", "--scale=none"));
    run(words.toArray(String[]::new));
    String near = file("asked.libsvm", lines.subList(0, 5));
    assertThat(run("predict", near, "-m", model).err()).doesNotContain("far from");
    assertThat(run("evaluate", near, "-m", model).out()).doesNotContain("far from");
    String some = file("some.libsvm", List.of("1 1:0.5 2:0.5", "1 1:50 2:-50", "1 1:0 2:99"));
    Shell.Result predicted = run("predict", some, "-m", model);
    assertThat(predicted.err())
        .contains("warning: 2 of 3 rows are far from everything the model has learned");
    String mean = "1.68";
    assertThat(predicted.out().lines().skip(1))
        .allMatch(answer -> answer.startsWith(task.equals("binary") ? "1" : mean));
    assertThat(run("predict", some, "-m", model, "-q").err()).isEmpty();
    assertThat(run("predict", some, "-m", model, "--csv").out().lines())
        .extracting(line -> line.substring(line.lastIndexOf(',') + 1))
        .containsExactly("far", "0", "1", "1");
    assertThat(run("evaluate", some, "-m", model).out()).containsPattern("far from everything +2");
    assertThat(run("evaluate", some, "-m", model, "--json").out()).contains("\"far\" : 2");
  }

  @Test
  void aTableOfAnswersKeepsIdsAndHasProbabilities() throws IOException {
    String model = trained("--probability");
    Path out = folder.resolve("out.csv");
    run("predict", file("n.csv", rows(20, 2)), "-m", model, "-o", out.toString());
    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(21);
    assertThat(lines.get(0))
        .isEqualTo(
            "id,\"who, and where\",kind,kind_predicted,probability_fine,probability_fraud,far");
    assertThat(lines.get(1))
        .matches("500,\"x, \"\"0\"\"\",(fine|fraud),(fine|fraud),0\\.\\d+,0\\.\\d+,0");
    assertThat(run("predict", file("n.csv", rows(20, 2)), "-m", model, "--csv", "-q").out())
        .isEqualTo(Files.readString(out));
  }

  @Test
  void probabilitiesNeedNoFlagOfTrain() throws IOException {
    String rows = file("n.csv", rows(2000, 2));
    for (String learners : List.of("--average=1", "--average=2")) {
      String model = trained(learners);
      assertThat(run("predict", rows, "-m", model, "--csv", "-q").out().lines().findFirst().get())
          .endsWith(",probability_fine,probability_fraud,far");
      String probable = run("predict", rows, "-m", model, "--probability", "-q").out();
      List<String[]> answers = probable.lines().skip(1).map(line -> line.split(" ")).toList();
      double fraud = answers.stream().mapToDouble(each -> Double.parseDouble(each[2])).sum();
      assertThat(fraud / answers.size()).as("mean probability of one in ten").isBetween(0.03, 0.2);
      assertThat(run("evaluate", rows, "-m", model).out()).contains("log loss");
    }
  }

  @Test
  void aModelOfAStreamHasProbabilitiesOnlyIfAsked() throws IOException {
    String rows = file("n.csv", rows(200, 2));
    String model = folder.resolve("m.avm").toString();
    run("online", rows, "-m", model, "-q", "--gamma=0.3");
    Shell.Result refused = Shell.run("predict", rows, "-m", model, "--probability");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("has no probabilities", "online with --probability");
    assertThat(Shell.run("predict", rows, "-m", model, "--csv").err())
        .contains("has no probabilities, so the table has none", "online with --probability");
    assertThat(run("predict", rows, "-m", model, "--csv", "-q").err()).isEmpty();
    assertThat(run("predict", rows, "-m", model).err()).doesNotContain("probabilities");
  }

  @Test
  void badLinesDoNotShiftTheIds() throws IOException {
    String model = trained();
    List<String> lines = rows(5, 2);
    lines.set(2, "broken");
    String answers =
        run("predict", file("n.csv", lines), "-m", model, "--csv", "-q", "--skip-bad-lines").out();
    assertThat(answers.lines().map(line -> line.split(",")[0]).toList())
        .containsExactly("id", "500", "502", "503", "504");
  }

  @Test
  void aTableOfNumbersHasARange() throws IOException {
    Random random = new Random(4);
    List<String> lines = new ArrayList<>(List.of("a,price"));
    for (int i = 0; i < 300; i++) {
      double a = random.nextDouble();
      lines.add(a + "," + (10 * a + random.nextGaussian()));
    }
    String model = folder.resolve("m.avm").toString();
    String table = file("t.csv", lines);
    run("train", table, "-m", model, "-q", "--gamma=3");
    List<String> answers = run("predict", table, "-m", model, "--csv", "-q").out().lines().toList();
    assertThat(answers.get(0)).isEqualTo("price,price_predicted,low,high,far");
    long within =
        answers.stream()
            .skip(1)
            .map(line -> line.split(","))
            .filter(f -> Double.parseDouble(f[2]) < Double.parseDouble(f[0]))
            .filter(f -> Double.parseDouble(f[0]) < Double.parseDouble(f[3]))
            .count();
    assertThat(within).isBetween(250L, 290L);
  }

  @Test
  void aThresholdFollowsFromCosts() throws IOException {
    String model = trained();
    String test = file("n.csv", rows(600, 3));
    String plain = run("evaluate", test, "-m", model, "--json").out();
    assertThat(number(plain, "averagePrecision")).isBetween(0.15, 0.95);
    assertThat(number(plain, "liftOfTopTenth")).isBetween(1.5, 10.0);
    assertThat(plain).contains("\"rareClass\" : \"fraud\"", "recallAndPrecision");
    String costly = run("evaluate", test, "-m", model, "--cost=fn=10,fp=1", "--json").out();
    double threshold = number(costly, "threshold");
    assertThat(number(costly, "cost")).isLessThan(number(costly, "costAtZero"));
    List<String> answers =
        run("predict", test, "-m", model, "--threshold=" + threshold, "-q").out().lines().toList();
    List<String> labels = Files.readAllLines(Path.of(test)).stream().skip(1).toList();
    double cost = 0;
    for (int i = 0; i < answers.size(); i++) {
      boolean isRare = labels.get(i).endsWith("fraud");
      boolean saysRare = answers.get(i).equals("fraud");
      cost += isRare && !saysRare ? 10 : !isRare && saysRare ? 1 : 0;
    }
    assertThat(cost).isEqualTo(number(costly, "cost"));
    assertThat(run("evaluate", test, "-m", model, "--cost=fp=1,fn=10").out())
        .contains("average precision", "predict --threshold");
    assertThat(Shell.run("evaluate", test, "-m", model, "--cost=10").code()).isEqualTo(2);
  }

  /** The cost of answers, row by row. */
  private static double cost(String table, List<String> answers) throws IOException {
    List<String> labels = Files.readAllLines(Path.of(table)).stream().skip(1).toList();
    assertThat(answers).hasSameSizeAs(labels);
    double cost = 0;
    for (int i = 0; i < answers.size(); i++) {
      boolean isRare = labels.get(i).endsWith("fraud");
      boolean saysRare = answers.get(i).equals("fraud");
      cost += isRare && !saysRare ? 10 : !isRare && saysRare ? 1 : 0;
    }
    return cost;
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"", "--average=1", "--freeze", "--gamma=0.3", "--no-shuffle"})
  void trainKeepsTheThresholdThatCostsLeast(String how) throws IOException {
    String table = file("t.csv", rows(1200, 1));
    String test = file("n.csv", rows(1200, 3));
    String plain = folder.resolve("plain.avm").toString();
    String model = folder.resolve("cost.avm").toString();
    List<String> words =
        new ArrayList<>(List.of("train", table, "-q", "--ignore=2", "--json", "-m", plain));
    if (!how.isEmpty()) {
      words.add(how);
    }
    run(words.toArray(String[]::new));
    words.set(6, model);
    words.add("--cost=fn=10,fp=1");
    String report = run(words.toArray(String[]::new)).out();
    double rows = number(report, "rows");
    assertThat(rows).isGreaterThanOrEqualTo(240);
    assertThat(number(report, "cost")).isLessThanOrEqualTo(number(report, "crossedCost"));
    assertThat(number(report, "crossedCost")).isLessThan(number(report, "costAtZero"));
    double kept = cost(test, run("predict", test, "-m", model, "-q").out().lines().toList());
    double none = cost(test, run("predict", test, "-m", plain, "-q").out().lines().toList());
    assertThat(kept).isLessThan(0.9 * none);
    String found = run("evaluate", test, "-m", model, "--json").out();
    assertThat(number(found, "costAtModelThreshold")).isEqualTo(kept);
    assertThat(number(found, "costAtZero")).isEqualTo(none);
    assertThat(number(found, "modelThresholdRows")).isEqualTo(rows);
    assertThat(run("predict", test, "-m", model, "-q", "--threshold=0").out())
        .isEqualTo(run("predict", test, "-m", plain, "-q").out());
  }

  @Test
  void aReportSaysWhichRowsChoseTheThreshold() throws IOException {
    String table = file("t.csv", rows(600, 1));
    String model = folder.resolve("m.avm").toString();
    String page = folder.resolve("page.html").toString();
    assertThat(run("train", table, "-m", model, "-q", "--gamma=1", "--cost=fp=1,fn=10").out())
        .contains("fraud is answered from score", "chosen on 120 held-out rows");
    assertThat(run("evaluate", table, "-m", model, "-q", "--html", page).out())
        .contains(
            "which was chosen on 120 rows in training", "the threshold was chosen on the same rows")
        .contains("precision at recall");
    assertThat(Files.readString(Path.of(page)))
        .contains("How well class fraud is found", "Precision against recall", "120 rows");
    assertThat(run("inspect", model).out()).contains("threshold rare class", "fraud");
  }

  @Test
  void costsThatNoThresholdFollowsFromAreRefused() throws IOException {
    String three = file("three.csv", List.of("a,y", "1,x", "2,y", "3,z", "1,x", "2,y", "3,z"));
    String model = folder.resolve("none.avm").toString();
    assertThat(Shell.run("train", three, "-m", model, "--cost=fn=1,fp=1").err())
        .contains("--cost needs data with two classes");
    String table = file("t.csv", rows(60, 1));
    assertThat(Shell.run("train", table, "-m", model, "--batch", "--cost=fn=1,fp=1").err())
        .contains("--batch learns all rows");
    assertThat(Shell.run("train", "-", "-m", model, "--cost=fn=1,fp=1").err())
        .contains("a file, not standard input");
    Shell.Result endless = Shell.run("train", table, "-m", model, "--cost=fn=inf,fp=1");
    assertThat(endless.err()).contains("fn=10,fp=1", "two finite numbers above 0");
    assertThat(endless.code()).isEqualTo(Failure.USAGE);
    assertThat(Path.of(model)).doesNotExist();
    Shell.Result few = run("train", table, "-m", model, "--cost=fn=1,fp=1");
    assertThat(few.err()).contains("the held-out rows of both classes are too few");
    assertThat(run("inspect", model).out()).doesNotContain("threshold");
  }

  @Test
  void aHorizonThatIsTooShortIsRefused() throws IOException {
    String table = file("t.csv", rows(50, 1));
    Shell.Result refused = Shell.run("online", table, "--forget=2");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--forget must be at least 10 instances: 2");
  }

  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" ?: ?(-?[0-9.eE-]+)").matcher(json);
    assertThat(found.find()).as(name).isTrue();
    return Double.parseDouble(found.group(1));
  }
}
