package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Output;
import org.avm4j.Prediction;
import org.avm4j.Update;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ONNX Runtime answers as the model does. */
@Tag("slow")
class OnnxExportTest {
  private static final int BATCH = 512;

  static List<Kernel> kernels() {
    return List.of(
        Kernel.gaussian(8),
        Kernel.laplacian(2),
        Kernel.rationalQuadratic(8),
        Kernel.matern32(3),
        Kernel.matern52(3));
  }

  private static AvmOptions.Builder newton(AvmOptions.Builder options, Kernel kernel, int linear) {
    return options
        .kernel(kernel)
        .coverage(Coverage.sphere(0.15))
        .update(Update.newton(0.1, linear));
  }

  private static PreparedModel bare(Model model) {
    return new PreparedModel(Preparation.none(), model);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyKernelGivesTheSameScores(Kernel kernel) throws OrtException {
    Avm binary = new Avm(newton(AvmOptions.binary(), kernel, -1).build());
    List<Instance> rows = Streams.signs(600, 1);
    agrees(bare(Streams.learned(binary, rows).snapshot()), rows, 2e-5);
  }

  @Test
  void severalClassesTakeTheLargestScore() throws OrtException {
    Avm learner = new Avm(newton(AvmOptions.multiclass(), Kernel.gaussian(8), 3).build());
    List<Instance> rows = Streams.spirals(900, 4, 2);
    agrees(bare(Streams.learned(learner, rows).snapshot()), rows, 2e-5);
  }

  @Test
  void probabilitiesMayBeASoftmax() throws OrtException {
    Avm learner = new Avm(newton(AvmOptions.multiclass(), Kernel.gaussian(8), 3).build());
    List<Instance> rows = Streams.spirals(900, 4, 2);
    PreparedModel plain = bare(Streams.learned(learner, rows).snapshot());
    PreparedModel model = plain.calibrated(Calibration.softmax(plain.classes(), 1.7));
    assertThat(model.answer(rows.get(0).features()).probabilities()).hasSize(4);
    agrees(model, rows, 2e-5);
  }

  @Test
  void theAverageOfSgdIsExportedAsItAnswers() throws OrtException {
    AvmOptions options =
        AvmOptions.binary()
            .kernel(Kernel.gaussian(8))
            .coverage(Coverage.sphere(0.3))
            .output(Output.average())
            .regularization(1e-3)
            .build();
    List<Instance> rows = Streams.signs(800, 3);
    agrees(bare(Streams.learned(new Avm(options), rows).snapshot()), rows, 1e-4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void regressionComesBackToTheScaleOfTheData(boolean isMixed) throws OrtException {
    List<Instance> rows = Streams.waves(800, 4);
    ScalerFit fit = new ScalerFit(Scaling.STANDARD);
    rows.forEach(row -> fit.observe(row.features()));
    Metric metric = isMixed ? Metric.of(new double[][] {{1, 0.5}, {-0.3, 0.8}}) : Metric.NONE;
    Scaler scaler = fit.scaler().weighted(metric);
    Preparation preparation = new Preparation(new Schema(), scaler, new Labels.Standard(40, 7));
    AvmOptions options =
        newton(AvmOptions.regression(), Kernel.gaussian(1), 2)
            .loss(Loss.epsilonInsensitive(0.01))
            .build();
    Pipeline learner = Streams.learned(new Pipeline(preparation, new Avm(options)), rows);
    PreparedModel model = learner.snapshot();
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      double[] found = (double[]) runtime.run(features(rows)).get("prediction");
      for (int r = 0; r < rows.size(); r++) {
        assertThat(found[r]).isCloseTo(model.predict(rows.get(r).features()), within(1e-4));
      }
    }
  }

  @Test
  void aTreeSendsEveryRowAlongItsPath() throws OrtException {
    AvmOptions machine =
        newton(AvmOptions.multiclass(), Kernel.gaussian(6), -1).maxSize(30, Limit.MERGE).build();
    AvmTree tree = new AvmTree(TreeOptions.of(machine));
    List<Instance> rows = Streams.spirals(4000, 3, 5);
    Streams.learned(tree, rows);
    PreparedModel model = bare(tree.snapshot());
    assertThat(regions(model)).isGreaterThan(8);
    agrees(model, rows, 2e-4);
  }

  private static int regions(PreparedModel model) {
    ModelForm.Tree tree = (ModelForm.Tree) model.inspect(OpenModel.class).orElseThrow().form();
    return count(tree.root().orElseThrow());
  }

  private static int count(ModelForm.Node node) {
    return 1 + node.children().stream().mapToInt(OnnxExportTest::count).sum();
  }

  @Test
  void automaticModeScalesTwiceAndMixesItsTreeWithTheLiveMachine() throws OrtException {
    PreparedModel model = Streams.automatic();
    assertThat(model.preparations()).hasSizeGreaterThanOrEqualTo(2);
    agrees(model, Streams.signs(2000, 6), 1e-3);
  }

  @Test
  void aMeanIsThatOfItsMembers() throws OrtException {
    List<Instance> rows = Streams.spirals(2100, 3, 8);
    agrees(Streams.mean(rows), rows.subList(0, 500), 1e-3);
    List<Instance> waves = Streams.waves(600, 9);
    PreparedModel mean = Streams.mean(waves);
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(mean))) {
      double[] found = (double[]) runtime.run(features(waves)).get("prediction");
      for (int r = 0; r < waves.size(); r++) {
        assertThat(found[r]).isCloseTo(mean.predict(waves.get(r).features()), within(1e-2));
      }
    }
  }

