package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.avm4j.ClusterSummary;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.conformal.ConformalModel;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.RowEncoder;
import org.avm4j.explain.Explainer;
import org.avm4j.explain.UsualValues;
import org.avm4j.models.MeanModel;
import org.avm4j.table.Explanation;
import org.avm4j.table.RefusedRowException;
import org.avm4j.table.TabularModel;

/**
 * A frozen model behind a {@link Preparation}: it answers the rows of the data. It can be read from
 * every file that the command {@code avm} writes; if the file holds a learner, it is a snapshot.
 *
 * <pre>{@code
 * PreparedModel model = PreparedModel.load(Path.of("spam.avm"));
 * Prediction answer = model.answer(Map.of("age", 42, "colour", "red"));
 * String label = model.labelText(answer);
 * double[] probabilities = answer.probabilities();
 * }</pre>
 *
 * <p>In a file, kind {@code avm-prepared-model}: the preparation; whether there is a calibration
 * (1), and if so the calibration; the kind of the model (text); its content; «prior» if classes
 * were counted; «certainty» if answers say how sure they are; «threshold» if costs decide between
 * two classes; «lags» if labels of earlier rows are features.
 */
public final class PreparedModel implements TabularModel {
  /** The kind of a file that holds a model behind a preparation. */
  public static final String KIND = "avm-prepared-model";

  private final Preparation preparation;
  private final Model model;
  private final FrozenStages stages;
  private final RowEncoder rows;
  private final RowRules rules;

  /** The model behind a snapshot of the preparation. */
  public PreparedModel(Preparation preparation, Model model) {
    this(preparation.snapshot(), model, FrozenStages.NONE);
  }

  PreparedModel(Preparation preparation, Model model, FrozenStages stages) {
    this.preparation = LabelLags.named(preparation, stages.lags());
    this.model = model;
    this.stages = stages;
    rows = new RowEncoder(preparation.schema(), Missing.MEAN);
    rules = new RowRules(preparation.schema(), RowLimits.NONE);
  }

  @Override
  public PreparedModel detached() {
    return new PreparedModel(preparation, model.detached(), stages.detached());
  }

  /** The preparation before the model. */
  public Preparation preparation() {
    return preparation;
  }

  /** All preparations that a row goes through in turn: automatic mode has one of its own. */
  public List<Preparation> preparations() {
    List<Preparation> all = new ArrayList<>();
    all.add(preparation);
    if (model instanceof PreparedModel inner) {
      all.addAll(inner.preparations());
    }
    return all;
  }

  /** {@inheritDoc} Each of them is behind this preparation. */
  @Override
  public List<PreparedModel> members() {
    return model.members().stream()
        .map(member -> new PreparedModel(preparation, member, FrozenStages.NONE))
        .toList();
  }

  @Override
  public double[] memberWeights() {
    return model.memberWeights();
  }

  /** A copy with another calibration, if this model has one. */
  public PreparedModel recalibrated(Calibration other) {
    return stages.calibration() == null
        ? this
        : new PreparedModel(preparation, model, stages.with(other));
  }

  /** A copy with a calibration, whether or not this model has one. */
  public PreparedModel calibrated(Calibration other) {
    return new PreparedModel(preparation, model, stages.with(other));
  }

  /** Another model with the same preparation and the same stages. */
  public PreparedModel with(Model other) {
    return new PreparedModel(preparation, other, stages);
  }

  /** A copy with another certainty of answers. */
  public PreparedModel with(ConformalModel certainty) {
    return new PreparedModel(preparation, model, stages.with(certainty));
  }

  /** The weighted mean of models for the same rows, behind the preparation of the first. */
  public static PreparedModel mean(List<PreparedModel> models, double[] weights) {
    List<Model> behind = models.stream().map(each -> each.model).toList();
    return models.get(0).with(new MeanModel(behind, weights));
  }

  /** How sure answers are, if the model was learned with it. */
  public Optional<ConformalModel> certainty() {
    return Optional.ofNullable(stages.certainty());
  }

  /**
   * How much each column of the data counts, the largest first: the largest of the learned weights
   * of its features; for a mean of models, their mean. Empty if all weights are equal.
   */
  public Map<String, Double> columnWeights() {
    return ColumnWeights.of(model.members().isEmpty() ? List.of(this) : members());
  }

  /** Which labels of earlier rows are features, if any are. */
  public Optional<LabelLags> lags() {
    return Optional.ofNullable(stages.lags());
  }

  /** The threshold that decides between two classes, if costs chose one. */
  public Optional<CostThreshold> threshold() {
    return Optional.ofNullable(stages.threshold());
  }

  /**
   * What a program that answers by the sign or the largest of the scores must add to them: minus
   * the {@link #threshold} or, without a threshold, the tiny scores that decide far rows: ±{@link
   * Prediction#NOTHING} for the most frequent class, and 0 for others.
   */
  public double[] priorScores() {
    return stages.decisive(model);
  }

  /** The calibration, if the model has one. */
  public Optional<Calibration> calibration() {
    return Optional.ofNullable(stages.calibration());
  }

