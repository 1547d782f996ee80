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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void aTableOfAnswersKeepsIdsAndHasProbabilities() throws IOException {
    String model = trained("--probability");
    Path out = folder.resolve("out.csv");
    run("predict", file("n.csv", rows(20, 2)), "-m", model, "-o", out.toString());
    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(21);
    assertThat(lines.get(0))
        .isEqualTo("id,\"who, and where\",kind,kind_predicted,probability_fine,probability_fraud");
    assertThat(lines.get(1))
        .matches("500,\"x, \"\"0\"\"\",(fine|fraud),(fine|fraud),0\\.\\d+,0\\.\\d+");
    assertThat(run("predict", file("n.csv", rows(20, 2)), "-m", model, "--csv", "-q").out())
        .isEqualTo(Files.readString(out));
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
    assertThat(answers.get(0)).isEqualTo("price,price_predicted,low,high");
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
