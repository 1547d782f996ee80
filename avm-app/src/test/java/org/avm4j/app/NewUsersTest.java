package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people met who tried the command with tables of their own. */
class NewUsersTest {
  private static final String FAST = "--gamma=1";
  private static final List<String> SHARP =
      List.of("--gamma=200", "--delta=0.01", "--prior=0.01", "--scale=none");

  @TempDir Path folder;

  private String file(String name, List<String> lines) throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, lines);
    return file.toString();
  }

  private String model() {
    return folder.resolve("m.avm").toString();
  }

  private Shell.Result train(String file, String... more) {
    List<String> words = new ArrayList<>(List.of("train", file, "-m", model()));
    words.addAll(List.of(more).contains("--ignore=noise") ? SHARP : List.of(FAST));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" ?: ?(-?[0-9.eE-]+)").matcher(json);
    assertThat(found.find()).as(name + " in " + json).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private static double promised(String json, String name) {
    return number(json.substring(json.indexOf("\"estimate\"")), name);
  }

  /** A slow walk: neighbours are alike, and a feature shows the time. */
  private static List<String> walk(int from, int to) {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>();
    double level = 0;
    for (int i = 0; i < to; i++) {
      level += random.nextGaussian();
      double noise = random.nextGaussian();
      double slow = i / 800.0 + 0.001 * noise;
      if (i >= from) {
        lines.add(String.format(Locale.ROOT, "%d,%.4f,%.4f,%.3f", i, slow, noise, level));
      }
    }
    return lines;
  }

  private static List<String> with(String header, List<String> rows) {
    List<String> lines = new ArrayList<>(List.of(header));
    lines.addAll(rows);
    return lines;
  }

  @Test
  void aTableInTheOrderOfTimePromisesForWhatComesNext() throws IOException {
    String past = file("past.csv", with("hour,slow,noise,level", walk(0, 800)));
    String next = file("next.csv", with("hour,slow,noise,level", walk(800, 1000)));
    Shell.Result trained = train(past, "--json", "--ignore=noise");
    assertThat(trained.err())
        .contains("the rows are in chronological order: repeating the last label has an RMSE of")
        .contains("The latest 160 are held out")
        .contains("column 'hour' only numbers the rows and is left out");
    double promise = promised(trained.out(), "rmse");
    double margin = promised(trained.out(), "margin");
    double measured =
        number(Shell.run("evaluate", next, "-m", model(), "--json", "-q").out(), "rmse");
    double leaking =
        promised(train(past, "--json", "-q", "--shuffle", "--ignore=noise").out(), "rmse");
    assertThat(leaking).isLessThan(0.5 * measured);
    assertThat(promise).isGreaterThan(2 * leaking);
    assertThat(margin).isBetween(Math.abs(measured - promise), 3 * promise);
    assertThat(train(past, "-q").out()).contains("on future rows   rmse about ");
    assertThat(Shell.run("evaluate", past, "--folds=2", FAST).err())
        .contains("the estimate is too optimistic");
  }

  @Test
  void datesThatGoUpOrDownAreTheOrderOfTime() throws IOException {
    Random random = new Random(1);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(
          String.format(
                  Locale.ROOT,
                  "201%dM%02d%02dT000000,%.3f,%d",
                  i / 100,
                  1 + i % 100 / 10,
                  10 + i % 10,
                  random.nextDouble(),
                  random.nextInt(2))
              .replace("M", ""));
    }
    Shell.Result up = train(file("up.csv", with("sold,a,class", rows)));
    assertThat(up.err())
        .contains("column 'sold' holds dates")
        .contains("column 'sold' increases from row to row. The latest 40 are held out");
    Collections.reverse(rows);
    assertThat(train(file("down.csv", with("sold,a,class", rows))).err())
        .contains("column 'sold' decreases from row to row");
    Collections.shuffle(rows, random);
    String mixed = file("mixed.csv", with("sold,a,class", rows));
    assertThat(train(mixed).err()).doesNotContain("chronological order");
    Shell.Result named = train(mixed, "--time-column=sold");
    assertThat(named.err()).contains("column 'sold' holds the time of each row. The latest 4");
    assertThat(named.out()).containsPattern("on future rows .*on the latest 4[0-9] held-out rows");
    assertThat(train(mixed, "--time-column=nosuch").code()).isEqualTo(65);
  }

  @Test
  void aSortedTableIsInNoOrderOfTime() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(i * 7 % 300 / 300.0 + "," + i / 3.7);
    }
    assertThat(train(file("t.csv", with("a,y", rows))).err()).doesNotContain("chronological order");
  }

  @Test
  void rowsWithoutALabelAreLeftOutAndCounted() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add(i % 7 + "," + i % 5 + "," + (i % 6 == 0 ? "NA" : i % 2 == 0 ? "a" : "b"));
    }
    String table = file("t.csv", with("x,z,class", rows));
    Shell.Result trained = train(table);
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(trained.out()).containsPattern("instances +50").contains("10 rows, skipped");
    Shell.Result measured = Shell.run("evaluate", table, "-m", model());
    assertThat(measured.code()).isZero();
    assertThat(measured.err()).contains("skipped 10 rows without a label");
    String none = file("none.csv", List.of("x,z,class", "1,2,", "2,3,NA"));
    assertThat(train(none).err()).contains("none.csv: no row has a label in column 'class'");
    assertThat(Shell.run("evaluate", none, "-m", model()).code()).isEqualTo(65);
  }

  @Test
  void oneTextAmongManyNumbersIsASlip() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(i % 17 + "," + (i == 120 ? "unknown" : i * 37 % 1000 / 10.0));
    }
    String table = file("t.csv", with("x,price", rows));
    Shell.Result refused = train(table);
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err())
        .contains("all but 1 of 300 labels are numbers, found 'unknown' in column 'price'");
    Shell.Result lenient = train(table, "--skip-bad-lines");
    assertThat(lenient.code()).as(lenient.err()).isZero();
    assertThat(lenient.out()).contains("task", "regression").containsPattern("instances +299");
  }

  @Test
  void classesThatNeverComeAgainAreRefused() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(i % 17 + ",name" + i);
    }
    Shell.Result refused = train(file("t.csv", with("x,who", rows)));
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("column 'who' has 200 different texts in 200 rows");
  }

  @Test
  void labelsThatDifferOnlyByCaseAreTold() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(i % 7 + "," + List.of("yes", "no", "YES", "no.").get(i % 4));
    }
    Shell.Result trained = train(file("t.csv", with("x,class", rows)));
    assertThat(trained.err())
        .contains("the labels 'yes', 'YES' differ only in case")
        .contains("the labels 'no', 'no.' differ only in a dot");
    Shell.Result refused =
        Shell.run("evaluate", file("n.csv", List.of("x,class", "1,Yes.")), "-m", model());
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("it differs from 'yes' only in");
  }

  @Test
  void columnsThatGiveTheLabelAwayAreTold() throws IOException {
    Random random = new Random(3);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      boolean isAlive = random.nextInt(3) == 0;
      String boat = isAlive ^ random.nextInt(50) == 0 ? "" + random.nextInt(16) : "";
      double age = 10 * random.nextDouble() + (isAlive ? 1 : 0);
      rows.add(boat + "," + age + "," + i % 3 + "," + i % 3 + "," + (isAlive ? 1 : 0));
    }
    Shell.Result trained = train(file("t.csv", with("boat,age,deck,floor,survived", rows)));
    assertThat(trained.err())
        .contains("column 'boat' alone nearly decides the label: is it known when you predict?")
        .contains("columns 'deck' and 'floor' are the same in every row")
        .doesNotContain("'age' alone");
    List<String> prices = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double price = 100 * random.nextDouble();
      prices.add(1.19 * price + random.nextDouble() + "," + random.nextDouble() + "," + price);
    }
    assertThat(train(file("p.csv", with("gross,a,net", prices))).err())
        .contains("column 'gross' alone nearly decides the label")
        .doesNotContain("'a' alone");
    prices.replaceAll(line -> line.replaceFirst("[^,]*$", "7"));
    assertThat(train(file("c.csv", with("gross,a,net", prices))).err())
        .as("labels that are all the same need nothing to decide them")
        .doesNotContain("nearly decides");
  }

  @Test
  void aSecondFileMustHaveTheColumnsOfTheFirst() throws IOException {
    String whole = file("ok.csv", List.of("a,b,y", "1,2,0", "2,3,1", "3,1,0", "4,4,1"));
    String lack = file("lack.csv", List.of("a,y", "1,0", "2,1"));
    Shell.Result refused = train(whole, lack);
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err())
        .contains("lack.csv:1: expected column 'b' of the previous file; use --fill-columns");
    assertThat(train(lack, whole).err())
        .contains("ok.csv:1: column 'b' is not in the previous file");
    Shell.Result filled = train(whole, lack, "--fill-columns");
    assertThat(filled.code()).as(filled.err()).isZero();
  }

  /** An outlier that comes once is none, nor is the long tail of prices. */
  @Test
  void aNumberThatMayMeanMissingIsTold() throws IOException {
    List<String> lines = new ArrayList<>(List.of("heat,price,once,level"));
    for (int i = 0; i < 120; i++) {
      String heat = i % 20 == 3 ? "-999" : Integer.toString(10 + i % 17);
      double price = Math.rint(Math.exp(i % 60 / 10.0) * 100) / 100;
      String once = i == 50 ? "5000" : Integer.toString(i % 30);
      lines.add(heat + "," + price + "," + once + "," + (i % 40 == 0 ? "-200" : (i % 13) + ".5"));
    }
    Path table = Files.write(folder.resolve("marks.csv"), lines);
    Shell.Result result = Shell.run("data", "describe", table.toString(), "--label=level");
    assertThat(result.code()).isZero();
    String all = result.out() + result.err();
    assertThat(all)
        .contains("column 'heat' has -999 in 6 rows, far from all its other numbers")
        .contains("warning: the label 'level' has -200 in 3 rows", "leave these cells empty")
        .doesNotContain("'price' has", "'once' has");
  }

  @Test
  void anIdThatRepeatsIsTold() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add(1000 + i / 2 + "," + i % 7 + "," + i % 2);
    }
    assertThat(train(file("t.csv", with("id,x,y", rows))).err())
        .contains("column 'id' is named like an id and has 30 different numbers");
  }

  @Test
  void aPromiseHasAMarginAndNoEmptyDigits() throws IOException {
    Random random = new Random(5);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      double a = random.nextDouble();
      rows.add(a + "," + (a + 0.4 * random.nextGaussian() > 0.5 ? "in" : "out"));
    }
    String table = file("t.csv", with("a,class", rows));
    assertThat(train(table, "-q").out())
        .containsPattern(
            "on new data +mistake rate about [0-9]+ ± [0-9]+ %, estimated on 60 held-out rows");
    assertThat(train(table, "-q", "--average=5").out())
        .containsPattern(
            "on new data +mistake rate about [0-9]+ ± [0-9] %, estimated on 180 held-out rows")
        .containsPattern("learners +the mean of 5; the error of a single one is [0-9]+ %");
  }
}
