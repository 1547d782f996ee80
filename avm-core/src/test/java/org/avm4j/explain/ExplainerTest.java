package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;
import org.avm4j.table.Explanation;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;

class ExplainerTest {
  private static final String[] COLOURS = {"red", "red", "green", "blue"};

  private final Schema schema = new Schema();
  private final RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);

  /** A row of a number, a category that may be missing, and a date. */
  private static Map<String, Object> row(Random random) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("size", random.nextGaussian() * 3 + 10);
    row.put("colour", random.nextInt(10) == 0 ? null : COLOURS[random.nextInt(4)]);
    row.put("day", String.format("2011-%02d-%02d", 1 + random.nextInt(12), 1 + random.nextInt(28)));
    return row;
  }

  private static double label(Map<String, Object> row) {
    double size = row.get("size") == null ? 10 : (Double) row.get("size");
    return 2 * size + ("green".equals(row.get("colour")) ? 20 : 0);
  }

  /** A learner of such rows, which has seen their usual values. */
  private PreparedModel learned(Map<String, Object> options, boolean isClasses) {
    schema.declare("size", ColumnKind.NUMBER, List.of());
    schema.declare("colour", ColumnKind.CATEGORIES, List.of("red", "green", "blue"));
    schema.declare("day", ColumnKind.DATE, List.of());
    Random random = new Random(1);
    List<Features> rows = new ArrayList<>();
    List<Double> labels = new ArrayList<>();
    LearnerSpec spec = LearnerSpec.of(options);
    Survey survey = new Survey(spec.scaling());
    for (int i = 0; i < 400; i++) {
      Map<String, Object> row = row(random);
      double y = label(row);
      rows.add(encoder.encode(row).copy());
      labels.add(isClasses ? (y > 30 ? 2.0 : y > 20 ? 1.0 : 0.0) : y);
      survey.add(rows.get(i), labels.get(i));
    }
    Pipeline pipeline = new DefaultRules(spec, survey, schema, rows.size()).pipeline();
    for (int i = 0; i < rows.size(); i++) {
      pipeline.learn(rows.get(i), labels.get(i), 1);
    }
    return pipeline.snapshot();
  }

  private static Map<String, Object> options(String task) {
    return Map.of(
        "task", task, "scale", "standard", "kernel", "gaussian", "gamma", 0.1, "delta", 0.5);
  }

  private static Map<String, Double> amounts(Explanation why) {
    Map<String, Double> amounts = new LinkedHashMap<>();
    why.effects().forEach(effect -> amounts.put(effect.column(), effect.amount()));
    return amounts;
  }

  @Test
  void theAmountsOfALinearFunctionAreItsCoefficientsTimesTheDifferences() {
    Model model = FunctionModel.regression(x -> 3 * x.get(0) - 2 * x.get(1) + 7 * x.get(2) + 5);
    Features usual = Features.dense(1, 2, 0);
    Explanation why =
        new Explainer(model, new Schema(), usual).explain(Features.dense(4, 7, 0, 9), 10, 3);
    assertThat(amounts(why))
        .containsExactly(Map.entry("x2", -10.0), Map.entry("x1", 9.0), Map.entry("x4", 0.0));
    assertThat(why.score()).isEqualTo(3);
    assertThat(why.usualScore()).isEqualTo(4);
    assertThat(why.points()).isEmpty();
    assertThat(why.effects().get(1)).isEqualTo(new Explanation.Effect("x1", "4", "1", 9));
  }

  @Test
  void onlySoManyColumnsAreTold() {
    Model model = FunctionModel.regression(x -> 3 * x.get(0) - 2 * x.get(1));
    Explainer explainer = new Explainer(model, new Schema(), Features.dense(0, 0));
    assertThat(amounts(explainer.explain(Features.dense(1, 1), 1, 0))).containsOnlyKeys("x1");
  }

  @Test
  void ofTwoClassesAnAmountAboveZeroSpeaksForTheAnswer() {
    Explainer explainer =
        new Explainer(FunctionModel.binary(x -> x.get(0)), new Schema(), Features.dense(1));
    assertThat(amounts(explainer.explain(Features.dense(-3), 1, 0))).containsEntry("x1", 4.0);
    assertThat(amounts(explainer.explain(Features.dense(3), 1, 0))).containsEntry("x1", 2.0);
  }

  /** The same amounts by asking the model again with rows by column name. */
  @Test
  void aColumnIsReplacedAsIfTheRowHadItsUsualValue() {
    PreparedModel model = learned(options("regression"), false);
    Random random = new Random(2);
    for (int i = 0; i < 20; i++) {
      Map<String, Object> row = row(random);
      Features x = encoder.encode(row).copy();
      Explanation why = model.explainer().explain(x, 10, 0);
      double before = model.answer(row).label();
      double size = before - model.answer(with(row, "size", usual(model, "size"))).label();
      double colour = before - model.answer(with(row, "colour", "red")).label();
      assertThat(amounts(why).get("size")).isCloseTo(size, within(1e-9));
      assertThat(amounts(why).getOrDefault("colour", 0.0)).isCloseTo(colour, within(1e-9));
      assertThat(why.effects()).hasSizeBetween(2, 3);
      assertThat(why.score()).isEqualTo(before);
    }
  }

  private static double usual(PreparedModel model, String column) {
    return model.preparation().background().usual().orElseThrow().get(0);
  }

  private static Map<String, Object> with(Map<String, Object> row, String column, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(row);
    changed.put(column, value);
    return changed;
  }

  @Test
  void theColumnThatDecidesComesFirst() {
    PreparedModel model = learned(options("regression"), false);
    Map<String, Object> row = row(new Random(3));
    row.put("size", 10.0);
    row.put("colour", "green");
    Explanation why = model.explainer().explain(encoder.encode(row), 1, 0);
    assertThat(why.effects().get(0).column()).isEqualTo("colour");
    assertThat(why.effects().get(0).value()).isEqualTo("green");
    assertThat(why.effects().get(0).usual()).isEqualTo("red");
    assertThat(why.effects().get(0).amount()).isCloseTo(20, within(6.0));
  }

  @Test
  void missingValuesAreTold() {
    PreparedModel model = learned(options("regression"), false);
    Map<String, Object> row = row(new Random(4));
    row.put("size", null);
    row.put("colour", null);
    Explanation why = model.explainer().explain(encoder.encode(row), 10, 0);
    assertThat(why.effects())
        .filteredOn(effect -> effect.column().equals("colour"))
        .extracting(Explanation.Effect::value)
        .containsExactly("missing");
    assertThat(amounts(why).getOrDefault("size", 0.0)).isCloseTo(0, within(1e-6));
  }

  @Test
  void ofSeveralClassesTheScoreOfTheAnswerCounts() {
    PreparedModel model = learned(options("multiclass"), true);
    Random random = new Random(5);
    for (int i = 0; i < 10; i++) {
      Map<String, Object> row = row(random);
      Prediction answer = model.answer(row);
      Prediction other = model.answer(with(row, "colour", "red"));
      int place = (int) answer.label();
      double expected = answer.scores()[place] - other.scores()[place];
      Explanation why = model.explainer().explain(encoder.encode(row), 10, 2);
      assertThat(amounts(why).getOrDefault("colour", 0.0)).isCloseTo(expected, within(1e-9));
      assertThat(why.points()).hasSize(2);
    }
  }

  /** By all core points, scaled and measured one by one. */
  @Test
  void theNearestCorePointsAreNearestAfterScaling() {
    PreparedModel model = learned(options("regression"), false);
    Random random = new Random(6);
    for (int i = 0; i < 10; i++) {
      Features x = encoder.encode(row(random)).copy();
      List<Double> distances =
          model.corePoints(Integer.MAX_VALUE).stream()
              .map(point -> distance(model, x, point))
              .sorted(Comparator.naturalOrder())
              .limit(3)
              .toList();
      List<Explanation.Point> points = model.explainer().explain(x, 3, 3).points();
      for (int k = 0; k < 3; k++) {
        assertThat(points.get(k).distance()).isCloseTo(distances.get(k), within(1e-4));
        assertThat(points.get(k).values()).containsOnlyKeys("size", "colour", "day");
      }
    }
  }

  private static double distance(PreparedModel model, Features x, CorePoint point) {
    Features a = model.preparation().scaler().apply(x);
    Features b = model.preparation().scaler().apply(point.x());
    double sum = 0;
    for (int i = 0; i < Math.max(a.dimension(), b.dimension()); i++) {
      sum += Math.pow((float) a.get(i) - (float) b.get(i), 2);
    }
    return Math.sqrt(sum);
  }

  @Test
  void aCorePointAtTheRowItselfIsToldInTheUnitsOfTheData() {
    PreparedModel model = learned(options("regression"), false);
    Map<String, Object> first = row(new Random(1));
    Explanation.Point point =
        model.explainer().explain(encoder.encode(first), 3, 1).points().get(0);
    assertThat(point.distance()).isCloseTo(0, within(1e-3));
    assertThat(point.values()).containsEntry("day", (String) first.get("day"));
    assertThat(point.values()).containsEntry("colour", (String) first.get("colour"));
    assertThat(Double.parseDouble(point.values().get("size")))
        .isCloseTo((Double) first.get("size"), within(1e-3));
  }

  @Test
  void treesAndAutomaticModeAreExplainedByTheRegionsOnThePath() {
    PreparedModel model = learned(Map.of("task", "regression", "learner", "tree"), false);
    Features x = encoder.encode(row(new Random(7))).copy();
    Explanation why = model.explainer().explain(x, 3, 3);
    assertThat(why.points()).hasSize(3);
    assertThat(why.points())
        .isSortedAccordingTo(Comparator.comparingDouble(Explanation.Point::distance));
    assertThat(why.effects().get(0).column()).isIn("size", "colour");
  }

  @Test
  void anAnomalyIsExplainedByTheColumnThatIsOdd() {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    Random random = new Random(8);
    UsualValues usual = new UsualValues();
    for (int i = 0; i < 1000; i++) {
      Features x =
          Features.dense(50 + random.nextGaussian(), random.nextGaussian(), random.nextGaussian());
      usual.add(x);
      detector.learn(x, 0, 1);
    }
    Explainer explainer = new Explainer(detector.snapshot(), new Schema(), usual.row(new Schema()));
    Explanation why = explainer.explain(Features.dense(70, 0.1, -0.1), 3, 2);
    assertThat(why.effects().get(0).column()).isEqualTo("x1");
    assertThat(why.effects().get(0).amount()).isGreaterThan(0.5 * why.score());
    assertThat(why.points()).hasSize(2);
    assertThat(Double.parseDouble(why.points().get(0).values().get("x1"))).isBetween(45.0, 55.0);
  }

  @Test
  void usualValuesAreKeptInTheFile() throws Exception {
    PreparedModel model = learned(options("regression"), false);
    PreparedModel loaded = PreparedModel.of(ModelFile.parse(model.toBytes()));
    Features x = encoder.encode(row(new Random(9))).copy();
    assertThat(loaded.explainer().explain(x, 5, 2)).isEqualTo(model.explainer().explain(x, 5, 2));
    assertThat(loaded.toBytes()).isEqualTo(model.toBytes());
  }

  @Test
  void withoutUsualValuesNumbersAreHeldAgainstTheirMean() {
    PreparedModel model = learned(options("regression"), false);
    PreparedModel bare =
        new PreparedModel(
            model.preparation().withBackground(Background.UNKNOWN),
            FunctionModel.regression(x -> x.get(0)));
    Map<String, Object> row = row(new Random(10));
    Explanation why = bare.explainer().explain(encoder.encode(row), 5, 0);
    assertThat(why.effects().get(0).column()).isEqualTo("size");
    assertThat(Double.parseDouble(why.effects().get(0).usual())).isCloseTo(10, within(0.5));
    assertThat(bare.preparation().scaler().scaling()).isEqualTo(Scaling.STANDARD);
  }
}
