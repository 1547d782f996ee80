package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of tables that were given by mistake, or that have a mistake. */
class TableMistakesTest {
  private static final String FAST = "--gamma=1";

  @TempDir Path folder;

  @Test
  void aTableOfLabelsAloneHasNothingToLearn() throws IOException {
    String table = file("t.csv", "y\n1\n2\n1\n");
    String sentence = "avm: " + table + ": there is no column besides the label 'y'";
    assertThat(Shell.run("data", "describe", table).err().strip()).isEqualTo(sentence);
    Shell.Result trained = train(table);
    assertThat(trained.err().strip()).isEqualTo(sentence);
    assertThat(trained.code()).isEqualTo(65);
  }

  @Test
  void aPageIsNoTableAndLeavesNoModel() throws IOException {
    String page = file("t.csv", "<!doctype html>\n<p>a,b,c</p>\n");
    Files.writeString(folder.resolve("m.avm"), "old");
    assertThat(train(page).err().strip())
        .isEqualTo("avm: " + page + ": is an HTML page, not a table: save the data itself");
    assertThat(folder.resolve("m.avm.partial")).doesNotExist();
  }

  @Test
  void bytesThatAreNoTextAreNoTable() throws IOException {
    byte[] bytes = new byte[500];
    new Random(1).nextBytes(bytes);
    String binary = Files.write(folder.resolve("t.csv"), bytes).toString();
    String sentence = "avm: " + binary + ": is not text, expected a table such as CSV";
    assertThat(Shell.run("data", "describe", binary).err().strip()).isEqualTo(sentence);
    assertThat(train(binary).code()).isEqualTo(65);
  }

  @Test
  void descriptionsWarnWhereTrainRefuses() throws IOException {
    String strays = table("a,y", 200, i -> i + "," + (i % 60 == 7 ? "none" : "" + i / 7.0));
    assertWarned(strays, "all but 4 of 200 labels are numbers, found 'none' in column 'y'");
    assertWarned(table("a,y", 200, i -> i % 9 + ",name " + i), "the label in column 'y' has 200");
    assertWarned(table("a,y", 30, i -> i % 9 + ","), "no row has a label in column 'y'");
    assertWarned(
        table("a,y", 200, i -> i % 9 + "," + i % 40 + " kg"),
        "the labels in column 'y' are numbers with units, such as '0 kg', and would be read as 40"
            + " classes; leave the unit out of its cells, write durations as seconds, or use --text"
            + " y if they are classes");
    String durations = table("a,y", 200, i -> i % 9 + "," + i % 40 + ":0" + i % 4);
    assertWarned(durations, "the labels in column 'y' are numbers with units, such as '0:00'");
    assertThat(train(durations, "--text=y").code()).isZero();
  }

  private void assertWarned(String table, String sentence) {
    assertThat(Shell.run("data", "describe", table).err()).contains("warning: " + sentence);
    assertThat(train(table).err()).contains(sentence);
  }

  @Test
  void aDescriptionOfAWideTableIsShort() throws IOException {
    String names = IntStream.range(0, 999).mapToObj(c -> "c" + c).collect(Collectors.joining(","));
    String table =
        table(
            names + ",y",
            30,
            i ->
                IntStream.range(0, 999).mapToObj(c -> "1." + c * i).collect(Collectors.joining(","))
                    + ",a");
    String text = Shell.run("data", "describe", table).out();
    assertThat(text.lines().count()).isLessThan(130);
    assertThat(text)
        .containsPattern("c99 .*a number")
        .containsPattern("y .*the label")
        .containsPattern("and 899 more columns; --json shows all:\\R  899 as a number");
    assertThat(Shell.run("data", "describe", table, "--json").out()).contains("\"c998\"");
  }

  @Test
  void pointsBesideDecimalCommasAreBetweenThousands() throws IOException {
    String rows = "%1$d,5;%2$s;%2$s €;%2$s km;%2$s";
    String table =
        table(
            "a;b;c;d;y",
            200,
            i -> rows.formatted(i % 9, String.format(Locale.GERMANY, "%,d", 500 + 7 * i)));
    Shell.Result shown = Shell.run("data", "describe", table, "--label=y");
    assertThat(shown.out()).contains("from 500.0 to 1893.0");
    assertThat(shown.err())
        .contains("'b' holds numbers with points between thousands, because others have")
        .contains("'c' holds numbers with points between thousands")
        .contains("label 'y' has points between thousands, because other columns have decimal");
    assertThat(train(table, "--label=y").code()).isZero();
    Shell.Result predicted = Shell.run("predict", table, "-m", model(), "-o", file("o.csv", ""));
    assertThat(predicted.code()).isZero();
    String points = table("a;y", 200, i -> i % 9 + ",5;" + (1 + i % 7) + "." + (100 + i));
    assertThat(Shell.run("data", "describe", points).out()).contains("from 1.1");
  }

