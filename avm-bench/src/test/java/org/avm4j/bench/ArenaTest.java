package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.avm4j.Certainty.Interval;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arena: the same rows and rules for all, and results that survive whatever stops a run. */
class ArenaTest {
  @TempDir Path folder;

  private static Rows rows(double... labels) {
    List<Instance> list = new ArrayList<>();
    for (int t = 0; t < labels.length; t++) {
      list.add(new Instance(Features.dense(t, 0, 1), labels[t]));
    }
    return new Rows(list, Rows.classes(list));
  }

  /** Rows whose label is told by one of three features. */
  private static Rows easy(int n, boolean isRegression) {
    SplitMix random = new SplitMix(3);
    List<Instance> list = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double x = random.getAsDouble();
      Features row = Features.dense(random.getAsDouble(), x, random.getAsDouble());
      list.add(new Instance(row, isRegression ? 1 + 2 * x : x < 0.5 ? 0 : 1));
    }
    return new Rows(list, Rows.classes(list));
  }

  private static Cell cell(String order, String learner) {
    return new Cell("data", order, 1000, learner, 0, 100, Contestant.named(learner).build());
  }

  private static Result run(Rows rows, Cell cell) {
    return new CellRun(cell, rows).measure(Contestant.named(cell.learner()), 60, false);
  }

  @Test
  void yardsticksAreThoseComputedByHand() {
    Rows classes = rows(1, 1, 2, 1);
    assertThat(run(classes, cell("file", "constant")).error()).isEqualTo(50);
    assertThat(run(classes, cell("file", "no-change")).error()).isEqualTo(75);
    Result rule = run(classes, cell("file", "no-change"));
    assertThat(rule.constant()).isEqualTo(50);
    assertThat(rule.noChange()).isEqualTo(75);
    assertThat(rule.kappa(rule.noChange())).isZero();
    Rows numbers = rows(1.5, 2.5, 0.5);
    double mean = Math.sqrt((1.5 * 1.5 + 1 + 1.5 * 1.5) / 3);
    double last = Math.sqrt((1.5 * 1.5 + 1 + 4) / 3);
    assertThat(run(numbers, cell("file", "constant")).error()).isCloseTo(mean, within(1e-12));
    assertThat(run(numbers, cell("file", "no-change")).error()).isCloseTo(last, within(1e-12));
  }

  @Test
  void theWorstWindowIsThatOfAThousandRows() {
    double[] labels = IntStream.range(0, 2500).mapToDouble(t -> t < 1000 ? 0 : t % 2).toArray();
    assertThat(run(rows(labels), cell("file", "no-change")).worst()).isEqualTo(99.9);
  }

  @Test
  void labelsThatRepeatAreClassesWhereverTheyBegin() {
    assertThat(rows(2, 11, 12, 2, 11, 12).classes()).containsExactly(2, 11, 12);
    assertThat(rows(0.5, 1.25, 7).isRegression()).isTrue();
    double[] counts = IntStream.range(0, 400).mapToDouble(t -> 200 + t % 50).toArray();
    assertThat(rows(counts).isRegression()).isTrue();
    assertThat(rows(-1, 1, 1).task()).isEqualTo("binary");
  }

  /** A learner that remembers what it was asked and taught. */
  private static final class Witness implements Learner {
    private final StringBuilder seen = new StringBuilder();

    @Override
    public double predict(int t) {
      seen.append('?').append(t);
      return 1;
    }

    @Override
    public void learn(int t) {
      seen.append('!').append(t);
    }

    @Override
    public void observe(int t) {
      seen.append('.').append(t);
    }
  }

  private static String order(Cell cell, int n) {
    Witness witness = new Witness();
    Contestant who = new Contestant("witness", "core", "both", "1", rows -> witness);
    new CellRun(cell, rows(new double[n])).measure(who, 60, false);
    return witness.seen.toString();
  }

  @Test
  void aRowIsAnsweredBeforeItsLabelIsKnown() {
    assertThat(order(cell("file", "avm"), 3)).isEqualTo("?0!0?1!1?2!2");
    assertThat(order(cell("file", "avm").with(2, 100), 4)).isEqualTo("?0?1?2!0?3!1");
    assertThat(order(cell("split-1", "avm"), 5)).isEqualTo("!1!2!3!4?0");
    String some = order(cell("file", "avm").with(0, 10), 1000);
    assertThat(some.chars().filter(c -> c == '!').count()).isBetween(70L, 130L);
    assertThat(some.chars().filter(c -> c == '!' || c == '.').count()).isEqualTo(1000);
  }

  @Test
  void oneWhoAsksGetsTheShareOfLabelsAndOneWhoSkipsSeesNoMore() {
    Rows rows = easy(1500, false);
    Result asked = run(rows, cell("file", "avm-ask").with(0, 10));
    assertThat(asked.more().get("labels")).isBetween(8.0, 12.0);
    Result only = run(rows, cell("file", "avm-labels-only").with(0, 10));
    Result observing = run(rows, cell("file", "avm").with(0, 10));
    assertThat(only.more()).isEqualTo(observing.more());
    assertThat(only.digest()).isNotEqualTo(observing.digest());
  }

  @Test
  void selfTrainingLearnsItsSureAnswersAlone() {
    Rows rows = easy(400, false);
    for (double sure : new double[] {0.5, 1.1}) {
      Moa moa = new Moa(rows, "bayes.NaiveBayes", sure);
      IntStream.range(0, 100).forEach(moa::learn);
      moa.predict(200);
      double[] before = moa.votes;
      moa.observe(200);
      moa.predict(200);
      assertThat(Arrays.equals(moa.votes, before)).isEqualTo(sure > 1);
    }
  }

  @Test
  void coverageAndWidthAreThoseComputedByHand() {
    IntervalFigures figures = new IntervalFigures(0.75);
    figures.add(0, Optional.empty());
    figures.add(10, Optional.of(new Interval(8, 10)));
    figures.add(4, Optional.of(new Interval(4, 8)));
    figures.add(5, Optional.of(new Interval(0, 3)));
    Map<String, Double> all = figures.all();
    assertThat(all.get("coverage")).isEqualTo(75);
    assertThat(all.get("width")).isCloseTo(30, within(1e-12));
    assertThat(all.get("equal")).isCloseTo(30, within(1e-12));
    figures.add(2, Optional.of(new Interval(3, 5)));
    assertThat(figures.all().get("equal")).isCloseTo(2 * 100 * 2.75 / 10, within(1e-12));
  }

  @Test
  void windowsAreJudgedByTheOneFarthestFromTheLevel() {
    IntervalFigures figures = new IntervalFigures(0.9);
    for (int t = 0; t < 4000; t++) {
      double off = t < 1000 || t % 20 == 0 && t < 2000 || t >= 3000 && t < 3300 ? 2 : 0;
      figures.add(off + t % 2 * 0.5, Optional.of(new Interval(0, 1)));
    }
    assertThat(figures.all().get("window")).isEqualTo(70);
  }

  @Test
  void twoCloudsAreFoundByTheClusterersThatAreToldTheirNumber() {
    SplitMix random = new SplitMix(5);
    List<Instance> list = new ArrayList<>();
    for (int t = 0; t < 1200; t++) {
      int cloud = random.nextInt(2);
      double x = 10 * cloud + random.getAsDouble();
      list.add(new Instance(Features.dense(x, random.getAsDouble()), cloud));
    }
    Rows rows = new Rows(list, Rows.classes(list));
    for (String learner : List.of("avm-cluster", "CluStream-2", "ClusTree-2", "DenStream-0.3")) {
      Result found = run(rows, cell("file", learner));
      assertThat(found.more().get("purity")).as(learner).isGreaterThan(99);
      assertThat(found.error()).as(learner).isCloseTo(100 - found.more().get("nmi"), within(1e-9));
    }
  }

  @Test
  void generatedShapesAreTheSameAgainAndHaveTheirClasses() throws IOException {
    Streams streams = new Streams(null);
    assertThat(streams.load("moons", "file", 500).task()).isEqualTo("binary");
    assertThat(streams.load("fried", "file", 500).isRegression()).isTrue();
    Rows digits = streams.load("digits", "file", 500);
    assertThat(digits.classes()).hasSize(10);
    assertThat(digits.dimension()).isEqualTo(64);
    assertThat(new Streams(null).load("digits", "file", 500).list()).isEqualTo(digits.list());
  }

  private static Result result(String learner, int labels, double error, String more) {
    String cell = "s,file,9,%s,0,%d,b,binary,9,%s,".formatted(learner, labels, error);
    return Result.parse(cell + "2.0,3.0,4.0,5.0,6,0.0,0,false,abcdef01," + more);
  }

  @Test
  void furtherTablesAreThoseComputedByHand() {
    List<Result> results = new ArrayList<>();
    results.add(result("avm", 100, 10, ""));
    for (int share : new int[] {1, 5, 10}) {
      results.add(result("avm", share, 25, "labels=5.0"));
      results.add(result("avm-labels-only", share, 30, "labels=5.0"));
      results.add(result("ARF-10", share, 40, "labels=5.0"));
      results.add(result("ARF-10-self-training", share, 20, "labels=5.0"));
    }
    results.add(result("avm-ask", 5, 20, "labels=5.1"));
    results.add(result("avm-interval-90", 100, 1, "coverage=90.0 equal=6.0 width=6.0 window=89.0"));
    results.add(result("MVE-SOKNL-10-90", 100, 1, "coverage=95.0 equal=8.0 width=9.0 window=88.0"));
    results.add(result("avm-cluster", 100, 50, "ari=20.0 nmi=50.0 purity=70.0"));
    results.add(result("ClusTree-5", 100, 40, "ari=20.0 nmi=60.0 purity=60.0"));
    Map<String, PeerTable> tables = new FurtherTables(results).all();
    assertThat(tables.get("few-labels").column("gap closed")).containsOnly("25 %").hasSize(3);
    assertThat(tables.get("asking").column("ratio")).containsExactly(0.8);
    assertThat(tables.get("asking").column("labels")).containsExactly("5.10 %");
    assertThat(tables.get("intervals-90").column("narrowest of MOA"))
        .containsExactly("MVE-SOKNL-10-90");
    assertThat(tables.get("clusters").column("by")).containsExactly("ClusTree-5");
    PeerTable duels = tables.get("further-duels");
    assertThat(duels.column("median ratio")).containsExactly(25 / 30.0, 0.625, 1.25, 0.8, 0.75);
    assertThat(duels.column("lower")).containsExactly(3L, 3L, 0L, 1L, 1L);
  }

  @Test
  void moaSeesTheSameRows() {
    List<Instance> list =
        List.of(
            new Instance(Features.dense(0.5, 0, 2), 3),
            new Instance(Features.dense(0, 0, 0, 7), 9),
            new Instance(Features.dense(1), 3),
            new Instance(Features.dense(1), 9));
    Rows rows = new Rows(list, Rows.classes(list));
    Moa moa = new Moa(rows, "trees.HoeffdingTree");
    for (int t = 0; t < rows.size(); t++) {
      for (int i = 0; i < rows.dimension(); i++) {
        assertThat(moa.instances[t].value(i)).isEqualTo(rows.features(t).get(i));
      }
      assertThat(rows.decoded(moa.instances[t].classValue())).isEqualTo(rows.label(t));
      moa.learn(t);
    }
    assertThat(moa.predict(0)).isIn(3.0, 9.0);
    assertThat(moa.bytes()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yardstick", "core", "slow", "without", "labels", "interval"})
  void everyoneRunsAndLearnsWhatAThresholdDecides(String group) {
    Rows classes = easy(120, false);
    Rows numbers = easy(120, true);
    for (String name : Contestant.names(group)) {
      for (Rows rows : List.of(classes, numbers)) {
        if (Contestant.named(name).takes(rows, "file")) {
          Result result = run(rows, cell("file", name));
          assertThat(result.rows()).isEqualTo(120);
          assertThat(result.error()).as(name).isBetween(0.0, 1e9);
          if (group.equals("without") && !rows.isRegression()) {
            assertThat(result.error()).as(name).isLessThan(40);
          }
        }
      }
    }
  }

  @Test
  void theLinearYardstickFindsALine() {
    Rows rows = easy(400, true);
    LeastSquares line = new LeastSquares(rows);
    IntStream.range(0, 300).forEach(line::learn);
    for (int t = 300; t < 400; t++) {
      assertThat(line.predict(t)).isCloseTo(rows.label(t), within(0.05));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"avm-train", "avm-train-one", "XGBoost"})
  void tablesAreLearnedWholeBeforeTheFirstAnswer(String learner) {
    assertThat(run(easy(250, false), cell("split-1", learner)).error()).isLessThan(10);
    assertThat(run(easy(250, true), cell("split-1", learner)).error()).isLessThan(0.3);
  }

  @Test
  void ourAnswersHaveTheSameDigitsAgain() {
    Rows rows = easy(150, false);
    Result first = run(rows, cell("file", "avm"));
    assertThat(run(rows, cell("file", "avm")).digest()).isEqualTo(first.digest());
    assertThat(run(rows, cell("file", "sgd-500")).digest()).isNotEqualTo(first.digest());
  }

  @Test
  void aTornLineIsLeftOutAndARunGoesOn() throws IOException {
    Path file = folder.resolve("results.csv");
    Result first = run(rows(1, 2, 1, 2), cell("file", "constant"));
    Result second = run(rows(1, 2, 1, 2), cell("file", "no-change"));
    try (ResultFile results = new ResultFile(file)) {
      results.add(first);
    }
    Files.writeString(file, second.line().substring(0, 30), StandardOpenOption.APPEND);
    assertThat(ResultFile.read(file).values()).containsExactly(first);
    try (ResultFile results = new ResultFile(file)) {
      assertThat(results.get(first.cell())).isEqualTo(first);
      assertThat(results.get(second.cell())).isNull();
      results.add(second);
    }
    assertThat(ResultFile.read(file).values()).containsExactly(first, second);
    assertThat(Files.readAllLines(file)).hasSize(3).first().isEqualTo(Result.HEADER);
  }

  @Test
  void aCellThatWasCutIsMeasuredAgainUnderALargerLimit() {
    String line =
        "s,file,9,avm,0,100,b,binary,9,1.0,2.0,3.0,4.0,5.0,6,0.0,60,false,abcdef01,labels=5.0";
    Result cut = Result.parse(line);
    assertThat(cut.line()).isEqualTo(line);
    assertThat(cut.isEnough(60, false)).isTrue();
    assertThat(cut.isEnough(61, false)).isFalse();
    assertThat(cut.isEnough(60, true)).isFalse();
  }

  @Test
  void aFileThatIsDroppedInJoinsAndNothingIsMeasuredTwice() throws Exception {
    String text = "1 1:1\n2 2:1\n".repeat(40);
    Files.writeString(folder.resolve("one.libsvm"), text);
    assertThat(new Streams(folder).files()).containsExactly("one");
    Files.writeString(folder.resolve("two.libsvm"), text);
    Files.writeString(folder.resolve("two.t.libsvm"), text);
    Streams streams = new Streams(folder);
    assertThat(streams.files()).containsExactly("one", "two");
    assertThat(streams.load("two", "file", 1000).size()).isEqualTo(160);
    Path results = folder.resolve("results.csv");
    String[] words = {
      "--data",
      folder.toString(),
      "--results",
      results.toString(),
      "--out",
      folder.toString(),
      "--streams",
      "one,two",
      "--orders",
      "file,shuffle-1",
      "--learners",
      "constant,linear"
    };
    Arena.main(words);
    List<String> lines = Files.readAllLines(results);
    assertThat(lines).hasSize(1 + 8);
    Arena.main(words);
    assertThat(Files.readAllLines(results)).isEqualTo(lines);
    assertThat(folder.resolve("arena.html")).content().contains("<h1>Arena</h1>", "<svg");
  }

  @ParameterizedTest
  @ValueSource(strings = {"few", "asking", "intervals", "clusters", "shapes"})
  void plansNameLearnersAndOrdersThatExist(String plan) {
    CellPlan cells = new CellPlan(new Streams(null), 1000);
    List<String> blocks = CellPlan.shuffled(Resource.plan(plan), 2);
    List<String> learners = Resource.plan(plan + "-learners");
    assertThat(cells.cross(new LinkedHashSet<>(), blocks, learners))
        .hasSize(blocks.size() * learners.size())
        .allMatch(cell -> cell.order().matches("file|shuffle-[12]"));
  }

  @Test
  void ranksAndDuelsAreThoseComputedByHand() {
    List<Result> results = new ArrayList<>();
    double[][] errors = {{1, 2, 3}, {2, 2, 4}, {3, 1, 1}};
    String[] names = {"avm", "ARF-10", "kNN"};
    for (int s = 0; s < 3; s++) {
      for (int i = 0; i < 3; i++) {
        Cell cell = new Cell("s" + s, "file", 9, names[i], 0, 100, "b");
        results.add(
            new Result(
                cell,
                "binary",
                9,
                errors[s][i],
                50,
                50,
                1,
                1,
                1,
                0,
                0,
                false,
                "abcdef01",
                Map.of()));
      }
    }
    Standings standings = new Standings(results);
    Map<String, Double> ranks = standings.ranks(List.of(names));
    assertThat(ranks.get("avm")).isCloseTo((1 + 1.5 + 3) / 3, within(1e-12));
    assertThat(ranks.get("ARF-10")).isCloseTo((2 + 1.5 + 1.5) / 3, within(1e-12));
    assertThat(ranks.keySet()).first().isEqualTo("ARF-10");
    assertThat(standings.duels("avm", "ARF-10"))
        .extracting(Standings.Duel::ratio)
        .containsExactly(0.5, 1.0, 3.0);
    double expected = 2.343 * Math.sqrt(3 * 4 / 18.0);
    assertThat(standings.criticalDifference(List.of(names))).isCloseTo(expected, within(1e-12));
  }

  @Test
  void whatNobodyKnowsIsRefused() {
    assertThatThrownBy(() -> Contestant.named("nobody")).hasMessageContaining("must be one of");
    assertThatThrownBy(() -> new Streams(folder).load("nothing", "file", 9))
        .hasMessageContaining("a stream must be");
    assertThatThrownBy(() -> new Arguments(new String[] {"--row", "3"}, List.of("rows")))
        .hasMessageContaining("expected --NAME VALUE");
    assertThatThrownBy(
            () -> new Arguments(new String[] {"--rows", "0"}, List.of("rows")).number("rows", 5))
        .hasMessageContaining("--rows must be a whole number, at least 1: 0");
  }

  @Test
  void tablesAreWrittenAsMarkdownCsvAndHtml() {
    PeerTable table = new PeerTable("a, b").add("x, y", 0.5).add("z", 1234567);
    assertThat(table.markdown())
        .isEqualTo("| a | b |\n|---|---|\n| x, y | 0.5000 |\n| z | 1,234,567 |\n");
    assertThat(table.csv()).isEqualTo("a,b\n\"x, y\",0.5\nz,1234567\n");
    assertThat(table.html()).contains("<tr><td>z</td><td>1,234,567</td></tr>");
  }

  @Test
  void aBrokenFileIsNamedAndTheOthersAreMeasured() throws Exception {
    Files.writeString(folder.resolve("good.libsvm"), "1 1:2\n-1 1:3\n".repeat(20));
    Files.writeString(folder.resolve("broken.libsvm"), "1 1:2\n1 one:3\n");
    Path results = folder.resolve("results.csv");
    String[] words = {
      "--data",
      folder.toString(),
      "--learners",
      "constant",
      "--streams",
      "broken,good",
      "--results",
      results.toString(),
      "--out",
      folder.resolve("out").toString()
    };
    assertThatThrownBy(() -> Arena.main(words)).hasMessageContaining("[broken]");
    assertThat(Files.readString(results)).contains("good,file").doesNotContain("broken,file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--streams nosuch",
        "--learners nosuch",
        "--orders sideways",
        "--rows many",
        "--delay -1"
      })
  void aWrongOptionIsToldBeforeAnythingIsMeasured(String option) throws Exception {
    Files.writeString(folder.resolve("good.libsvm"), "1 1:2\n");
    Path results = folder.resolve("results.csv");
    String common = "--streams good --data " + folder + " --results " + results + " ";
    assertThatThrownBy(() -> Arena.main((common + option).split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option.substring(option.indexOf(' ') + 1));
    assertThat(results).doesNotExist();
  }
}
