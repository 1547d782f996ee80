package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.avm4j.ClusterSummary;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.asking.LabelBudget;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.conformal.Conformal;
import org.avm4j.data.Row;
import org.avm4j.explain.Importance;
import org.avm4j.table.DriftNotice;
import org.avm4j.table.TabularLearner;

/**
 * A learner behind a {@link Preparation}: it learns from the rows and labels of the data and
 * answers in these labels. This is what the command {@code avm} saves.
 *
 * <pre>{@code
 * Map<String, Object> row = new LinkedHashMap<>(); // new columns are numbered in its order
 * row.put("age", 42);
 * row.put("colour", "red");
 * pipeline.learn(row, "spam", 1);
 * Prediction answer = pipeline.answer(Map.of("colour", "red"));
 * }</pre>
 *
 * <p>In a file, kind {@code avm-pipeline}: the preparation; whether there is a calibrator (1), and
 * if so the calibrator; the kind of the learner (text); its content; «prior» if classes are
 * counted; «certainty» if answers say how sure they are; «threshold» if costs decide between two
 * classes; «lags» if labels of earlier rows are features; «asking» and «drift» if the learner asks
 * for labels or watches its error.
 */
public final class Pipeline implements TabularLearner {
  /** The kind of a file that holds a pipeline. */
  public static final String KIND = "avm-pipeline";

  /** Any row, as seen by a learner that knows no column yet. */
  private static final Features NO_FEATURES = Features.dense();

  private Preparation preparation;
  private final OnlineLearner learner;
  private final AnswerStages stages;
  private RowWatch watch = RowWatch.none();
  private RowLearner rows;
  private final PreparedRow row;

  /** The learner behind the preparation. */
  public Pipeline(Preparation preparation, OnlineLearner learner) {
    this(preparation, learner, null, ClassPrior.none());
  }

  /** A pipeline with an answer to rows far from everything learned. */
  public Pipeline(
      Preparation preparation, OnlineLearner learner, Calibrator calibrator, ClassPrior prior) {
    this(preparation, learner, calibrator, prior, null);
  }

  /**
   * A pipeline whose answers say how sure they are.
   *
   * @param calibrator learns the probabilities; null for none
   * @param prior counts the classes, from here on for this pipeline alone
   * @param certainty learns how sure answers are, for classes by their probabilities; null for none
   */
  public Pipeline(
      Preparation preparation,
      OnlineLearner learner,
      Calibrator calibrator,
      ClassPrior prior,
      Conformal certainty) {
    this(preparation, learner, new AnswerStages(calibrator, prior, certainty));
  }

  private Pipeline(Preparation preparation, OnlineLearner learner, AnswerStages stages) {
    this.preparation = LabelLags.named(preparation, stages.lags());
    this.learner = learner;
    this.stages = stages;
    row = new PreparedRow(preparation);
    learner.namesOfLabels(() -> !preparation.schema().labels().isEmpty());
  }

  /** The preparation before the learner. */
  public Preparation preparation() {
    return preparation;
  }

  /** The learner behind the preparation. */
  public OnlineLearner learner() {
    return learner;
  }

  /**
   * Says from now on which labels are worth asking for, and watches for rises of the error.
   *
   * @param budget for labels; null if none are asked for
   * @param hasDrift whether drift is watched
   */
  public Pipeline watch(LabelBudget budget, boolean hasDrift) {
    return watching(new RowWatch(budget, hasDrift));
  }

  private Pipeline watching(RowWatch by) {
    watch = by;
    return this;
  }

  /** Stores in the model how important each column is. */
  public void note(Importance measured) {
    preparation = preparation.withBackground(preparation.background().withImportance(measured));
  }

  /** Answers one of two classes by a threshold from now on, instead of by the sign of the score. */
  public void decideBy(CostThreshold threshold) {
    stages.decideBy(threshold);
  }

  /** Answers with probabilities from now on, by a calibrator that learns with each row. */
  public void calibrate(Calibrator fitted) {
    stages.calibrate(fitted);
  }

  /** Stores in the model which labels of earlier rows are features. */
  public void follow(LabelLags lags) {
    stages.follow(lags);
    preparation = LabelLags.named(preparation, lags);
  }

  /** Which labels of earlier rows are features, if any are. */
  public Optional<LabelLags> lags() {
    return Optional.ofNullable(stages.lags());
  }

  /** A pipeline with the same learner and stages behind another preparation. */
  public Pipeline behind(Preparation other) {
    return new Pipeline(other, learner, stages).watching(watch);
  }

  /** A pipeline with another learner, the same preparation and the same stages. */
  public Pipeline with(OnlineLearner other) {
    return new Pipeline(preparation, other, stages).watching(watch);
  }

  @Override
  public Task task() {
    return learner.task();
  }

  @Override
  public void learn(Features x, double y, double weight) {
    learnLate(x, y, weight, null);
  }

  @Override
  public void learnLate(Features x, double y, double weight, Prediction given) {
    FeatureException.check(x);
    LabelRule.of(this).check(y, preparation.schema());
    learnChecked(x, y, weight, given);
    watch.tell();
  }

  @Override
  public boolean observe(Features x) {
    FeatureException.check(x);
    return learner.observe(row.of(x));
  }

