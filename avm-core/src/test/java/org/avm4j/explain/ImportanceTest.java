package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;

class ImportanceTest {
  /** Friedman (1991): 10 sin(π x1 x2) + 20 (x3 - 0.5)² + 10 x4 + 5 x5, and noise. */
  private static double friedman(Features x) {
    return 10 * Math.sin(Math.PI * x.get(0) * x.get(1))
        + 20 * (x.get(2) - 0.5) * (x.get(2) - 0.5)
        + 10 * x.get(3)
        + 5 * x.get(4);
  }

  private static List<Instance> friedman(int rows, int columns, long seed) {
    Random random = new Random(seed);
    List<Instance> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Features x = Features.dense(random.doubles(columns).toArray());
      all.add(new Instance(x, friedman(x) + random.nextGaussian()));
    }
    return all;
  }

  private static Map<String, Importance.Rise> byName(Importance importance) {
    return importance.columns().stream()
        .collect(Collectors.toMap(Importance.Rise::column, rise -> rise));
  }

  private static Importance measure(Model model, List<Instance> rows) {
    return Importance.measure(model, rows, new Schema(), 1, 20_000);
  }

  @Test
  void onlyTheFiveColumnsOfFriedmanMatterToAMachineThatLearnedIt() {
    Pipeline machine =
        new DefaultRules(
                LearnerSpec.of(
                    Map.of(
                        "task", "regression",
                        "update", "newton",
                        "kernel", "gaussian",
                        "gamma", 0.3,
                        "delta", 0.2,
                        "max-size", 250,
                        "at-limit", "merge")))
            .pipeline();
    friedman(2500, 10, 1).forEach(row -> machine.learn(row.features(), row.label()));
    Importance found = measure(machine.snapshot(), friedman(1000, 10, 2));
    List<String> first = found.columns().stream().limit(5).map(Importance.Rise::column).toList();
    assertThat(first).containsExactlyInAnyOrder("x1", "x2", "x3", "x4", "x5");
    assertThat(first.get(0)).isEqualTo("x4");
    assertThat(found.columns().subList(0, 5)).allMatch(Importance.Rise::matters);
    assertThat(found.columns().subList(5, 10)).allMatch(rise -> rise.rise() < 0.1 * found.error());
  }

  @Test
  void columnsThatTheModelDoesNotUseHaveExactlyNoRise() {
    Importance found =
        measure(FunctionModel.regression(ImportanceTest::friedman), friedman(500, 10, 3));
    for (int i = 6; i <= 10; i++) {
      assertThat(byName(found).get("x" + i).rise()).isZero();
      assertThat(byName(found).get("x" + i).matters()).isFalse();
    }
    assertThat(byName(found).get("x4").matters()).isTrue();
    assertThat(found.error()).isCloseTo(1, within(0.1));
  }

  /** Two independent values of a column differ by √2 deviations on average. */
  @Test
  void theRiseOfALinearFunctionIsKnown() {
    Random random = new Random(4);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      Features x =
          Features.dense(random.nextGaussian(), random.nextGaussian(), random.nextGaussian());
      rows.add(new Instance(x, 3 * x.get(0) - 2 * x.get(1)));
    }
    Importance found = measure(FunctionModel.regression(x -> 3 * x.get(0) - 2 * x.get(1)), rows);
    assertThat(found.figure()).isEqualTo("rmse");
    assertThat(found.error()).isZero();
    Importance.Rise first = byName(found).get("x1");
    Importance.Rise second = byName(found).get("x2");
    assertThat(first.rise()).isCloseTo(3 * Math.sqrt(2), within(4 * first.standardError()));
    assertThat(second.rise()).isCloseTo(2 * Math.sqrt(2), within(4 * second.standardError()));
    assertThat(first.standardError()).isBetween(0.01, 0.2);
    assertThat(byName(found).get("x3").rise()).isZero();
  }

  /** With another circle the rise differs by no more than its standard error allows. */
  @Test
  void theStandardErrorTellsHowFarOtherSeedsAreOff() {
    List<Instance> rows = friedman(800, 6, 5);
    Model model = FunctionModel.regression(ImportanceTest::friedman);
    double[] rises =
        IntStream.range(0, 20)
            .mapToDouble(
                seed ->
                    byName(Importance.measure(model, rows, new Schema(), seed, 20_000))
                        .get("x4")
                        .rise())
            .toArray();
    double mean = IntStream.range(0, 20).mapToDouble(i -> rises[i]).average().orElseThrow();
    double deviation =
        Math.sqrt(IntStream.range(0, 20).mapToDouble(i -> Math.pow(rises[i] - mean, 2)).sum() / 19);
    double told = byName(measure(model, rows)).get("x4").standardError();
    assertThat(deviation).isBetween(0.2 * told, 2 * told);
  }

  @Test
  void mistakesRiseToHalfWhenTheDecidingColumnChangesPlaces() {
    Random random = new Random(6);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Features x = Features.dense(random.nextGaussian(), random.nextGaussian());
      rows.add(new Instance(x, x.get(1) < 0 ? -1 : 1));
    }
    Importance found = measure(FunctionModel.binary(x -> x.get(1)), rows);
    assertThat(found.figure()).isEqualTo("mistakeRate");
    assertThat(found.error()).isZero();
    assertThat(byName(found).get("x2").rise()).isCloseTo(50, within(6.0));
    assertThat(byName(found).get("x1").rise()).isZero();
  }

  /** Were its features shuffled one by one, rows with two colours and none would appear. */
  @Test
  void allFeaturesOfACategoryChangePlacesTogether() {
    Schema schema = new Schema();
    RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);
    List<Instance> rows = new ArrayList<>();
    String[] colours = {"red", "green", "blue"};
    for (int i = 0; i < 300; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("size", i % 7);
      row.put("colour", colours[i % 3]);
      rows.add(new Instance(encoder.encode(row), i % 3 == 0 ? 1 : -1));
    }
    boolean[] sawOddRow = {false};
    Model model =
        FunctionModel.binary(
            x -> {
              sawOddRow[0] |= x.get(1) + x.get(2) + x.get(3) != 1;
              return x.get(1) - 0.5;
            });
    Importance found = Importance.measure(model, rows, schema, 1, 20_000);
    assertThat(found.columns())
        .extracting(Importance.Rise::column)
        .containsExactly("colour", "size");
    assertThat(found.columns().get(0).rise()).isCloseTo(44, within(10.0));
    assertThat(sawOddRow[0]).isFalse();
  }

  @Test
  void ofManyColumnsThoseThatMoveScoresAreFound() {
    Random random = new Random(7);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      Features x = Features.dense(random.doubles(200).toArray());
      rows.add(new Instance(x, 4 * x.get(17) + 2 * x.get(150)));
    }
    Importance found = measure(FunctionModel.regression(x -> 4 * x.get(17) + 2 * x.get(150)), rows);
    assertThat(found.columns()).hasSize(PermutationStudy.MOST_COLUMNS);
    assertThat(found.columns().subList(0, 2))
        .extracting(Importance.Rise::column)
        .containsExactly("x18", "x151");
    assertThat(found.rows()).isEqualTo(20_000 / PermutationStudy.MOST_COLUMNS);
  }

  @Test
  void fewerAnswersAreFewerRowsButAHundredAtLeast() {
    List<Instance> rows = friedman(800, 10, 12);
    Model model = FunctionModel.regression(ImportanceTest::friedman);
    assertThat(Importance.measure(model, rows, new Schema(), 1, 5_000).rows()).isEqualTo(500);
    assertThat(Importance.measure(model, rows, new Schema(), 1, 10).rows()).isEqualTo(200);
    List<Instance> wide = friedman(800, 35, 12);
    assertThat(Importance.measure(model, wide, new Schema(), 1, 10).rows()).isEqualTo(100);
    assertThat(Importance.measure(model, rows, new Schema(), 1, 1_000_000).rows()).isEqualTo(800);
  }

  @Test
  void regionsHaveColumnsOfTheirOwn() {
    Random random = new Random(8);
    List<Instance> rows = new ArrayList<>();
    Model model =
        FunctionModel.regression(x -> x.get(0) < 0.6 ? x.get(1) : x.get(2))
            .withRegions(x -> x.get(0) < 0.6 ? 4 : 9);
    for (int i = 0; i < 1000; i++) {
      Features x = Features.dense(random.doubles(3).toArray());
      rows.add(new Instance(x, model.predict(x)));
    }
    Importance found = measure(model, rows);
    assertThat(found.regions()).hasSize(2);
    Importance.Part larger = found.regions().get(0);
    assertThat(larger.rows()).isBetween(500, 700);
    assertThat(larger.where()).contains("x1 0.29").contains("x2 0.4");
    assertThat(names(larger)).contains("x2").doesNotContain("x3");
    assertThat(names(found.regions().get(1))).contains("x3").doesNotContain("x2");
  }

  private static List<String> names(Importance.Part region) {
    return region.columns().stream()
        .filter(Importance.Rise::matters)
        .map(Importance.Rise::column)
        .toList();
  }

  @Test
  void theSameSeedGivesTheSameDigitsAndTheSeedMatters() {
    List<Instance> rows = friedman(100, 6, 9);
    Model model = FunctionModel.regression(ImportanceTest::friedman);
    assertThat(measure(model, rows)).isEqualTo(measure(model, rows));
    assertThat(Importance.measure(model, rows, new Schema(), 2, 20_000))
        .isNotEqualTo(measure(model, rows));
  }

  @Test
  void theModelKeepsIt() throws Exception {
    List<Instance> rows = friedman(300, 6, 10);
    Model model =
        FunctionModel.regression(ImportanceTest::friedman).withRegions(x -> x.get(0) < 0.5 ? 1 : 2);
    Importance found = measure(model, rows);
    assertThat(found.regions()).hasSize(2);
    Pipeline learner =
        new DefaultRules(LearnerSpec.of(Map.of("task", "regression", "gamma", 1.0, "delta", 0.3)))
            .pipeline();
    learner.learn(rows.get(0).features(), rows.get(0).label());
    learner.note(found);
    PreparedModel loaded = PreparedModel.of(ModelFile.parse(learner.toBytes()));
    PreparedModel frozen = PreparedModel.of(ModelFile.parse(learner.snapshot().toBytes()));
    assertThat(loaded.preparation().background().importance()).contains(found);
    assertThat(frozen.preparation().background().importance()).contains(found);
  }

  @Test
  void refusesAnomaliesAndSingleRows() {
    Model detector = new AnomalyDetector(AnomalyOptions.DEFAULT).snapshot();
    List<Instance> rows = friedman(10, 5, 11);
    assertThatThrownBy(() -> measure(detector, rows)).hasMessageContaining("without labels");
    assertThatThrownBy(() -> measure(FunctionModel.regression(x -> 0), rows.subList(0, 1)))
        .hasMessageContaining("two rows");
  }
}