  @Override
  public Task task() {
    return model.task();
  }

  @Override
  public <T> Optional<T> inspect(Class<T> type) {
    return certainty().flatMap(known -> known.inspect(type)).or(() -> model.inspect(type));
  }

  /** {@inheritDoc} Values are in the units of the rows before scaling. */
  @Override
  public List<CorePoint> corePoints(int most) {
    return model.corePoints(most).stream()
        .map(point -> point.in(preparation.scaler()::inverse))
        .toList();
  }

  /** {@inheritDoc} Values are in the units of the rows before scaling. */
  @Override
  public List<Neighbour> nearest(Features x, int most) {
    return model.nearest(prepared(x), most).stream()
        .map(near -> near.in(preparation.scaler()::inverse))
        .toList();
  }

  /** {@inheritDoc} Values are in the units of the rows before scaling. */
  @Override
  public Optional<ClusterSummary> clusters() {
    return model.clusters().map(summary -> summary.in(preparation.scaler()::inverse));
  }

  @Override
  public int regionOf(Features x) {
    return model.regionOf(prepared(x));
  }

  @Override
  public int columns() {
    return model.columns();
  }

  @Override
  public double[] classes() {
    return preparation.labels().inverse(model.classes());
  }

  @Override
  public void score(Features x, double[] scores) {
    model.score(prepared(x), scores);
    preparation.labels().inverseScores(scores);
  }

  private Features prepared(Features x) {
    return preparation.transform(x, new Features.Buffer());
  }

  @Override
  public double predict(Features x) {
    return stages.predict(model, prepared(x), preparation);
  }

  @Override
  public Prediction answer(Features x) {
    return stages.answer(model, prepared(x), preparation);
  }

  /** {@inheritDoc} {@link RowEncoder} turns the row into features. */
  @Override
  public Prediction answer(Map<String, ?> row) {
    LabelLags.checkNone(stages.lags());
    return answer(rows.encode(row));
  }

  @Override
  public Explanation explain(Map<String, ?> row, int columns, int points) {
    LabelLags.checkNone(stages.lags());
    return explainer().explain(rows.encode(row), columns, points);
  }

  /**
   * The whole answer to a row; unknown columns and categories are left out.
   *
   * @throws RefusedRowException if a value is not valid, or the model was learned from rows of the
   *     other form
   */
  public Prediction answer(Row row) {
    LabelLags.checkNone(stages.lags());
    return answer(rules.features(row, true));
  }

  /**
   * Explains answers. Columns without a known usual value are compared with their mean, or with no
   * category.
   */
  public Explainer explainer() {
    Features usual =
        preparation.background().usual().orElseGet(() -> UsualValues.known(preparation.schema()));
    return new Explainer(this, preparation.schema(), usual);
  }

  @Override
  public String labelText(Prediction answer) {
    return task().isUnsupervised() ? Decimal.text(answer.label()) : rows.labelText(answer.label());
  }

  @Override
  public boolean isCalibrated() {
    return stages.calibration() != null || model.isCalibrated();
  }

  @Override
  public OptionalDouble certaintyLevel() {
    return stages.level();
  }

  @Override
  public boolean hasLogits() {
    return model.hasLogits();
  }

  @Override
  public Status status() {
    return preparation.inverse(model.status());
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    preparation.encode(out);
    stages.encode(out, model);
  }

  /** The model that was appended. */
  public static PreparedModel decode(Decoder in) throws ModelFileException {
    Preparation preparation = Preparation.decode(in).snapshot();
    Calibration calibration = FrozenStages.decodeCalibration(in);
    Model model = FileKinds.installed().model(Model.class, in);
    return new PreparedModel(preparation, model, FrozenStages.decode(in, calibration));
  }

  /** The model of the {@link Pipeline} that was appended. */
  public static PreparedModel decodePipeline(Decoder in) throws ModelFileException {
    Preparation preparation = Preparation.decode(in).snapshot();
    Calibrator calibrator = AnswerStages.decodeCalibrator(in);
    Model model = FileKinds.installed().model(Model.class, in);
    FrozenStages stages = AnswerStages.decode(in, calibrator).snapshot();
    return new PreparedModel(preparation, model, stages);
  }

  /** The model itself if it has a preparation, else behind an empty one. */
  public static PreparedModel of(Model model) {
    return model instanceof PreparedModel prepared
        ? prepared
        : new PreparedModel(Preparation.none(), model);
  }

  /** The model saved in a file, or the snapshot of the learner saved there. */
  public static PreparedModel load(Path file) throws IOException {
    return of(ModelFile.open(file));
  }

  /** The model that a file holds, or the snapshot of the learner that it holds. */
  public static PreparedModel of(ModelFile file) throws ModelFileException {
    return switch (file.kind()) {
      case KIND -> file.read(kind -> PreparedModel::decode);
      case Pipeline.KIND -> file.read(kind -> PreparedModel::decodePipeline);
      default ->
          new PreparedModel(Preparation.none(), FileKinds.installed().model(Model.class, file));
    };
  }

  @Override
  public String toString() {
    return status().summary();
  }
}
