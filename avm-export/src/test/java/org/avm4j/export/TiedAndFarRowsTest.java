package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Prediction;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows between regions, and rows that a model knows nothing of, have the same answer everywhere.
 */
class TiedAndFarRowsTest {
  private static final int FEATURES = 24;

  @TempDir Path folder;

  private static AvmOptions machine(AvmOptions.Builder task, int size) {
    return task.kernel(Kernel.gaussian(0.3))
        .coverage(Coverage.sphere(0.5))
        .update(Update.newton(0.1))
        .maxSize(size, Limit.MERGE)
        .build();
  }

  /** Rows of zeros and ones, one in three of them ones; the label is a parity of six features. */
  private static List<Instance> bits(int rows, double one, long seed) {
    return bits(rows, FEATURES, 3, 0, one, seed);
  }

  private static List<Instance> bits(
      int rows, int features, int rarity, double zero, double one, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Instance> all = new ArrayList<>();
    for (int r = 0; r < rows; r++) {
      double[] x = new double[features];
      int ones = 0;
      for (int i = 0; i < features; i++) {
        boolean isOne = random.nextInt(rarity) == 0;
        x[i] = isOne ? one : zero;
        ones += isOne && i < 6 ? 1 : 0;
      }
      all.add(new Instance(Features.dense(x), ones % 2 == 0 ? 1 : -1));
    }
    return all;
  }

  /** A third and a seventh are no floats: equal distances are sums of other roundings. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 1 / 3.0, 1 / 7.0})
  void aRowBetweenRegionsGoesToTheFirst(double one) throws OrtException {
    List<Instance> rows = bits(6000, one, 1);
    agrees(tree(rows), rows, 1e-4);
  }

  /** Far from the origin a square as a sum of products has few digits left. */
  @Test
  void aRowBetweenRegionsThatAreFarFromTheOriginGoesToTheFirst() throws OrtException {
    List<Instance> rows = bits(6000, FEATURES, 3, 10_000, 10_001, 1);
    agrees(tree(rows), rows, 1e-4);
  }

