package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What used to trip people with tables of their own. */
class TablesTest {
  private static final String FAST = "--gamma=1";

  @TempDir Path folder;

  @Test
  void aSortedFileIsLearnedAsWellAsAnyOther() throws IOException {
    String sorted = file("sorted.csv", "a,b,class\n" + rows(200, "no") + rows(200, "yes"));
    String test = file("test.csv", "a,b,class\n" + rows(100, "no") + rows(100, "yes"));
    String report = out("train", sorted, "-m", model(), "-q", "--json", FAST);
    double measured = number(out("evaluate", test, "-m", model(), "--json"), "mistakeRate");
    double promised = number(report.substring(report.indexOf("\"estimate\"")), "mistakeRate");
    assertThat(measured).isLessThan(20);
    assertThat(promised).isBetween(measured - 8, measured + 8);
    out("train", sorted, "-m", model(), "-q", "--no-shuffle", FAST);
    assertThat(number(out("evaluate", test, "-m", model(), "--json"), "mistakeRate"))
        .isGreaterThan(measured);
  }

  @Test
  void blocksOfLabelsAreToldWhereTheOrderCounts() throws IOException {
    String sorted = file("sorted.csv", "a,b,class\n" + rows(200, "no") + rows(200, "yes"));
    assertThat(Shell.run("online", sorted, FAST).err())
        .contains("the labels come in long blocks: they change 1 times in 400 rows");
    assertThat(Shell.run("online", sorted, FAST, "--shuffle").err()).doesNotContain("blocks");
    assertThat(Shell.run("train", sorted, FAST, "-m", model()).err()).doesNotContain("blocks");
  }

  @Test
  void onlyTheFirstPassIsReported() throws IOException {
    String table = file("t.csv", "a,b,class\n" + rows(50, "no") + rows(50, "yes"));
    String once = out("train", table, "-m", model(), "-q", "--json", FAST);
    String thrice = out("train", table, "-m", model(), "-q", "--json", FAST, "--passes=3");
    assertThat(number(thrice, "mistakeRate")).isEqualTo(number(once, "mistakeRate"));
    assertThat(number(thrice, "instances")).isEqualTo(100);
  }