  @Test
  void constantAndRareTextsAreDescribed() throws IOException {
    String table = table("one,same,text,y", 200, i -> "a,5,text " + i / 2 + "," + i % 2);
    String text = Shell.run("data", "describe", table).out();
    assertThat(text)
        .containsPattern("one +0 +1 +constant 'a' +1 category")
        .containsPattern("same +0 +1 +constant 5 +a number")
        .containsPattern("text +0 +100 +such as 'text \\d+'");
    String bad = file("b.csv", "a,y\n1,2\n3\n4,5\n");
    assertThat(Shell.run("data", "describe", bad).err()).contains("skipped 1 malformed line,");
  }

  @Test
  void aLabelOfLargeNumbersIsNoDate() throws IOException {
    String table = table("a,y", 100, i -> i % 9 + "," + (1_600_000_000L + 86_400 * i));
    assertThat(Shell.run("data", "describe", table, "--json").out())
        .doesNotContain("\"kind\" : \"date\"");
  }

  @Test
  void aMarkAmongTheLabelsIsToldOnce() throws IOException {
    String table = table("a,y", 400, i -> i % 97 + "," + (i % 20 == 3 ? -200 : i % 37 / 3.0));
    String told = Shell.run("data", "describe", table).err();
    assertThat(told.lines().filter(line -> line.contains("has -200")))
        .singleElement()
        .asString()
        .contains("has -200 in 20 rows");
  }

  @Test
  void theLabelIsNoTimeColumn() throws IOException {
    String table = table("a,y", 100, i -> i % 9 + "," + i);
    assertThat(train(table, "--time-column=y").err())
        .contains("--time-column needs a feature, but column 'y' is the label");
  }

  @Test
  void aBatchHasNoTime() throws IOException {
    String table = table("date,a,y", 100, i -> (20_200_101 + i % 28) + "," + i % 7 + "," + i % 2);
    String dates = table("date,a,y", 28, i -> (20_200_101 + i) + "," + i % 7 + "," + i % 2);
    assertThat(train(dates, "--batch").err()).doesNotContain("held out");
    assertThat(train(table, "--batch", "--time-column=date").err())
        .contains("--time-column needs held-out rows, but --batch learns all rows");
    assertThat(train(table, "--batch", "--forget=100").err())
        .contains("a batch has no order in which to forget: 100");
  }

  @Test
  void copiesAreTold() throws IOException {
    Random random = new Random(1);
    String rows =
        IntStream.range(0, 100)
            .mapToObj(i -> random.nextGaussian() + "," + random.nextInt(2) + "\n")
            .collect(Collectors.joining());
    String warning = "warning: 100 % of the rows have an exact copy";
    assertThat(train(file("t.csv", "a,y\n" + rows + rows)).err()).contains(warning);
    assertThat(train(file("u.csv", "a,y\n" + rows)).err()).doesNotContain("copies");
  }

