package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Predictor;
import org.avm4j.Streams;
import org.avm4j.Update;
import org.avm4j.data.CategoricalColumn;
import org.avm4j.data.Column;
import org.avm4j.data.Instance;
import org.avm4j.data.NumericColumn;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is snapshotted or loaded for scoring never changes, whatever its origin goes through. */
class SnapshotTest {
  private static final int THREADS = 8;
  private static final int ANSWERS = 20_000;

  @TempDir Path folder;

  private final Schema schema = new Schema();
  private final NumericColumn age = schema.addNumeric("age");
  private final CategoricalColumn colour = schema.addCategorical("colour");
  private final ScalerFit fit = new ScalerFit(Scaling.STANDARD);
  private final Pipeline pipeline = learned();

  private Pipeline learned() {
    schema.index(colour, "red");
    schema.index(colour, "blue");
    schema.observe(age, 40);
    List.of("low", "middle", "high").forEach(schema::label);
    List<Instance> stream = Streams.multiclass(60, 3, 1);
    stream.forEach(row -> fit.observe(row.features()));
    AvmOptions options =
        AvmOptions.multiclass().coverage(Coverage.sphere(1.5)).update(Update.newton()).build();
    Preparation preparation = new Preparation(schema, fit.scaler(), new Labels.Plain());
    Pipeline learned =
        new Pipeline(preparation, new Avm(options), new Calibrator(), ClassPrior.none());
    stream.forEach(row -> learned.learn(row.features(), row.label()));
    return learned;
  }

  private static List<Prediction> answers(Predictor predictor) {
    return Streams.multiclass(50, 3, 2).stream()
        .map(row -> predictor.answer(row.features()))
        .toList();
  }

  private void growSchema() {
    schema.addNumeric("height");
    schema.addCategorical("shape");
    schema.index(colour, "green");
    schema.observe(age, 80);
    schema.label("highest");
  }

  private static void isAsItWas(Schema then) {
    assertThat(then.columns()).extracting(Column::name).containsExactly("age", "colour");
    assertThat(then.dimension()).isEqualTo(3);
    assertThat(then.labels()).containsExactly("low", "middle", "high");
    assertThat(((NumericColumn) then.column("age")).mean()).isEqualTo(40);
    assertThat(((CategoricalColumn) then.column("colour")).categories())
        .containsExactly("red", "blue");
    assertThat(then.column("height")).isNull();
  }

  @Test
  void aSchemaThatGrowsDoesNotChangeItsSnapshot() {
    Schema snapshot = schema.snapshot();
    PreparedModel model = pipeline.snapshot();
    PreparedModel other = new PreparedModel(pipeline.preparation(), model);
    List<Prediction> answers = answers(model);
    growSchema();
    isAsItWas(snapshot);
    isAsItWas(model.preparation().schema());
    isAsItWas(other.preparation().schema());
    assertThat(answers(model)).isEqualTo(answers);
    assertThat(pipeline.snapshot().preparation().schema().dimension()).isEqualTo(5);
  }