  /** Few rows are multiplied by the features alone that they have. */
  @Test
  void fewSparseRowsAreAnsweredAsMany() throws OrtException {
    List<Instance> rows = bits(6000, 100, 8, 0, 1, 1);
    PreparedModel model = tree(rows);
    agrees(model, rows, 1e-4);
    List<Features> asked = new ArrayList<>(List.of(Features.dense(), Features.dense(0, 1)));
    rows.subList(0, 100).forEach(row -> asked.add(row.features()));
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      for (int count : new int[] {1, 2, 8, 9}) {
        for (int from = 0; from + count < asked.size(); from += count) {
          List<Features> few = asked.subList(from, from + count);
          double[][] found = (double[][]) runtime.run(few).get("scores");
          for (int r = 0; r < count; r++) {
            assertThat(found[r][0]).isCloseTo(model.score(few.get(r))[0], within(1e-4));
          }
        }
      }
    }
  }

  private static PreparedModel tree(List<Instance> rows) {
    AvmOptions root = machine(AvmOptions.binary(), 32);
    AvmTree tree = Streams.learned(new AvmTree(new TreeOptions(root, 16, 6, 4000)), rows);
    assertThat(tree.shape().leaves()).hasSizeGreaterThan(8);
    return new PreparedModel(Preparation.none(), tree.snapshot());
  }

  private static void agrees(PreparedModel model, List<Instance> rows, double tolerance)
      throws OrtException {
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      for (int from = 0; from < rows.size(); from += 500) {
        List<Instance> batch = rows.subList(from, from + 500);
        Map<String, Object> found = runtime.run(batch.stream().map(Instance::features).toList());
        for (int r = 0; r < batch.size(); r++) {
          double score = ((double[][]) found.get("scores"))[r][0];
          double expected = model.score(batch.get(r).features())[0];
          assertThat(score).isCloseTo(expected, within(tolerance));
        }
      }
    }
  }

  private static Pipeline pipeline(Scaler scaler, Avm learner) {
    Preparation preparation = new Preparation(new Schema(), scaler, new Labels.Plain());
    return new Pipeline(preparation, learner, null, ClassPrior.counting());
  }

  /** A learner of three classes, each around a place of its own; class 2 is the most frequent. */
  private static Pipeline threeClasses() {
    Pipeline learner = pipeline(Scaler.none(), new Avm(machine(AvmOptions.multiclass(), 50)));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 300; i++) {
      int label = i % 4 < 2 ? 2 : i % 4 == 2 ? 1 : 3;
      learner.learn(Features.dense(label + random.nextDouble() / 2, random.nextDouble()), label);
    }
    return learner;
  }

  /** Places up to a hundred widths away in all directions. */
  private static List<Features> far() {
    List<Features> rows = new ArrayList<>();
    for (double d : new double[] {20, 25, 40, 100}) {
      rows.add(Features.dense(d, 0));
      rows.add(Features.dense(-d, 0));
      rows.add(Features.dense(2, d));
      rows.add(Features.dense(1, -d));
    }
    return rows;
  }

  @Test
  void aRowFarFromAllCorePointsIsOfTheMostFrequentOfSeveralClasses() throws Exception {
    Pipeline learner = threeClasses();
    PreparedModel model = learner.snapshot();
    PreparedModel loaded = PreparedModel.load(saved(learner));
    svm_model exported = libsvm(model);
    Map<String, Object> onnx = onnx(model);
    for (int r = 0; r < far().size(); r++) {
      Features x = far().get(r);
      assertThat(learner.predict(x)).isEqualTo(2);
      assertThat(learner.answer(x).label()).isEqualTo(2);
      assertThat(model.predict(x)).isEqualTo(2);
      assertThat(model.answer(x).isFar()).isTrue();
      assertThat(loaded.answer(x).label()).isEqualTo(2);
      assertThat(((long[]) onnx.get("label"))[r]).isEqualTo(2);
      assertThat(svm.svm_predict(exported, nodes(x))).isEqualTo(2);
    }
    assertThat(model.predict(Features.dense(1.2, 0.5))).isEqualTo(1);
    assertThat(model.answer(Features.dense(1.2, 0.5)).isFar()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aRowFarFromAllCorePointsIsOfTheMoreFrequentOfTwoClasses(int frequent) throws Exception {
    Pipeline learner = pipeline(Scaler.none(), new Avm(machine(AvmOptions.binary(), 50)));
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 300; i++) {
      int label = i % 3 == 0 ? -frequent : frequent;
      learner.learn(Features.dense(label + random.nextDouble(), random.nextDouble()), label);
    }
    PreparedModel model = learner.snapshot();
    svm_model exported = libsvm(model);
    Map<String, Object> onnx = onnx(model);
    for (int r = 0; r < far().size(); r++) {
      Features x = far().get(r);
      assertThat(model.predict(x)).isEqualTo(frequent);
      assertThat(((long[]) onnx.get("label"))[r]).isEqualTo(frequent);
      assertThat(svm.svm_predict(exported, nodes(x))).isEqualTo(frequent);
    }
  }

  /** Numbers around 50, whose mean is 50. */
  private static List<Instance> numbers() {
    SplittableRandom random = new SplittableRandom(6);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double x = random.nextDouble();
      rows.add(new Instance(Features.dense(x, random.nextDouble()), 50 + Math.sin(6 * x)));
    }
    return rows;
  }

  @Test
  void aNumberFarFromAllCorePointsIsTheMeanOfTheLabels() throws Exception {
    Preparation centred =
        new Preparation(new Schema(), Scaler.none(), new Labels.Standard(50.25, 0.7));
    Avm machine = new Avm(machine(AvmOptions.regression(), 50));
    Pipeline learner = new Pipeline(centred, machine, null, ClassPrior.counting());
    assertNumbersFar(Streams.learned(learner, numbers()), 50.25);
  }

  /** The paper's step centres nothing. */
  @Test
  void withoutAMeanANumberFarFromAllCorePointsIsZero() throws Exception {
    AvmOptions options = machine(AvmOptions.regression(), 50).change().update(Update.sgd()).build();
    assertNumbersFar(Streams.learned(pipeline(Scaler.none(), new Avm(options)), numbers()), 0);
  }

  private void assertNumbersFar(Pipeline learner, double expected) throws Exception {
    PreparedModel model = learner.snapshot();
    PreparedModel loaded = PreparedModel.load(saved(learner));
    svm_model exported = libsvm(model);
    double[] onnx = (double[]) onnx(model).get("prediction");
    for (int r = 0; r < far().size(); r++) {
      Features x = far().get(r);
      assertThat(learner.answer(x).isFar()).isTrue();
      assertThat(model.answer(x).isFar()).isTrue();
      assertThat(loaded.answer(x).isFar()).isTrue();
      for (double found :
          new double[] {
            learner.predict(x),
            model.answer(x).label(),
            loaded.predict(x),
            onnx[r],
            svm.svm_predict(exported, nodes(x))
          }) {
        assertThat(found).isCloseTo(expected, within(1e-12));
      }
    }
    assertThat(model.answer(Features.dense(0.5, 0.5)).isFar()).isFalse();
    for (ReaderProgram program : ReaderProgram.values()) {
      program.assertScores(model, far(), folder, 1e-12);
    }
  }

  /** Of a mean every member must know nothing. */
  @Test
  void aMeanTellsNumbersThatAreFar() throws OrtException {
    Preparation centred =
        new Preparation(new Schema(), Scaler.none(), new Labels.Standard(50.25, 0.7));
    AvmOptions options = machine(AvmOptions.regression(), 50);
    Avm linear = new Avm(options.change().update(Update.newton(0.1, 2)).build());
    PreparedModel one =
        Streams.learned(new Pipeline(centred, new Avm(options)), numbers()).snapshot();
    PreparedModel other = Streams.learned(new Pipeline(centred, linear), numbers()).snapshot();
    PreparedModel mean = PreparedModel.mean(List.of(one, one), new double[] {0.5, 0.5});
    PreparedModel half = PreparedModel.mean(List.of(one, other), new double[] {0.5, 0.5});
    double[] onnx = (double[]) onnx(mean).get("prediction");
    for (int r = 0; r < far().size(); r++) {
      assertThat(mean.answer(far().get(r)).isFar()).isTrue();
      assertThat(mean.answer(far().get(r)).label()).isCloseTo(50.25, within(1e-12));
      assertThat(onnx[r]).isCloseTo(50.25, within(1e-12));
      assertThat(half.answer(far().get(r)).isFar()).isFalse();
    }
  }

  /** Exports answer by the threshold that costs chose, near and far. */
  @ParameterizedTest
  @ValueSource(doubles = {-0.6, -0.3, 0.3, 0.6})
  void aThresholdIsTheSameEverywhere(double threshold) throws Exception {
    Pipeline learner = pipeline(Scaler.none(), new Avm(machine(AvmOptions.binary(), 50)));
    SplittableRandom random = new SplittableRandom(4);
    List<Features> asked = new ArrayList<>(far());
    for (int i = 0; i < 300; i++) {
      int label = i % 3 == 0 ? -1 : 1;
      Features x = Features.dense(label + 2 * random.nextDouble(), random.nextDouble());
      learner.learn(x, label);
      asked.add(x);
    }
    learner.decideBy(new CostThreshold(threshold, false, new Costs(10, 1), 60));
    PreparedModel model = learner.snapshot();
    svm_model exported = libsvm(model);
    int differ = 0;
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      Map<String, Object> onnx = runtime.run(asked);
      for (int r = 0; r < asked.size(); r++) {
        double score = model.score(asked.get(r))[0];
        double label = score >= threshold ? 1 : -1;
        differ += label == (score >= 0 ? 1 : -1) ? 0 : 1;
        if (Math.abs(score - threshold) > 1e-5) {
          assertThat((double) ((long[]) onnx.get("label"))[r]).isEqualTo(label);
          assertThat(((double[][]) onnx.get("scores"))[r][0]).isCloseTo(score, within(1e-4));
          assertThat(svm.svm_predict(exported, nodes(asked.get(r)))).isEqualTo(label);
        }
      }
    }
    assertThat(differ).isPositive();
    Path file = folder.resolve("m.json");
    JsonExport.write(model, file);
    assertThat(Files.readString(file)).contains("\"prior\":[" + -threshold + "]");
  }

  /** A model of a file that is older than the counts. */
  @Test
  void withoutCountsAFarRowIsAnsweredByWhatIsLeftOfItsScores() throws Exception {
    PreparedModel counted = threeClasses().snapshot();
    PreparedModel model =
        new PreparedModel(counted.preparation(), counted.inspect(AvmModel.class).get());
    svm_model exported = libsvm(model);
    Map<String, Object> onnx = onnx(model);
    for (int r = 0; r < far().size(); r++) {
      Features x = far().get(r);
      double label = model.predict(x);
      assertThat((double) ((long[]) onnx.get("label"))[r]).isEqualTo(label);
      assertThat(svm.svm_predict(exported, nodes(x))).isEqualTo(label);
    }
  }

  /** Scaling ends at ten thousand ranges, which a linear part makes visible. */
  @Test
  void aValueBeyondAllScalesCountsAsTheFarthest() throws OrtException {
    Scaler scaler = Scaler.of(Scaling.STANDARD, new double[] {2, 1}, new double[] {0, 0});
    AvmOptions linear =
        machine(AvmOptions.binary(), 50).change().update(Update.newton(0.1, 2)).build();
    Pipeline learner = pipeline(scaler, new Avm(linear));
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 300; i++) {
      double x = random.nextDouble() - 0.5;
      learner.learn(Features.dense(x, random.nextDouble()), x > 0 ? 1 : -1);
    }
    Features x = Features.dense(1e7, -1e9);
    PreparedModel model = learner.snapshot();
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      double found = ((double[][]) runtime.run(List.of(x)).get("scores"))[0][0];
      double expected = model.score(x)[0];
      assertThat(Math.abs(expected)).isGreaterThan(1);
      assertThat(found).isCloseTo(expected, within(1e-6 * Math.abs(expected)));
    }
  }

  @Test
  void theLabelOfAFarRowIsInWhatAPersonComputesFromTheJson() throws Exception {
    Path file = folder.resolve("m.json");
    JsonExport.write(threeClasses().snapshot(), file);
    assertThat(Files.readString(file)).contains("\"prior\":[0.0,1.0E-25,0.0]");
  }

  private Path saved(Pipeline learner) throws Exception {
    Path file = folder.resolve("m.avm");
    learner.save(file);
    return file;
  }

  private Map<String, Object> onnx(PreparedModel model) throws OrtException {
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      return runtime.run(far());
    }
  }

  private svm_model libsvm(PreparedModel model) throws Exception {
    Path file = folder.resolve("m.svm");
    LibsvmExport.write(model, file);
    return svm.svm_load_model(file.toString());
  }

  private static svm_node[] nodes(Features x) {
    return IntStream.range(0, x.count())
        .mapToObj(
            i -> {
              svm_node node = new svm_node();
              node.index = x.index(i) + 1;
              node.value = x.value(i);
              return node;
            })
        .toArray(svm_node[]::new);
  }

  /** 300 features of zeros and ones. */
  @Test
  void rowsOfW8aBetweenRegionsHaveOneAnswer() throws Exception {
    List<Instance> rows = Streams.data("w8a", 0, 10_000);
    AvmOptions root = machine(AvmOptions.binary(), 64);
    AvmTree tree = Streams.learned(new AvmTree(new TreeOptions(root, 32, 8, 8000)), rows);
    assertThat(tree.shape().leaves()).hasSizeGreaterThan(8);
    PreparedModel model = new PreparedModel(Preparation.none(), tree.snapshot());
    agrees(model, Streams.data("w8a.t", 0, 6000), 1e-4);
  }

  /** Rows of covtype that no core point reaches. */
  @Test
  void farRowsOfCovtypeHaveOneAnswer() throws Exception {
    List<Instance> rows = Streams.data("covtype", 0, 10_000);
    Pipeline learner = pipeline(Scaler.none(), new Avm(machine(AvmOptions.multiclass(), 150)));
    Streams.learned(learner, rows.subList(0, 5000));
    PreparedModel model = learner.snapshot();
    svm_model exported = libsvm(model);
    int far = 0;
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      List<Features> asked = rows.subList(5000, 10_000).stream().map(Instance::features).toList();
      long[] labels = (long[]) runtime.run(asked).get("label");
      for (int r = 0; r < labels.length; r++) {
        Prediction answer = model.answer(asked.get(r));
        far += answer.isFar() ? 1 : 0;
        double[] sorted = answer.scores();
        Arrays.sort(sorted);
        boolean isTie = !answer.isFar() && sorted[6] - sorted[5] < 1e-4;
        if (!isTie) {
          assertThat((double) labels[r]).isEqualTo(answer.label());
          assertThat(svm.svm_predict(exported, nodes(asked.get(r)))).isEqualTo(answer.label());
        }
      }
    }
    assertThat(far).isGreaterThan(1);
  }
}