  @Test
  void aHeaderThatRepeatsIsLeftOut() throws IOException {
    IntFunction<String> row = i -> i % 60 == 50 ? "who,a,y" : "n" + i + "," + i % 7 + "," + i % 2;
    String tables = table("who,a,y", 200, row);
    Shell.Result trained = train(tables, "--ignore=who");
    assertThat(trained.err())
        .contains("line 52 repeats the header and is left out, and so are others like it");
    assertThat(trained.out()).contains("because the labels are 0 and 1").contains(" 197\n");
    Shell.Result answered = Shell.run("predict", tables, "-m", model(), "--csv", "-q");
    assertThat(answered.out().lines()).hasSize(198).anyMatch(line -> line.startsWith("n199,1,"));
    String stream = Files.readString(Path.of(tables));
    assertThat(
            Shell.run(
                    new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)),
                    "online",
                    "-",
                    "--warm-up=120",
                    "-q")
                .out())
        .contains("because the labels are 0 and 1");
  }

  /** The first line is a row, although later ones are equal to it. */
  @Test
  void textsWithoutAHeaderAreAllLearned() throws IOException {
    String tables = table("cat,meow", 99, i -> i % 2 == 0 ? "dog,woof" : "cat,meow");
    assertThat(train(tables).out()).contains(" 100\n").doesNotContain(" 99\n");
  }

  /** As Hive writes tables. */
  @Test
  void aControlCharacterMayBeTheDelimiter() throws IOException {
    String tables = table("a\u0001b\u0001y", 200, i -> i % 7 + "\u0001" + i % 3 + "\u0001" + i % 2);
    assertThat(train(tables, "--delimiter=\u0001").code()).isZero();
  }

  @Test
  void rowsWithNamesAreNoCopies() throws IOException {
    String named = table("name,a,y", 600, i -> "n" + (char) ('a' + i % 26) + i + ",1," + i % 2);
    assertThat(train(named).err())
        .contains("a different text in nearly every row")
        .doesNotContain("copies");
    String common = table("name,a,y", 600, i -> (i % 3 == 0 ? "x" + i % 7 : "n" + i) + ",1,0");
    assertThat(train(common).err()).contains("different texts").doesNotContain("copies");
  }

  @Test
  void rowNamesOfAPartOfATableAreNoFeature() throws IOException {
    String some =
        table("\"\",a,y", 100, i -> "\"" + (3 * i + i % 2) + "\"," + i % 7 + "," + i / 50);
    assertThat(train(some).err()).contains("column 'x1' only numbers the rows and is left out");
    Shell.Result alone = train(table("id,y", 100, i -> (7 * i) + "," + i % 2));
    assertThat(alone.code()).isEqualTo(65);
    assertThat(alone.err())
        .contains(
            "there is no column besides the label 'y' but those that are left out: 'id' (numbers"
                + " the rows)");
  }

  @Test
  void aConstantNumberIsNothingToLearn() throws IOException {
    assertThat(train(table("a,y", 60, i -> i % 7 + ",3.5")).err())
        .contains("warning: all labels are the same, so there is nothing to learn");
  }

  /** Tables of several countries or shares often follow each other in one file. */
  @Test
  void blocksThatStartAgainAreInNoOrderOfTime() throws IOException {
    IntFunction<String> level = i -> "," + (i / 50 + 0.005 * (i * 37 % 20)) + "\n";
    String dates =
        IntStream.range(0, 300)
            .mapToObj(i -> LocalDate.of(2020, 1, 1).plusDays(i % 150) + level.apply(i))
            .collect(Collectors.joining());
    assertThat(train(file("t.csv", "day,y\n" + dates)).err())
        .contains(
            "neighbouring rows have similar labels, but not by their time: column 'day' starts"
                + " again and again (--time-column holds out its latest rows). Random rows are held out")
        .doesNotContain("chronological");
    String names =
        IntStream.range(0, 350)
            .mapToObj(i -> "land " + (char) ('a' + i / 50) + "," + i * 7 % 11 + level.apply(i))
            .collect(Collectors.joining());
    assertThat(train(file("u.csv", "land,a,y\n" + names)).err())
        .contains("not by their time: they are sorted by column 'land'. Random rows are held out")
        .doesNotContain("chronological");
    assertThat(train(file("u.csv", "land,a,y\n" + names), "--shuffle").err())
        .doesNotContain("neighbouring");
  }

  @Test
  void fewLatestRowsPromiseNothing() throws IOException {
    String days = table("day,y", 60, i -> LocalDate.of(2020, 1, 1).plusDays(i) + "," + i % 2);
    assertThat(train(days).err()).contains("The latest 12 are held out, too few to estimate");
  }

  @Test
  void oddRowsOfJsonAreTold() throws IOException {
    IntFunction<String> row = i -> ",{\"a\":" + i + ",\"b\":\"1,234\",\"y\":" + i % 2 + "}";
    String rows = IntStream.range(0, 60).mapToObj(row).collect(Collectors.joining());
    Shell.Result empty = train(file("empty.json", "[{}" + rows + "]"), "--label=y");
    assertThat(empty.code()).isEqualTo(65);
    assertThat(empty.err()).contains("empty.json:1: expected the key \"y\"");
    String nested = file("nested.json", "[{\"a\":1,\"m\":{\"x\":1},\"y\":0}" + rows + "]");
    Shell.Result refused = train(nested, "--label=y");
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("column 'm' must hold a number, a text, true, false or");
    assertThat(train(nested, "--label=y", "--ignore=m").code()).isZero();
    String unlabelled = file("some.json", "[{\"a\":1,\"y\":\"?\"}" + rows + "]");
    Shell.Result left = train(unlabelled, "--label=y");
    assertThat(left.code()).isZero();
    assertThat(left.out() + left.err()).contains("without a label");
    String mixed = file("mixed.json", "[{\"a\":\"none so far\",\"y\":0}" + rows + "]");
    assertThat(train(mixed, "--label=y", "--numeric=a").code()).isZero();
  }

  @Test
  void theLabelOfATableIsThatOfTheJsonAfterIt() throws IOException {
    String table = table("a,y", 60, i -> i + "," + i % 2);
    String rows =
        IntStream.range(0, 60)
            .mapToObj(i -> "{\"a\":" + i + ",\"y\":" + i % 2 + "}")
            .collect(Collectors.joining("\n"));
    assertThat(train(table, file("more.json", rows)).code()).isZero();
    assertThat(Shell.run("predict", table, "-m", model(), "-o", "-").code()).isZero();
  }

  @Test
  void aJsonFileIsReadAsATable() throws IOException {
    String rows =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    String.format(
                        Locale.ROOT,
                        "{\"id\":%d,\"day\":\"%s\",\"zip\":\"%05d\",\"name\":\"n%d\",\"w\":%d,\"y\":%d}",
                        i,
                        LocalDate.of(2020, 1, 1).plusDays(i * 7 % 300),
                        i % 9,
                        i,
                        1 + i % 2,
                        i % 2))
            .collect(Collectors.joining(",", "[", "]"));
    String file = file("t.json", rows);
    Shell.Result trained = train(file, "--label=y", "--ignore=name", "--weight=w");
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(trained.err())
        .contains("column 'id' only numbers the rows and is left out")
        .contains("column 'day' holds dates")
        .doesNotContain("'name'");
    assertThat(Shell.run("data", "describe", file, "--label=y").out())
        .containsPattern("zip .* 9 categories");
    assertThat(Shell.run("predict", file, "-m", model(), "-o", "-").code()).isZero();
    String unweighted = file("u.json", "[{\"a\":1,\"y\":0},{\"a\":2,\"w\":2,\"y\":1}]");
    Shell.Result refused = train(unweighted, "--label=y", "--weight=w");
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("u.json:1: expected the key \"w\" with the weight");
  }

  @Test
  void helpOfNoCommandIsRefused() {
    Shell.Result wrong = Shell.run("help", "data", "describ");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("describ");
    assertThat(Shell.run("help", "data", "describe").out()).contains("avm data describe");
    assertThat(Shell.run("help", "data").code()).isZero();
  }

  @Test
  void costsAndNotMistakesAreCompared() throws IOException {
    Random random = new Random(5);
    String rows =
        table(
            "a,y",
            800,
            i -> {
              boolean isRare = random.nextInt(10) == 0;
              return random.nextGaussian() + (isRare ? 1 : 0) + "," + (isRare ? "bad" : "good");
            });
    assertThat(train(rows, "--cost=fn=10,fp=1").code()).isZero();
    Shell.Result measured = Shell.run("evaluate", rows, "-m", model());
    assertThat(measured.out()).contains("majority class").doesNotContain("worse than no model");
    String json = Shell.run("evaluate", rows, "-m", model(), "--json").out();
    assertThat(number(json, "mistakeRate")).isGreaterThan(number(json, "majorityMistakeRate"));
    assertThat(number(json, "costAtModelThreshold")).isLessThan(number(json, "constantCost"));
  }

  private static double number(String json, String name) {
    return Double.parseDouble(json.replaceAll("(?s).*\"" + name + "\" : ([^,\\s]+).*", "$1"));
  }

  private Shell.Result train(String table, String... more) {
    String[] words = new String[6 + more.length];
    System.arraycopy(
        new String[] {"train", table, "-m", model(), "--average=1", FAST}, 0, words, 0, 6);
    System.arraycopy(more, 0, words, 6, more.length);
    return Shell.run(words);
  }

  private String table(String header, int rows, IntFunction<String> row) throws IOException {
    String text = IntStream.range(0, rows).mapToObj(row).collect(Collectors.joining("\n"));
    return file("table" + text.hashCode() + ".csv", header + "\n" + text + "\n");
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String model() {
    return folder.resolve("m.avm").toString();
  }
}