  @Test
  void aSnapshotOfASchemaTakesNothingIn() {
    Schema snapshot = schema.snapshot();
    assertThat(snapshot.isFrozen()).isTrue();
    assertThatThrownBy(() -> snapshot.addNumeric("height"))
        .isInstanceOf(IllegalStateException.class);
    CategoricalColumn copied = (CategoricalColumn) snapshot.column("colour");
    assertThat(snapshot.index(copied, "green")).isEqualTo(Schema.NONE);
    snapshot.observe((NumericColumn) snapshot.column("age"), 80);
    assertThat(snapshot.label("highest")).isEqualTo(3);
    isAsItWas(snapshot);
    assertThatThrownBy(() -> snapshot.columns().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> snapshot.labels().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aSchemaIsCopiedOnlyWhereItHasChanged() {
    Schema first = schema.snapshot();
    assertThat(schema.snapshot()).isSameAs(first);
    assertThat(first.snapshot()).isSameAs(first);
    schema.observe(age, 41);
    assertThat(schema.snapshot()).isNotSameAs(first);
  }

  @Test
  void rowsObservedLaterDoNotChangeAScaler() {
    PreparedModel model = pipeline.snapshot();
    List<Prediction> answers = answers(model);
    Features before = model.preparation().scaler().apply(Features.dense(1, 2, 3));
    fit.observe(Features.dense(1000, -1000, 5, 7));
    assertThat(model.preparation().scaler().apply(Features.dense(1, 2, 3))).isEqualTo(before);
    assertThat(answers(model)).isEqualTo(answers);
  }

  @Test
  void aCalibratorThatLearnsDoesNotChangeItsSnapshot() {
    Calibrator calibrator = new Calibrator();
    double[] classes = {1, 2, 3};
    calibrator.learn(new double[] {0.5, -1, 0}, classes, 1);
    Calibration snapshot = calibrator.snapshot();
    assertThat(calibrator.snapshot()).isSameAs(snapshot);
    double[] scores = {1, 2, 3};
    double[] then = snapshot.probabilities(scores, classes);
    for (int t = 0; t < 20; t++) {
      calibrator.learn(new double[] {t, -t, 1}, new double[] {1, 2, 4}, 4);
    }
    assertThat(snapshot.probabilities(scores, classes)).isEqualTo(then);
    assertThat(snapshot.labels()).containsExactly(1, 2, 3);
    assertThat(calibrator.snapshot().probabilities(scores, classes)).isNotEqualTo(then);
  }

  @Test
  void whatIsHandedOutIsACopy() {
    PreparedModel model = pipeline.snapshot();
    List<Prediction> answers = answers(model);
    Prediction answer = answers.get(0);
    for (double[] array :
        List.of(
            model.classes(),
            pipeline.classes(),
            model.calibration().orElseThrow().labels(),
            answer.classes(),
            answer.scores(),
            answer.probabilities(),
            model.score(Features.dense(1, 2, 3)))) {
      assertThat(array).isNotEmpty();
      Arrays.fill(array, 99);
    }
    assertThat(answers(model)).isEqualTo(answers);
    assertThat(model.classes()).containsExactly(0, 1, 2);
    assertThat(pipeline.classes()).containsExactly(0, 1, 2);
  }

  @Test
  void aLoadedModelKnowsItsSchemaAndTakesNothingIn() throws IOException {
    Path file = folder.resolve("pipeline.avm");
    pipeline.save(file);
    PreparedModel model = PreparedModel.load(file);
    isAsItWas(model.preparation().schema());
    assertThat(model.preparation().schema().isFrozen()).isTrue();
    assertThat(model.preparation().snapshot().schema()).isSameAs(model.preparation().schema());
  }

  /** What a file of {@code avm train} is for: one model, many threads, probabilities and all. */
  @Test
  void aLoadedModelIsSharedByEightThreads() throws Exception {
    Path file = folder.resolve("pipeline.avm");
    pipeline.save(file);
    PreparedModel model = PreparedModel.load(file);
    assertThat(answers(model)).isEqualTo(answers(pipeline));
    assertThat(wrong(model)).isZero();
    model.save(file);
    assertThat(wrong(PreparedModel.load(file))).isZero();
  }

  /** The learner goes on and is snapshotted while others score what they were given. */
  @Test
  void aSnapshotIsSharedWhileTheLearnerGoesOn() throws Exception {
    PreparedModel model = pipeline.snapshot();
    ExecutorService learning = Executors.newSingleThreadExecutor();
    Future<?> goingOn =
        learning.submit(
            () -> {
              for (Instance row : Streams.multiclass(3000, 3, 3)) {
                pipeline.learn(row.features(), row.label());
                schema.observe(age, row.label());
                pipeline.snapshot();
              }
            });
    learning.shutdown();
    assertThat(wrong(model)).isZero();
    goingOn.get();
  }

  private static int wrong(Model model) throws InterruptedException, ExecutionException {
    List<Instance> rows = Streams.multiclass(50, 3, 2);
    List<Prediction> expected = answers(model);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> counts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = 7 * thread;
      counts.add(pool.submit(() -> wrong(model, rows, first, expected)));
    }
    pool.shutdown();
    int wrong = 0;
    for (Future<Integer> count : counts) {
      wrong += count.get();
    }
    return wrong;
  }

  private static int wrong(Model model, List<Instance> rows, int first, List<Prediction> expected) {
    int wrong = 0;
    for (int i = 0; i < ANSWERS; i++) {
      int at = (first + i) % rows.size();
      wrong += model.answer(rows.get(at).features()).equals(expected.get(at)) ? 0 : 1;
    }
    return wrong;
  }
}
