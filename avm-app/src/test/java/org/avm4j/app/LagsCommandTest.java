package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

/** Labels of earlier rows as features. */
class LagsCommandTest {
  @TempDir Path folder;

  private String file(String name, List<String> lines) throws IOException {
    return Files.write(folder.resolve(name), lines).toString();
  }

  private static Shell.Result run(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" ?: ?(-?[0-9.eE-]+)").matcher(json);
    assertThat(found.find()).as(name).isTrue();
    return Double.parseDouble(found.group(1));
  }

  /** An autoregressive series with an input: its noise has deviation 0.1. */
  private static List<double[]> series(int rows) {
    Random random = new Random(1);
    List<double[]> all = new ArrayList<>();
    double y1 = 0;
    double y2 = 0;
    for (int i = 0; i < rows; i++) {
      double x = Math.rint(1000 * (random.nextDouble() - 0.5)) / 1000;
      double y = 1.6 * y1 - 0.7 * y2 + 0.5 * x + 0.1 * random.nextGaussian();
      y = Math.rint(y * 1e6) / 1e6;
      all.add(new double[] {y, x});
      y2 = y1;
      y1 = y;
    }
    return all;
  }

  private static List<String> table(List<double[]> series, boolean isLabelled) {
    List<String> lines = new ArrayList<>(List.of("x,y"));
    series.forEach(
        row -> lines.add(String.format(Locale.ROOT, "%s,%s", row[1], isLabelled ? row[0] : "")));
    return lines;
  }

  /** The same with lags made by hand; those before the first row are left out. */
  private static List<String> libsvm(List<double[]> series, int lags, int delay) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      StringBuilder line = new StringBuilder(series.get(i)[0] + " 1:" + series.get(i)[1]);
      for (int k = 1; k <= lags && i - delay - k >= 0; k++) {
        line.append(' ').append(k + 1).append(':').append(series.get(i - delay - k)[0]);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  @Test
  void lagsAreChosenByTheLatestRows() throws IOException {
    String file = file("series.csv", table(series(600), true));
    String model = folder.resolve("m.avm").toString();
    String[] flags = {"--lags=auto", "--gamma=0.1", "--prior=1", "--scale=standard"};
    Shell.Result chosen = run(with(flags, "train", file, "-m", model));
    assertThat(chosen.err()).containsPattern("--lags auto chose [1-9]\\d?: RMSE 0\\.[12]");
    assertThat(chosen.out()).containsPattern("\nlags +[^\n]*y");
    List<double[]> noise = series(600);
    Random random = new Random(2);
    noise.forEach(row -> row[0] = row[1] + 0.01 * random.nextGaussian());
    file("series.csv", table(noise, true));
    Shell.Result limited = Shell.run(with(flags, "train", file, "-m", model, "--time=9s"));
    assertThat(limited.code()).isEqualTo(2);
    assertThat(limited.err()).contains("give the number of lags");
    Shell.Result none = run(with(flags, "train", file, "-m", model));
    assertThat(none.err()).contains("--lags auto chose none: RMSE 0.0");
    Shell.Result online = Shell.run("online", file, "--lags=auto");
    assertThat(online.code()).isEqualTo(2);
    assertThat(online.err()).contains("--lags auto is only for train");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void lagsAreTheLabelsThatAreKnown(int delay) throws IOException {
    List<double[]> series = series(700);
    String plain = file("plain.libsvm", libsvm(series, 0, 0));
    String byHand = file("hand.libsvm", libsvm(series, 2, delay));
    String[] rest = {"-q", "--json", "--task=regression", "--delay=" + delay, "--gamma=0.5"};
    String found = run(with(rest, "online", plain, "--lags=2")).out();
    String expected = run(with(rest, "online", byHand)).out();
    assertThat(number(found, "rmse")).isEqualTo(number(expected, "rmse"));
    String without = run(with(rest, "online", plain)).out();
    if (delay == 0) {
      assertThat(number(found, "rmse")).isLessThan(0.7 * number(without, "rmse"));
    }
  }

  private static String[] with(String[] rest, String... first) {
    List<String> words = new ArrayList<>(List.of(first));
    words.addAll(List.of(rest));
    return words.toArray(String[]::new);
  }

  @Test
  @Tag("slow")
  void aTrainedModelTakesRowsAsThoseThatFollow() throws IOException {
    List<double[]> all = series(1500);
    String train = file("train.csv", table(all.subList(0, 1200), true));
    List<double[]> later = all.subList(1200, 1500);
    String test = file("test.csv", table(later, true));
    String model = folder.resolve("m.avm").toString();
    String report = run("train", train, "-m", model, "--label=y", "--lags=2", "-q").out();
    assertThat(report)
        .contains("lags", "features: y (1 row before), y (2 rows before)", "on future rows")
        .containsPattern("(?m)^  y \\(1 row before\\) +\\+")
        .doesNotContain("x2", "x3");
    String evaluated = run("evaluate", test, "-m", model, "-q", "--json").out();
    assertThat(number(evaluated, "rmse")).isBetween(0.09, 0.13);
    assertThat(number(evaluated, "noChangeRmse"))
        .isCloseTo(noChange(all, 1200), within(1e-9))
        .isLessThan(0.5 * number(evaluated, "meanRmse"));
    assertThat(run("evaluate", test, "-m", model, "-q").out())
        .containsPattern("no change +RMSE 0\\.\\d+ by repeating the last known label")
        .containsPattern("(?m)^  y \\(1 row before\\) +\\+");
    String first = file("first.csv", table(later.subList(0, 1), true));
    String answers = run("predict", test, "-m", model, "-q").out();
    assertThat(run("predict", first, "-m", model, "-q").out().strip())
        .isEqualTo(answers.lines().findFirst().orElseThrow());
  }

  /** The error of repeating the label before, of rows from one on. */
  private static double noChange(List<double[]> series, int from) {
    double squares = 0;
    for (int i = Math.max(1, from); i < series.size(); i++) {
      double step = series.get(i)[0] - series.get(i - 1)[0];
      squares += step * step;
    }
    return Math.sqrt(squares / (series.size() - Math.max(1, from)));
  }

  /** Rows are learned in a random order, and yet no change is measured in the order of time. */
  @Test
  void noChangeIsInTheOrderOfTime() throws IOException {
    List<double[]> all = series(600);
    String table = file("t.csv", table(all, true));
    String model = folder.resolve("m.avm").toString();
    String[] rest = {"-m", model, "--label=y", "-q", "--average=1", "--gamma=0.5"};
    String lagged = run(with(rest, "train", table, "--lags=1", "--json")).out();
    assertThat(number(lagged, "noChangeRmse")).isCloseTo(noChange(all, 1), within(1e-9));
    assertThat(run(with(rest, "train", table)).out())
        .containsPattern(
            "no change +RMSE [\\d.]+ by repeating the label of the previous row; a model")
        .contains("with --lags sees it")
        .doesNotContain("repeating the last label");
    String shuffled = run(with(rest, "train", table, "--shuffle")).out();
    assertThat(shuffled).contains("mean so far").doesNotContain("no change");
  }

  @Test
  void lagsThatAreKnownLateAreNamedByTheirRows() throws IOException {
    String plain = file("plain.libsvm", libsvm(series(700), 0, 0));
    String[] rest = {"-q", "--task=regression", "--gamma=0.5"};
    assertThat(run(with(rest, "online", plain, "--delay=5", "--lags=2")).out())
        .contains("label (6 rows before), label (7 rows before)");
  }

  /** Two steps ahead the noise of one step is amplified, far ahead only the input is known. */
  @Test
  @Tag("slow")
  void withoutLabelsAnAnswerStandsForTheLabel() throws IOException {
    List<double[]> all = series(1210);
    String train = file("train.csv", table(all.subList(0, 1200), true));
    String model = folder.resolve("m.avm").toString();
    run("train", train, "-m", model, "--label=y", "--lags=2", "-q");
    List<double[]> asked = new ArrayList<>();
    List<double[]> later = all.subList(1200, 1210);
    String open = file("open.csv", table(later, false));
    List<String> alone = run("predict", open, "-m", model, "-q").out().lines().toList();
    for (int i = 0; i < later.size(); i++) {
      asked.add(later.get(i));
      String known = file("known.csv", table(asked, true));
      List<String> given = run("predict", known, "-m", model, "-q").out().lines().toList();
      assertThat(Double.parseDouble(given.get(i)))
          .isCloseTo(Double.parseDouble(alone.get(i)), within(1e-4));
      asked.set(i, new double[] {Double.parseDouble(alone.get(i)), later.get(i)[1]});
    }
  }

  @Test
  @Tag("slow")
  void aRunGoesOnFromItsCheckpoint() throws IOException {
    String table = file("t.csv", table(series(600), true));
    String whole = folder.resolve("whole.avm").toString();
    String parts = folder.resolve("parts.avm").toString();
    String check = folder.resolve("c.avm").toString();
    String[] rest = {"--label=y", "--lags=2", "-q"};
    run(with(rest, "online", table, "-m", whole));
    String[] kept = {"--label=y", "--lags=2", "-q", "--checkpoint=" + check};
    run(with(kept, "online", table, "-m", parts, "--checkpoint-every=250"));
    String resumed =
        run(with(kept, "online", table, "-m", parts, "--checkpoint-every=250", "--resume")).out();
    assertThat(resumed).contains("y (1 row before), y (2 rows before)");
    assertThat(Files.readAllBytes(Path.of(parts))).isEqualTo(Files.readAllBytes(Path.of(whole)));
  }

  @Test
  void helpAndInspectTellOfLags() throws IOException {
    String table = file("t.csv", table(series(300), true));
    String model = folder.resolve("m.avm").toString();
    run("online", table, "-m", model, "--label=y", "--lags=2", "-q");
    assertThat(run("inspect", model).out())
        .containsPattern("lags columns +y \\(1 row before\\), y \\(2 rows before\\)");
    assertThat(run("online", "--help").out()).contains("--lags", "--delay", "--ask", "--drift");
  }

  @Test
  void whatHasNoOrderIsRefused() throws IOException {
    String table = file("t.csv", table(series(60), true));
    String model = folder.resolve("m.avm").toString();
    assertThat(Shell.run("online", table, "--label=y", "--lags=0").err()).contains("from 1 to 100");
    assertThat(Shell.run("online", table, "--label=y", "--lags=2", "--shuffle").err())
        .contains("rows in their original order");
    assertThat(Shell.run("online", "-", "--label=y", "--lags=2").err())
        .contains("not standard input");
    assertThat(Shell.run("train", table, "-m", model, "--lags=2", "--batch").err())
        .contains("--batch");
    String classes = file("c.csv", List.of("a,y", "1,u", "2,v", "3,u", "4,v"));
    Shell.Result ofClasses = Shell.run("online", classes, "--lags=2");
    assertThat(ofClasses.err()).contains("these are classes");
    assertThat(ofClasses.code()).isEqualTo(Failure.USAGE);
    Shell.Result words = Shell.run("online", table, "--lags=x");
    assertThat(words.err())
        .contains("must be auto or a number from 1 to 100: x")
        .doesNotContain("int");
    assertThat(words.code()).isEqualTo(Failure.USAGE);
    run("train", table, "-m", model, "--label=y", "--lags=2", "-q");
    assertThat(Shell.run("export", model, "--onnx", folder.resolve("m.onnx").toString()).err())
        .contains("labels of earlier rows");
    assertThat(Shell.run("compare", table, table, "-m", model).err())
        .contains("labels of earlier rows");
  }
}