  @Test
  void boostedTreesStandBesideMachines() throws OrtException {
    List<Instance> rows = Streams.spirals(600, 3, 8);
    Avm classes = new Avm(AvmOptions.multiclass().update(Update.newton(0.1, 3)).build());
    agrees(Streams.besideTrees(rows, classes), rows, 1e-4);
    List<Instance> signs = Streams.signs(600, 6);
    Avm two = new Avm(AvmOptions.binary().update(Update.newton(0.1, 3)).build());
    agrees(Streams.besideTrees(signs, two), signs, 1e-4);
    List<Instance> waves = Streams.waves(600, 9);
    Avm numbers = new Avm(AvmOptions.regression().update(Update.newton(0.1, 3)).build());
    PreparedModel mean = Streams.besideTrees(waves, numbers);
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(mean))) {
      double[] found = (double[]) runtime.run(features(waves)).get("prediction");
      for (int r = 0; r < waves.size(); r++) {
        assertThat(found[r]).isCloseTo(mean.predict(waves.get(r).features()), within(1e-3));
      }
    }
  }

  @Test
  void anAnomalyIsAsFarOut() throws OrtException {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT.withMaxSize(60));
    SplittableRandom random = new SplittableRandom(7);
    List<Features> rows = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      rows.add(Features.dense(random.nextDouble(), 100 * random.nextDouble(), 3, 0));
    }
    rows.forEach(detector::learn);
    rows.add(Features.dense(5, 50, 3, 0));
    rows.add(Features.dense(0.5, 50, 4, 0));
    rows.add(Features.dense(0.5, 50, 0, 1));
    rows.add(Features.dense(0.5, -1e7, 3, 1e-9));
    PreparedModel model = bare(detector.snapshot());
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      Map<String, Object> found = runtime.run(rows);
      for (int r = 0; r < rows.size(); r++) {
        Prediction answer = model.answer(rows.get(r));
        double score = ((double[][]) found.get("scores"))[r][0];
        assertThat(score).isCloseTo(answer.scores()[0], within(1e-5 * (1 + answer.scores()[0])));
        assertThat((double) ((long[]) found.get("label"))[r]).isEqualTo(answer.label());
      }
    }
  }

  /** Rows with numbers and texts, some of them missing, of a column that is named label, too. */
  private static List<Map<String, Object>> table(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] colours = {"red", "blue", "green"};
    List<Map<String, Object>> table = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("age", random.nextInt(10) == 0 ? null : (Object) (20 + 40 * random.nextDouble()));
      row.put("colour", random.nextInt(10) == 0 ? null : colours[random.nextInt(3)]);
      row.put("label", random.nextDouble());
      row.put("town", "t" + random.nextInt(20));
      table.add(row);
    }
    return table;
  }

  private static String answer(Map<String, Object> row) {
    boolean isOld = row.get("age") instanceof Double age && age > 40;
    return "red".equals(row.get("colour")) ? "maybe" : isOld ? "yes" : "no";
  }

  @Test
  void aTableWithTextsIsTakenAsItIs() throws OrtException {
    Preparation preparation = Preparation.none();
    AvmOptions options = newton(AvmOptions.multiclass(), Kernel.gaussian(0.2), 0).build();
    List<Map<String, Object>> table = table(1500, 8);
    ScalerFit fit = new ScalerFit(Scaling.STANDARD);
    Pipeline first = new Pipeline(preparation, new Avm(options));
    for (Map<String, Object> row : table) {
      fit.observe(new RowEncoder(preparation.schema(), Missing.MEAN).encode(row));
    }
    Pipeline learner =
        new Pipeline(
            first.preparation().withScaler(fit.scaler()),
            new Avm(options),
            new Calibrator(),
            ClassPrior.none());
    table.forEach(row -> learner.learn(row, answer(row), 1));
    List<Map<String, Object>> asked = table(500, 9);
    asked.get(0).put("colour", "never seen");
    PreparedModel model = learner.snapshot();
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      Map<String, Object> found = runtime.runColumns(columns(asked));
      assertThat(found).containsOnlyKeys("label_", "scores", "probabilities");
      for (int r = 0; r < asked.size(); r++) {
        Prediction answer = model.answer(asked.get(r));
        assertThat(((String[]) found.get("label_"))[r]).isEqualTo(model.labelText(answer));
        near(((double[][]) found.get("scores"))[r], answer.scores(), 1e-5);
        near(((double[][]) found.get("probabilities"))[r], answer.probabilities(), 1e-5);
      }
    }
  }

  private static Map<String, Object> columns(List<Map<String, Object>> table) {
    int n = table.size();
    Map<String, Object> columns = new LinkedHashMap<>();
    for (String name : List.of("age", "label")) {
      double[][] numbers = new double[n][1];
      for (int r = 0; r < n; r++) {
        numbers[r][0] = table.get(r).get(name) instanceof Double value ? value : Double.NaN;
      }
      columns.put(name, numbers);
    }
    for (String name : List.of("colour", "town")) {
      String[][] texts = new String[n][1];
      for (int r = 0; r < n; r++) {
        texts[r][0] = table.get(r).get(name) instanceof String value ? value : "";
      }
      columns.put(name, texts);
    }
    return columns;
  }

  @Test
  void theMetadataTellWhereTheModelComesFrom() throws OrtException {
    Avm learner = new Avm(newton(AvmOptions.binary(), Kernel.gaussian(8), -1).build());
    PreparedModel model = bare(Streams.learned(learner, Streams.signs(300, 1)).snapshot());
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      var metadata = runtime.session().getMetadata();
      assertThat(metadata.getProducerName()).isEqualTo("AVM for Java");
      assertThat(metadata.getDescription()).contains("'binary'", "300 instances");
      assertThat(metadata.getCustomMetadata())
          .containsEntry("setting.kernel", "gaussian")
          .containsEntry("setting.gamma", "8.0")
          .containsEntry("classes", "-1 1");
    }
    assertThat(OnnxExport.toBytes(model)).isEqualTo(OnnxExport.toBytes(model));
  }

  @Test
  void aModelThatKnowsNothingIsRefused() {
    PreparedModel empty = bare(new Avm(AvmOptions.binary().build()).snapshot());
    assertThatThrownBy(() -> OnnxExport.toBytes(empty)).hasMessageContaining("learned nothing yet");
    OnlineLearner detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    assertThatThrownBy(() -> OnnxExport.toBytes(bare(detector.snapshot())))
        .hasMessageContaining("learned nothing yet");
  }

  @Test
  void everyLabelOfIjcnn1IsTheSameButForTies() throws Exception {
    AvmOptions options =
        AvmOptions.binary()
            .kernel(Kernel.gaussian(1))
            .coverage(Coverage.sphere(0.5))
            .update(Update.newton())
            .maxSize(300, Limit.MERGE)
            .build();
    Avm learner = Streams.learned(new Avm(options), Streams.data("ijcnn1", 0, 10_000));
    List<Instance> rows = Streams.data("ijcnn1.t", 0, Integer.MAX_VALUE);
    assertThat(rows).hasSize(91_701);
    assertThat(differences(bare(learner.snapshot()), rows, 5e-5)).isLessThanOrEqualTo(1);
  }

  @Test
  void everyLabelOf50000RowsOfCovtypeIsTheSameButForTies() throws Exception {
    List<Instance> rows = Streams.data("covtype", 0, 55_000);
    ScalerFit fit = new ScalerFit(Scaling.STANDARD);
    rows.subList(0, 5000).forEach(row -> fit.observe(row.features()));
    AvmOptions options =
        AvmOptions.multiclass()
            .kernel(Kernel.gaussian(0.05))
            .coverage(Coverage.sphere(4))
            .update(Update.newton())
            .maxSize(150, Limit.MERGE)
            .build();
    Preparation preparation = new Preparation(new Schema(), fit.scaler(), new Labels.Plain());
    Pipeline learner =
        new Pipeline(preparation, new Avm(options), new Calibrator(), ClassPrior.none());
    Streams.learned(learner, rows.subList(0, 5000));
    assertThat(differences(learner.snapshot(), rows.subList(5000, 55_000), 5e-5))
        .isLessThanOrEqualTo(5);
  }

  private static List<Features> features(List<Instance> rows) {
    return rows.stream().map(Instance::features).toList();
  }

  /** All labels are the same; scores and probabilities are as near as that. */
  private static void agrees(PreparedModel model, List<Instance> rows, double tolerance)
      throws OrtException {
    assertThat(differences(model, rows, tolerance)).isZero();
  }

  /** The number of rows whose label differs; each of them is a tie to the precision of floats. */
  private static int differences(PreparedModel model, List<Instance> rows, double tolerance)
      throws OrtException {
    int differ = 0;
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      for (int from = 0; from < rows.size(); from += BATCH) {
        List<Instance> batch = rows.subList(from, Math.min(rows.size(), from + BATCH));
        Map<String, Object> found = runtime.run(features(batch));
        for (int r = 0; r < batch.size(); r++) {
          Prediction answer = model.answer(batch.get(r).features());
          near(((double[][]) found.get("scores"))[r], answer.scores(), tolerance);
          if (answer.isCalibrated()) {
            near(((double[][]) found.get("probabilities"))[r], answer.probabilities(), tolerance);
          }
          if (((long[]) found.get("label"))[r] != answer.label()) {
            differ++;
            assertThat(lead(answer.scores())).isLessThan(2 * tolerance);
          }
        }
      }
    }
    return differ;
  }

  /** How far the best score is from being another one. */
  private static double lead(double[] scores) {
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    return last == 0 ? Math.abs(sorted[0]) : sorted[last] - sorted[last - 1];
  }

  private static void near(double[] found, double[] expected, double tolerance) {
    assertThat(found).hasSameSizeAs(expected);
    for (int c = 0; c < found.length; c++) {
      if (!(Math.abs(found[c] - expected[c]) <= tolerance)) {
        assertThat(found[c]).isCloseTo(expected[c], within(tolerance));
      }
    }
  }
}