  @Override
  public void labelsComeLate(int rows) {
    learner.labelsComeLate(rows);
  }

  /**
   * Learns an instance whose features and label were already checked.
   *
   * @param given the answer that it got; null for the one that it would get now
   */
  void learnChecked(Features x, double y, double weight, Prediction given) {
    Labels labels = preparation.labels().including(y);
    double answer = watch.watchesDrift() ? labelBefore(x, given) : Double.NaN;
    stages.learn(learner, row.of(x), y, weight, preparation, labels, given);
    preparation = preparation.withLabels(labels);
    if (watch.watchesDrift()) {
      watch.learned(x, y, answer, task().isRegression(), preparation.schema());
    }
  }

  private double labelBefore(Features x, Prediction given) {
    return given == null ? predict(x) : given.label();
  }

  @Override
  public void learn(Map<String, ?> row, Object label, double weight) {
    rows().learn(new Row(new Row.Named(row), label, weight));
    watch.tell();
  }

  @Override
  public boolean observe(Map<String, ?> row) {
    return rows().observe(Row.named(row, null));
  }

  @Override
  public void onDrift(Consumer<DriftNotice> listener) {
    watch.listen(listener);
  }

  private RowLearner rows() {
    rows = rows == null ? new RowLearner(this, RowLimits.NONE) : rows;
    return rows;
  }

  @Override
  public boolean isTaskOpen() {
    return learner.isTaskOpen();
  }

  @Override
  public double[] acceptedLabels() {
    return preparation.labels().accepted(learner.acceptedLabels());
  }

  @Override
  public void checkLabel(double y) {
    LabelRule.of(this).check(y, preparation.schema());
    learner.checkLabel(preparation.labels().transform(y));
  }

  @Override
  public int columns() {
    return learner.columns();
  }

  @Override
  public double[] classes() {
    return preparation.labels().inverse(learner.classes());
  }

  @Override
  public void score(Features x, double[] scores) {
    learner.score(row.of(x), scores);
    preparation.labels().inverseScores(scores);
  }

  @Override
  public double predict(Features x) {
    return stages.predict(learner, row.of(x), preparation);
  }

  @Override
  public Prediction answer(Features x) {
    return stages.answer(learner, row.of(x), preparation);
  }

  @Override
  public Prediction answer(Map<String, ?> row) {
    boolean isFirst = preparation.schema().columns().isEmpty() && status().instances() == 0;
    return watch.asked(isFirst ? answer(NO_FEATURES) : rows().answer(Row.named(row, null)));
  }

  @Override
  public boolean isCalibrated() {
    return stages.isCalibrated() || learner.isCalibrated();
  }

  @Override
  public OptionalDouble certaintyLevel() {
    return stages.level();
  }

  @Override
  public boolean hasLogits() {
    return learner.hasLogits();
  }

  @Override
  public <T> Optional<T> inspect(Class<T> type) {
    return learner.inspect(type);
  }

  @Override
  public Features inTree(Features x) {
    return learner.inTree(row.of(x));
  }

  @Override
  public Status status() {
    return preparation.inverse(learner.status());
  }

  @Override
  public PreparedModel snapshot() {
    return behind(learner.snapshot());
  }

  @Override
  public PreparedModel settled() {
    return behind(learner.settled());
  }

  @Override
  public void settle() {
    learner.settle();
  }

  private PreparedModel behind(Model model) {
    return new PreparedModel(preparation.snapshot(), model, stages.snapshot());
  }

  @Override
  public Pipeline copy() {
    return ModelFile.copy(this, Pipeline::decode);
  }

  /** Forgets everything that was learned; names, scaling and the map of labels stay. */
  @Override
  public void reset() {
    learner.reset();
    rows = null;
    stages.reset();
    watch.reset();
  }

  @Override
  public Optional<ClusterSummary> clusters() {
    return learner.clusters().map(summary -> summary.in(preparation.scaler()::inverse));
  }

  @Override
  public int size() {
    return learner.size();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    preparation.encode(out);
    stages.encode(out, learner);
    watch.encode(out);
  }

  /** The pipeline that was appended. */
  public static Pipeline decode(Decoder in) throws ModelFileException {
    Preparation preparation = Preparation.decode(in);
    Calibrator calibrator = AnswerStages.decodeCalibrator(in);
    OnlineLearner learner = FileKinds.installed().learner(OnlineLearner.class, in);
    Pipeline found = new Pipeline(preparation, learner, AnswerStages.decode(in, calibrator));
    return found.watching(RowWatch.decode(in, preparation.schema()));
  }

  /** Loads a pipeline from a file; a learner without a preparation gets an empty one. */
  public static Pipeline load(Path file) throws IOException {
    return of(ModelFile.open(file));
  }

  /** The pipeline that {@link #toBytes} wrote; a learner without preparation gets an empty one. */
  public static Pipeline fromBytes(byte[] bytes) throws IOException {
    return of(ModelFile.parse(bytes));
  }

  /** The pipeline that a file holds; a learner without preparation gets an empty one. */
  public static Pipeline of(ModelFile found) throws IOException {
    return found.kind().equals(KIND)
        ? found.read(kind -> Pipeline::decode)
        : new Pipeline(
            Preparation.none(), FileKinds.installed().learner(OnlineLearner.class, found));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