  @Test
  void anUnknownLabelIsBadDataToEvaluate() throws IOException {
    out(
        "train",
        file("t.csv", "a,b,class\n" + rows(30, "<=50K") + rows(30, ">50K")),
        "-m",
        model());
    String other = file("adult.test", "a,b,class\n" + rows(3, "<=50K") + rows(3, ">50K."));
    Shell.Result refused = Shell.run("evaluate", other, "-m", model());
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err())
        .contains(
            "adult.test:5: the label '>50K.' is not known to the model, which knows '<=50K',"
                + " '>50K'");
    assertThat(Shell.run("evaluate", other, "-m", model(), "--skip-bad-lines").err())
        .contains("skipped 3 malformed lines");
    assertThat(Shell.run("predict", other, "-m", model()).err())
        .contains("3 of 6 labels are unknown to the model");
  }

  @Test
  void anUnknownNumberIsNoLabelEither() throws IOException {
    out("train", file("t.csv", "a,b,class\n" + rows(30, "1") + rows(30, "2")), "-m", model());
    Shell.Result refused =
        Shell.run("evaluate", file("n.csv", "a,b,class\n" + rows(1, "7")), "-m", model());
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err())
        .contains("n.csv:2: the label 7 is not known to the model, which knows 1, 2");
  }

  @Test
  void aMissingColumnIsBadData() throws IOException {
    out("train", file("t.csv", "a,b,class\n" + rows(30, "no") + rows(30, "yes")), "-m", model());
    String short1 = file("short.csv", "a,class\n1,no\n");
    assertThat(Shell.run("predict", short1, "-m", model()).err())
        .contains("short.csv:1: expected the model's column 'b', or --fill-columns");
    assertThat(Shell.run("predict", short1, "-m", model()).code()).isEqualTo(65);
    assertThat(out("predict", short1, "-m", model(), "--fill-columns").lines()).hasSize(1);
    Shell.Result nameless = Shell.run("predict", file("x.libsvm", "1 1:2\n"), "-m", model());
    assertThat(nameless.code()).isEqualTo(65);
    assertThat(nameless.err()).contains("the model needs columns by name, such as 'a'");
  }

  @Test
  void theLabelMayBeThereOrNot() throws IOException {
    String train = "kind,a,b\n" + rows(30, "no", true) + rows(30, "yes", true);
    out("train", file("t.csv", train), "--label", "kind", "-m", model());
    assertThat(out("predict", file("n.csv", "b,a\n1,2\n"), "-m", model()).lines()).hasSize(1);
    assertThat(out("evaluate", file("e.csv", "b,kind,a\n1,no,2\n"), "-m", model()))
        .contains("instances");
    Shell.Result refused = Shell.run("evaluate", file("u.csv", "b,a\n1,2\n"), "-m", model());
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("u.csv:1: expected the label in column 'kind'");
  }

  @Test
  void aColumnThatTurnsToTextIsText() throws IOException {
    StringBuilder text = new StringBuilder("boat,b,class\n");
    for (int i = 0; i < 120; i++) {
      text.append(i < 80 ? i % 9 : i % 2 == 0 ? "A" : "13 15")
          .append(",1,")
          .append(i % 2)
          .append('\n');
    }
    String table = file("t.csv", text.toString());
    Shell.Result trained = Shell.run("train", table, "-m", model(), FAST);
    assertThat(trained.code()).isZero();
    assertThat(trained.err()).contains("column 'boat' mixes numbers and texts and is read as text");
    assertThat(out("inspect", model())).contains("boat=");
    assertThat(Shell.run("train", table, "-m", model(), FAST, "--numeric=boat").err())
        .contains("column 'boat' holds numbers; 40 texts in it count as missing")
        .doesNotContain("so that texts in it count as missing");
    byte[] stream = text.toString().getBytes(StandardCharsets.UTF_8);
    Shell.Result streamed =
        Shell.run(new ByteArrayInputStream(stream), "online", "-", "--warm-up=50", FAST);
    assertThat(streamed.code()).as(streamed.err()).isZero();
  }

  @Test
  void warningsAreNoProgress() throws IOException {
    StringBuilder text = new StringBuilder("euro,a,price\n");
    Random random = new Random(1);
    for (int i = 0; i < 400; i++) {
      double price = Math.exp(3 * random.nextGaussian());
      text.append(0.9 * price + "," + random.nextDouble() + "," + price + "\n");
    }
    String table = file("t.csv", text.toString());
    Shell.Result run =
        Shell.run("train", table, "-m", model(), "-q", "--json", "--average=1", FAST);
    String warning = "column 'euro' alone nearly decides the label";
    assertThat(run.err()).contains("warning: " + warning);
    assertThat(run.out()).contains("\"warnings\" : [ \"" + warning);
  }

  @Test
  void aFileWithoutAGoodRowSaysWhy() throws IOException {
    String bad = file("t.csv", "a,b,label\n1,2\n3,4\n");
    Shell.Result described = Shell.run("data", "describe", bad);
    assertThat(described.code()).isEqualTo(65);
    assertThat(described.err())
        .contains("there are no rows; the first that is bad: " + bad + ":2: expected ");
    String title = file("u.csv", "Sales report 2020,,\n,,\na,b,label\n1,2,no\n3,4,yes\n");
    assertThat(Shell.run("data", "describe", title).err())
        .contains("left out 2 lines above the header, the first: 'Sales report 2020,,'");
  }

  @Test
  void aWorkbookMayHaveATitle() throws IOException {
    Path book = folder.resolve("title.xlsx");
    List<String> lines = new ArrayList<>(List.of("Sales of the year", "", "a,b,class"));
    (rows(40, "no") + rows(40, "yes")).lines().forEach(lines::add);
    WorkbookFile.write(book, lines);
    assertThat(Shell.run("data", "describe", book.toString()).err())
        .contains("left out a line above the header: '\"Sales of the year\"'");
    out("train", book.toString(), "-m", model(), "-q", FAST);
    assertThat(out("predict", book.toString(), "-m", model()).lines()).hasSize(80);
  }

  @Test
  void aNameWithALineBreakStaysOnItsLine() throws IOException {
    String table = file("t.csv", "\"a\nb\",c,label\n1,2,no\n3,4,yes\n");
    assertThat(out("data", "describe", table).lines().toList().get(1)).startsWith("a b ");
  }

  @Test
  void missingValuesArePredictedAsTheyWereLearned() throws IOException {
    String table = file("t.csv", "a,b,class\n" + rows(60, "no") + rows(60, "yes"));
    String gap = file("g.csv", "a,b\n,1\n");
    out("train", table, "-m", model(), "-q", FAST, "--missing=zero", "--average=1");
    assertThat(out("predict", gap, "-m", model(), "--csv"))
        .isEqualTo(out("predict", file("z.csv", "a,b\n0,1\n"), "-m", model(), "--csv"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--ignore=b", "--ignore=2", "--ignore=2-2", "--ignore=-2", "--ignore=?"})
  void columnsAreGivenByNameNumberRangeOrPattern(String ignore) throws IOException {
    String table = file("t.csv", "aa,b,class\n1,7,0\n2,8,1\n3,9,0\n4,6,1\n");
    out("train", table, "-m", model(), "-q", FAST, ignore);
    assertThat(out("inspect", model())).contains("aa:").doesNotContain(" b:");
    assertThat(out("predict", file("n.csv", "aa\n1\n"), "-m", model()).lines()).hasSize(1);
  }

  @Test
  void aColumnThatIsNotThereIsTold() throws IOException {
    String table = file("t.csv", "aa,b,class\n1,7,0\n2,8,1\n");
    Shell.Result refused = Shell.run("train", table, "-m", model(), "--text=zip*");
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("no column 'zip*' among the 3 columns 'aa', 'b', 'class'");
    out("train", table, "-m", model(), "-q");
    assertThat(Shell.run("predict", table, "-m", model(), "--text=b").code()).isEqualTo(2);
  }

  @Test
  void veryManyTextsShareAFeature() throws IOException {
    StringBuilder text = new StringBuilder("id,city,when,note,class\n");
    Random random = new Random(1);
    for (int i = 0; i < 700; i++) {
      boolean isGood = random.nextBoolean();
      String note =
          (isGood ? "works very well" : "broke at once") + " item " + random.nextInt(9999);
      String city = "city" + (int) (1500 * random.nextDouble() * random.nextDouble());
      text.append(i + ",").append(city + ",").append("2020-01-" + (10 + i % 20) + ",");
      text.append(note + ",").append(isGood).append('\n');
    }
    String table = file("t.csv", text.toString());
    Shell.Result capped = Shell.run("train", table, "-m", model(), "--gamma=0.1", "--json");
    assertThat(capped.err())
        .contains("column 'id' only numbers the rows and is left out")
        .contains(
            "column 'city' has ", " different texts; the ", " most common ones get a feature each")
        .contains("column 'note' has a different text in nearly every row")
        .contains("column 'when' holds dates");
    assertThat(number(out("inspect", model(), "--json"), "features")).isLessThan(800);
    String words =
        out("train", table, "-m", model(), "-q", "--gamma=0.1", "--json", "--text-words=note");
    assertThat(number(words, "mistakeRate")).isLessThan(number(capped.out(), "mistakeRate") - 10);
  }

  @Test
  void theTaskAndItsReasonComeFirst() throws IOException {
    TableShape shells = TableShape.SHELLS;
    String table = file("shells.csv", shells.text(shells.truths(500, 1)));
    assertThat(out("train", table, "-m", model(), "-q", FAST))
        .matches("(?s)task +regression, because the labels are [0-9]+ whole numbers from 1 to .*")
        .contains("that count something; use --task multiclass to treat them as classes");
    assertThat(out("train", table, "-m", model(), "-q", FAST, "--task=multiclass"))
        .matches("(?s)task +multiclass, as given.*");
  }

  @Test
  void rowsMayHaveWeights() throws IOException {
    StringBuilder text = new StringBuilder("a,w,class\n");
    for (int i = 0; i < 100; i++) {
      text.append("1,").append(i % 4 == 0 ? 9 : 1).append(',').append(i % 4 == 0).append('\n');
    }
    String table = file("t.csv", text.toString());
    String test = file("n.csv", "a\n1\n");
    out("train", table, "-m", model(), "-q", FAST, "--weight=w", "--passes=3");
    assertThat(out("predict", test, "-m", model())).isEqualTo("true\n");
    out("train", table, "-m", model(), "-q", FAST, "--ignore=w", "--passes=3");
    assertThat(out("predict", test, "-m", model())).isEqualTo("false\n");
    String bad = file("b.csv", "a,w,class\n1,1,0\n1,-2,1\n");
    Shell.Result refused = Shell.run("train", bad, "-m", model(), "--weight=w");
    assertThat(refused.code()).isEqualTo(65);
    assertThat(refused.err()).contains("b.csv:3: a weight must be a number above 0, found '-2'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--scale=standard",
        "--scale=numbers --max-size=40",
        "--forget=100 --seed=3",
        "--gamma=2 --delta=0.4 --scale=unit",
        "-g 2 -c 10 --scale=symmetric",
        "--lambda=0.01 --output=suffix --suffix=0.3",
        "--lambda=0.01 --beta=0.5 --rho=0.5 --loss=logistic",
        "--gamma=1 --when-confident --coverage=rectangle",
        "--gamma=1 --linear=2 --prior=0.3 --kernel=matern32",
        "--gamma=1 --max-size=20 --at-limit=merge --class-weight=balanced",
        "--gamma=1 --class-weight=yes=3",
        "--learner=tree --tree-size=16 --tree-ways=2",
        "--learner=perceptron",
        "--learner=ogd --eta=0.5 --scale=unit",
        "--learner=rbp --budget=20",
        "--learner=forgetron --budget=20",
        "--learner=projectron --budget=20",
        "--learner=projectron++ --budget=20",
        "--learner=bpas --budget=20",
        "--learner=bogd --budget=20",
        "--learner=fogd --features=30",
        "--learner=nogd --budget=20",
        "--learner=bsgd-m --budget=20",
        "--learner=bsgd-r --budget=20",
        "--probability --gamma=1",
        "--no-shuffle --gamma=1",
        "--task=anomaly --support=0.2"
      })
  void whatIsPrintedGivesTheSameRunAgain(String options) throws IOException {
    String table = file("t.csv", "a,b,class\n" + rows(70, "no") + rows(70, "yes"));
    List<String> words = new ArrayList<>(List.of("train", table, "-m", model(), "-q", "--json"));
    words.addAll(Arrays.stream(options.split(" ")).filter(word -> !word.isEmpty()).toList());
    String first = out(words.toArray(String[]::new));
    Matcher again = Pattern.compile("\"again\" : \"avm (.*)\"").matcher(first);
    assertThat(again.find()).isTrue();
    List<String> printed =
        Arrays.stream((again.group(1) + " -q --json").split(" ")).collect(Collectors.toList());
    String second = out(printed.toArray(String[]::new));
    assertThat(withoutTimes(second)).isEqualTo(withoutTimes(first));
  }

  @Test
  void filesThatARunWritesAreWrittenAgain() throws IOException {
    String table = file("t.csv", "a,b,class\n" + rows(70, "no") + rows(70, "yes"));
    String[] outputs = {"--plot=" + file("p.png", ""), "--scores=" + file("s", "")};
    String again = out("online", table, "--gamma=1", "-q", outputs[0], outputs[1]);
    assertThat(again).containsPattern("again .*" + Pattern.quote(outputs[0]));
    assertThat(again).containsPattern("again .*" + Pattern.quote(outputs[1]));
  }

  /** The report without times, and without the options that only the second run was given. */
  private static String withoutTimes(String report) {
    return report
        .lines()
        .filter(line -> !line.contains("econds\""))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void tuneSaysWhenAutomaticModeIsBetter() throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder("large,small,y\n");
    for (int i = 0; i < 200; i++) {
      double x = random.nextGaussian();
      text.append(1e5 * random.nextGaussian()).append(',').append(0.01 * x).append(',');
      text.append(Math.sin(2 * x) + 0.05 * random.nextGaussian()).append('\n');
    }
    String table = file("t.csv", text.toString());
    String report = out("tune", table, "-q", "--json", "--prior=0.01");
    double automatic = number(report, "automatic");
    double best = number(report, "rmse");
    assertThat(report).doesNotContain("\"scale\" : \"none\"");
    assertThat(report.contains("--gamma")).isEqualTo(best <= automatic);
    assertThat(Math.min(best, automatic)).isLessThan(0.6);
  }

  /** Rows of a class; "no" and all that sorts before the other lies to the left. */
  private static String rows(int n, String label) {
    return rows(n, label, false);
  }

  private static String rows(int n, String label, boolean labelFirst) {
    boolean isLeft = List.of("no", "1", "<=50K").contains(label);
    Random random = new Random(label.hashCode() + n);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; i++) {
      double a = random.nextGaussian() + (isLeft ? -1.2 : 1.2);
      String row = a + "," + random.nextGaussian();
      text.append(labelFirst ? label + "," + row : row + "," + label).append('\n');
    }
    return text.toString();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String model() {
    return folder.resolve("model.avm").toString();
  }

  private static String out(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" : ([-0-9.E]+)").matcher(json);
    assertThat(found.find()).as(json).isTrue();
    return Double.parseDouble(found.group(1));
  }
}
