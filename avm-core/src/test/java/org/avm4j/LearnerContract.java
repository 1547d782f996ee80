package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every online learner keeps, ours and the baselines: extend this, say how to make one and how
 * to load one, and these tests run.
 */
@Tag("contract")
public abstract class LearnerContract {
  private static final int THREADS = 8;

  @TempDir Path folder;

  /** A new learner, always made alike. */
  protected abstract OnlineLearner make();

  /** The learner saved in a file. */
  protected abstract OnlineLearner load(Path file) throws IOException;

  /** What it predicts. */
  protected abstract Task task();

  /** How many vectors it may hold at most, or 0 where there is no bound. */
  protected int bound() {
    return 0;
  }

  /** Whether {@link #make} gives a learner that has learned nothing. */
  protected boolean isFresh() {
    return true;
  }

  private List<Instance> stream() {
    return Streams.of(task(), 400, 3, 5);
  }

  private static void learn(OnlineLearner learner, List<Instance> stream) {
    stream.forEach(instance -> learner.learn(instance.features(), instance.label()));
  }

  private static double[][] scores(Predictor predictor, List<Instance> stream) {
    return stream.stream()
        .map(instance -> predictor.score(instance.features()))
        .toArray(double[][]::new);
  }

  /** A learner that has no use for a row without a label says so, and stays as it is. */
  @Test
  void aRowWithoutALabelIsOfUseOrChangesNothing() {
    OnlineLearner learner = make();
    learn(learner, stream());
    byte[] before = learner.toBytes();
    boolean isUsed = learner.observe(Features.dense(1, 2, 3));
    assertThat(Arrays.equals(learner.toBytes(), before)).isEqualTo(!isUsed);
    byte[] after = learner.toBytes();
    assertThatThrownBy(() -> learner.observe(Features.dense(Double.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(learner.toBytes()).isEqualTo(after);
  }

  @Test
  void itScoresAndPredictsBeforeItHasLearned() {
    assumeThat(isFresh()).as("a learner that knows nothing").isTrue();
    OnlineLearner learner = make();
    assertThat(learner.score(Features.dense(1, 2, 3))).isEqualTo(new double[learner.columns()]);
    double answer = learner.predict(Features.dense(1, 2, 3));
    assertThat(Double.isNaN(answer))
        .isEqualTo(task().kind() == Task.Kind.MULTICLASS && learner.columns() == 0);
    assertThat(learner.size()).isZero();
  }

  @Test
  void scoringChangesNothing() {
    OnlineLearner scored = make();
    OnlineLearner silent = make();
    for (Instance instance : stream()) {
      scored.score(instance.features());
      scored.predict(Features.dense(0.3, instance.label()));
      scored.learn(instance.features(), instance.label());
      silent.learn(instance.features(), instance.label());
    }
    assertThat(scores(scored, stream())).isDeepEqualTo(scores(silent, stream()));
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    OnlineLearner one = make();
    OnlineLearner other = make();
    learn(one, stream());
    learn(other, stream());
    assertThat(scores(one, stream())).isDeepEqualTo(scores(other, stream()));
  }

  @Test
  void theInputIsNotAliased() {
    OnlineLearner fresh = make();
    OnlineLearner reused = make();
    Features.Buffer buffer = new Features.Buffer();
    for (Instance instance : stream()) {
      buffer.clear();
      for (int i = 0; i < instance.features().count(); i++) {
        buffer.add(instance.features().index(i), instance.features().value(i));
      }
      fresh.learn(instance.features(), instance.label());
      reused.learn(buffer.features(), instance.label());
      buffer.clear().add(0, 99).add(7, -99);
    }
    assertThat(scores(reused, stream())).isDeepEqualTo(scores(fresh, stream()));
  }

  @Test
  void itLearns() {
    assumeThat(isFresh()).as("a learner that knows nothing").isTrue();
    OnlineLearner learner = make();
    double before = error(learner);
    learn(learner, Streams.of(task(), 4000, 3, 6));
    assertThat(error(learner)).isLessThan(0.8 * before);
  }

  private double error(OnlineLearner learner) {
    double sum = 0;
    for (Instance instance : stream()) {
      double answer = learner.predict(instance.features());
      boolean isNumber = task().isRegression();
      sum += isNumber ? Math.pow(answer - instance.label(), 2) : answer == instance.label() ? 0 : 1;
    }
    return sum;
  }

  @Test
  void theSizeStaysWithinItsBound() {
    assumeThat(bound()).as("a bound").isPositive();
    OnlineLearner learner = make();
    for (Instance instance : Streams.of(task(), 3000, 3, 9)) {
      learner.learn(instance.features(), instance.label());
      assertThat(learner.size()).isLessThanOrEqualTo(bound());
    }
  }

  @Test
  void aSnapshotStandsStill() {
    OnlineLearner learner = make();
    learn(learner, stream());
    Predictor snapshot = learner.snapshot();
    double[][] then = scores(snapshot, stream());
    assertThat(close(scores(learner, stream()), then)).isTrue();
    learn(learner, Streams.of(task(), 300, 5, 8));
    assertThat(scores(snapshot, stream())).isDeepEqualTo(then);
    assertThat(close(scores(learner, stream()), then)).isFalse();
  }

  /** An average is summed in another order by the learner than by its snapshot. */
  private static boolean close(double[][] a, double[][] b) {
    boolean close = true;
    for (int i = 0; i < a.length; i++) {
      close &= a[i].length == b[i].length;
      for (int c = 0; close && c < a[i].length; c++) {
        close = Math.abs(a[i][c] - b[i][c]) <= 1e-9 * (1 + Math.abs(b[i][c]));
      }
    }
    return close;
  }

  @Test
  void whatIsSavedGoesOnBitForBit() throws IOException {
    Path file = folder.resolve("learner.avm");
    OnlineLearner uninterrupted = make();
    OnlineLearner resumed = make();
    int t = 0;
    for (Instance instance : Streams.of(task(), 500, 4, 3)) {
      if (t++ % 61 == 0) {
        resumed.save(file);
        resumed = load(file);
      }
      assertThat(resumed.score(instance.features()))
          .isEqualTo(uninterrupted.score(instance.features()));
      double weight = t % 3 == 0 ? 0.5 + t % 5 : 1;
      uninterrupted.learn(instance.features(), instance.label(), weight);
      resumed.learn(instance.features(), instance.label(), weight);
    }
    assertThat(resumed.size()).isEqualTo(uninterrupted.size());
  }

  @Test
  void aSparseRowIsTheDenseRow() {
    OnlineLearner dense = make();
    OnlineLearner sparse = make();
    for (Instance instance : stream()) {
      double[] x = {0, instance.features().get(0), 0, instance.features().get(1), 0};
      dense.learn(Features.dense(x), instance.label());
      sparse.learn(
          Features.sparse(new int[] {1, 3, 4}, new double[] {x[1], x[3], 0}), instance.label());
    }
    assertThat(scores(sparse, stream())).isDeepEqualTo(scores(dense, stream()));
  }

  @Test
  void refusedInputChangesNothing() {
    OnlineLearner learner = make();
    learn(learner, stream());
    double[][] before = scores(learner, stream());
    assertThatThrownBy(() -> learner.learn(Features.dense(1, 2, 3), Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> learner.learn(Features.dense(1, 1e300), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("E300");
    assertThat(scores(learner, stream())).isDeepEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void awkwardStreamsDoNoHarm(Streams.Shape shape) throws IOException {
    for (boolean oneClass : new boolean[] {false, true}) {
      OnlineLearner learner = make();
      List<Instance> stream = Streams.of(shape, task(), 300, oneClass, 4);
      learn(learner, stream);
      for (double[] scores : scores(learner, stream)) {
        for (double score : scores) {
          assertThat(score).isFinite();
        }
      }
      byte[] bytes = learner.toBytes();
      assertThat(OnlineLearner.fromBytes(bytes).toBytes()).isEqualTo(bytes);
      assertThat(Model.fromBytes(bytes).columns()).isEqualTo(learner.columns());
    }
  }

  private OnlineLearner learned(int n) {
    OnlineLearner learner = make();
    learn(learner, Streams.of(task(), n, 3, 5));
    return learner;
  }

  private static List<Prediction> answers(Predictor predictor, List<Instance> stream) {
    return stream.stream().map(instance -> predictor.answer(instance.features())).toList();
  }

  @Test
  void eightThreadsGetTheAnswersOfOne() throws Exception {
    OnlineLearner learner = learned(20);
    int scores = isFresh() ? 20_000 : 3_000;
    for (Model model : List.of(learner.snapshot(), Model.fromBytes(learner.toBytes()))) {
      List<Instance> probes = Streams.of(task(), 97, 3, 8);
      double[][] alone = scores(model, probes);
      List<Prediction> answers = answers(model, probes);
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      List<Future<Integer>> wrong = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = 31 * thread;
        wrong.add(pool.submit(() -> wrong(model, probes, first, alone, answers, scores)));
      }
      pool.shutdown();
      for (Future<Integer> each : wrong) {
        assertThat(each.get()).as("wrong answers").isZero();
      }
    }
  }

  private static int wrong(
      Model model,
      List<Instance> probes,
      int first,
      double[][] alone,
      List<Prediction> answers,
      int count) {
    double[] scores = new double[model.columns()];
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      int at = (first + i) % probes.size();
      Features x = probes.get(at).features();
      model.score(x, scores);
      wrong += Arrays.equals(scores, alone[at]) ? 0 : 1;
      wrong += i % 16 > 0 || model.answer(x).equals(answers.get(at)) ? 0 : 1;
      wrong += i % 16 > 0 || model.predict(x) == answers.get(at).label() ? 0 : 1;
    }
    return wrong;
  }

  @Test
  void aCopyGoesItsOwnWay() {
    OnlineLearner learner = learned(150);
    OnlineLearner copy = learner.copy();
    assertThat(copy).isNotSameAs(learner).hasSameClassAs(learner);
    assertThat(copy.toBytes()).isEqualTo(learner.toBytes());
    double[][] then = scores(learner, stream());
    learn(copy, Streams.of(task(), 300, 5, 8));
    assertThat(scores(learner, stream())).isDeepEqualTo(then);
    OnlineLearner other = learner.copy();
    learn(learner, Streams.of(task(), 300, 5, 8));
    assertThat(scores(other, stream())).isDeepEqualTo(then);
    assertThat(learner.toBytes()).isEqualTo(copy.toBytes());
  }

  @Test
  void resetForgetsEverything() {
    assumeThat(isFresh()).as("a learner that knows nothing").isTrue();
    OnlineLearner learner = learned(150);
    learner.reset();
    OnlineLearner fresh = make();
    assertThat(learner.toBytes()).isEqualTo(fresh.toBytes());
    assertThat(learner.size()).isZero();
    for (Instance instance : Streams.of(task(), 150, 3, 9)) {
      assertThat(learner.score(instance.features())).isEqualTo(fresh.score(instance.features()));
      learner.learn(instance.features(), instance.label());
      fresh.learn(instance.features(), instance.label());
    }
    assertThat(learner.toBytes()).isEqualTo(fresh.toBytes());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, -1, 1e100, Double.POSITIVE_INFINITY, Double.NaN})
  void weightsMustBePositive(double weight) {
    OnlineLearner learner = learned(50);
    byte[] before = learner.toBytes();
    Instance instance = stream().get(0);
    assertThatThrownBy(() -> learner.learn(instance.features(), instance.label(), weight))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the weight of an instance must be ")
        .hasMessageContaining(Double.toString(weight));
    assertThat(learner.toBytes()).isEqualTo(before);
  }

  @Test
  void weightOneIsNoWeight() {
    OnlineLearner plain = make();
    OnlineLearner weighted = make();
    for (Instance instance : stream()) {
      plain.learn(instance.features(), instance.label());
      weighted.learn(instance.features(), instance.label(), 1);
    }
    assertThat(weighted.toBytes()).isEqualTo(plain.toBytes());
  }

  @Test
  void theStreamFormIsTheFileForm() throws IOException {
    OnlineLearner one = learned(60);
    OnlineLearner other = learned(120);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    one.write(out);
    assertThat(out.toByteArray()).isEqualTo(one.toBytes());
    Path file = folder.resolve("learner.avm");
    one.save(file);
    assertThat(Files.readAllBytes(file)).isEqualTo(one.toBytes());
    other.write(out);
    out.write(77);
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    assertThat(OnlineLearner.read(in).toBytes()).isEqualTo(one.toBytes());
    assertThat(OnlineLearner.read(in).toBytes()).isEqualTo(other.toBytes());
    assertThat(in.read()).isEqualTo(77);
    InputStream again = new ByteArrayInputStream(out.toByteArray());
    assertThat(answers(Model.read(again), stream())).isEqualTo(answers(one.snapshot(), stream()));
    assertThat(answers(Model.read(again), stream())).isEqualTo(answers(other.snapshot(), stream()));
    assertThat(load(file).toBytes()).isEqualTo(OnlineLearner.load(file).toBytes());
  }

  @Test
  void aLoadedModelIsTheSnapshot() throws IOException {
    for (int n : new int[] {0, 1, 150}) {
      OnlineLearner learner = learned(n);
      Model snapshot = learner.snapshot();
      Model loaded = Model.fromBytes(learner.toBytes());
      assertThat(loaded.task()).isEqualTo(snapshot.task());
      assertThat(loaded.columns()).isEqualTo(snapshot.columns());
      assertThat(loaded.classes()).isEqualTo(snapshot.classes());
      assertThat(loaded.hasLogits()).isEqualTo(snapshot.hasLogits());
      assertThat(loaded.status()).isEqualTo(snapshot.status());
      assertThat(scores(loaded, stream())).isDeepEqualTo(scores(snapshot, stream()));
      assertThat(answers(loaded, stream())).isEqualTo(answers(snapshot, stream()));
    }
  }

  @Test
  void aSnapshotCanBeSaved() throws IOException {
    for (int n : new int[] {0, 1, 150}) {
      Model snapshot = learned(n).snapshot();
      byte[] bytes = snapshot.toBytes();
      Model loaded = Model.fromBytes(bytes);
      assertThat(answers(loaded, stream())).isEqualTo(answers(snapshot, stream()));
      assertThat(loaded.status()).isEqualTo(snapshot.status());
      assertThat(loaded.toBytes()).isEqualTo(bytes);
      assertThatThrownBy(() -> OnlineLearner.fromBytes(bytes))
          .isInstanceOf(ModelFileException.class)
          .hasMessageContaining("a model that cannot go on learning");
    }
  }

  @Test
  void statusCountsInstances() {
    assumeThat(isFresh()).as("a learner that knows nothing").isTrue();
    OnlineLearner learner = make();
    long t = 0;
    for (Instance instance : Streams.of(task(), 60, 3, 4)) {
      assertThat(learner.status().instances()).isEqualTo(t++);
      learner.learn(instance.features(), instance.label(), 0.5 + t % 3);
    }
    assertThat(learner.status().size()).isEqualTo(learner.size());
    assertThat(learner.status().settings()).isNotEmpty();
    assertThat(learner.snapshot().status().instances()).isEqualTo(60);
    assertThat(learner.snapshot().status().size()).isEqualTo(learner.size());
    learner.reset();
    assertThat(learner.status().instances()).isZero();
  }

  @Test
  void answerAgreesWithPredictAndScore() {
    for (int n : new int[] {0, 1, 150}) {
      OnlineLearner learner = learned(n);
      agree(learner);
      agree(learner.snapshot());
    }
  }

  private void agree(Predictor predictor) {
    for (Instance instance : stream()) {
      Prediction answer = predictor.answer(instance.features());
      assertThat(answer.label()).isEqualTo((Double) predictor.predict(instance.features()));
      assertThat(answer.scores()).isEqualTo(predictor.score(instance.features()));
      assertThat(answer.scores()).hasSize(predictor.columns());
      assertThat(answer.classes()).isEqualTo(predictor.classes());
      if (answer.isCalibrated()) {
        assertThat(answer.probabilities()).hasSameSizeAs(answer.classes());
        assertThat(Arrays.stream(answer.probabilities()).sum()).isCloseTo(1, within(1e-12));
      }
    }
  }
}
