package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.AvmModel;
import org.avm4j.ClusterSummary;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Kinds;
import org.avm4j.Model;
import org.avm4j.ModelForm;
import org.avm4j.Neighbour;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.RowEncoder;
import org.avm4j.explain.Explainer;
import org.avm4j.explain.UsualValues;

/**
 * A frozen model behind a {@link Preparation}: it answers rows as they stand in the data. It can be
 * had from every file that the command {@code avm} writes; of a learner it is the snapshot.
 *
 * <pre>{@code
 * PreparedModel model = PreparedModel.load(Path.of("spam.avm"));
 * Prediction answer = model.answer(Map.of("age", 42, "colour", "red"));
 * String label = model.labelText(answer);
 * double[] probabilities = answer.probabilities();
 * }</pre>
 *
 * <p>In a file, kind {@code avm-prepared-model}: the preparation; whether there is a calibration
 * (1), and it; the kind of the model (text); its content; «prior» where classes were counted.
 */
public final class PreparedModel implements Model {
  /** The kind of a file that holds a model behind a preparation. */
  public static final String KIND = "avm-prepared-model";

  private final Preparation preparation;
  private final Model model;
  private final Calibration calibration;
  private final ClassPrior prior;
  private final RowEncoder rows;
  private final RowRules rules;

  /** The model behind a snapshot of the preparation. */
  public PreparedModel(Preparation preparation, Model model) {
    this(preparation.snapshot(), model, null, ClassPrior.none());
  }

  /** The same with probabilities, null for none, and an answer to far rows. */
  PreparedModel(Preparation preparation, Model model, Calibration calibration, ClassPrior prior) {
    this.preparation = preparation;
    this.model = model;
    this.calibration = calibration;
    this.prior = prior;
    rows = new RowEncoder(preparation.schema(), Missing.MEAN);
    rules = new RowRules(preparation.schema(), RowLimits.NONE);
  }

  @Override
  public PreparedModel detached() {
    return new PreparedModel(preparation, model.detached(), calibration, prior);
  }

  /** What comes before the model. */
  public Preparation preparation() {
    return preparation;
  }

  /**
   * All preparations that a row goes through, one after the other: automatic mode has one of its
   * own, behind that of the data.
   */
  public List<Preparation> preparations() {
    List<Preparation> all = new ArrayList<>();
    all.add(preparation);
    if (model instanceof PreparedModel inner) {
      all.addAll(inner.preparations());
    }
    return all;
  }

  /** Of a mean, each behind this preparation. */
  @Override
  public List<PreparedModel> members() {
    return model.members().stream()
        .map(member -> new PreparedModel(preparation, member, null, ClassPrior.none()))
        .toList();
  }

  /** Another model behind the same preparation, with the same probabilities and prior. */
  public PreparedModel with(Model other) {
    return new PreparedModel(preparation, other, calibration, prior);
  }

  /**
   * How much each column of the data counts, the most first: the largest of the learned weights of
   * its features, of a mean the mean of that. Empty where all count alike.
   */
  public Map<String, Double> columnWeights() {
    return ColumnWeights.of(model.members().isEmpty() ? List.of(this) : members());
  }

  @Override
  public Optional<ModelForm> form() {
    return model.form();
  }

  /**
   * What a program that answers by the sign or the largest of the scores must add to them, so that
   * its answers to rows far from all that was learned are those of this model: ±{@link
   * Prediction#NOTHING} for the class that was learned most often, and 0 for all others.
   */
  public double[] priorScores() {
    return prior.scores(model.task(), model.classes());
  }

  /** What makes probabilities of scores, if the model was learned with it. */
  public Optional<Calibration> calibration() {
    return Optional.ofNullable(calibration);
  }

  @Override
  public Task task() {
    return model.task();
  }

  @Override
  public Optional<AvmModel> expansion() {
    return model.expansion();
  }

  /** In the units of the rows before they are scaled. */
  @Override
  public List<CorePoint> corePoints(int most) {
    return model.corePoints(most).stream()
        .map(point -> point.in(preparation.scaler()::inverse))
        .toList();
  }

  /** In the units of the rows before they are scaled. */
  @Override
  public List<Neighbour> nearest(Features x, int most) {
    return model.nearest(preparation.transform(x, new Features.Buffer()), most).stream()
        .map(near -> near.in(preparation.scaler()::inverse))
        .toList();
  }

  /** In the units of the rows before they are scaled. */
  @Override
  public Optional<ClusterSummary> clusters() {
    return model.clusters().map(summary -> summary.in(preparation.scaler()::inverse));
  }

  @Override
  public int regionOf(Features x) {
    return model.regionOf(preparation.transform(x, new Features.Buffer()));
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
    model.score(preparation.transform(x, new Features.Buffer()), scores);
    preparation.labels().inverseScores(scores);
  }

  @Override
  public double predict(Features x) {
    Features z = preparation.transform(x, new Features.Buffer());
    return preparation.labels().inverse(prior.predict(model, z));
  }

  @Override
  public Prediction answer(Features x) {
    Prediction inner = model.answer(preparation.transform(x, new Features.Buffer()));
    return preparation.inverse(prior.answer(inner, model.task()), calibration());
  }

  /**
   * The whole answer to a row by column name, which a {@link RowEncoder} makes features of: missing
   * numbers are the mean of their column, unknown columns and categories are left out.
   */
  public Prediction answer(Map<String, ?> row) {
    return answer(rows.encode(row));
  }

  /**
   * The whole answer to a row by column name or by index; unknown columns and categories are left
   * out.
   *
   * @throws RefusedRowException if a value is no value, or the model knows rows of the other form
   */
  public Prediction answer(Row row) {
    return answer(rules.features(row, true));
  }

  /**
   * Explains answers to rows of the data. Where the model was saved without usual values, a number
   * is held against the mean of its column, and all else against 0 or no category.
   */
  public Explainer explainer() {
    Features usual =
        preparation.background().usual().orElseGet(() -> UsualValues.known(preparation.schema()));
    return new Explainer(this, preparation.schema(), usual);
  }

  /**
   * The predicted label as it stands in the data, a text if labels are texts; 1 and -1 for an
   * anomaly and none; the number of a cluster.
   */
  public String labelText(Prediction answer) {
    return task().isUnsupervised() ? Decimal.text(answer.label()) : rows.labelText(answer.label());
  }

  @Override
  public boolean isCalibrated() {
    return calibration != null || model.isCalibrated();
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
    out.bool(calibration != null);
    if (calibration != null) {
      out.section("calibration", calibration::encode);
    }
    out.nested(model);
    prior.append(out);
  }

  /** The model that was appended. */
  public static PreparedModel decode(Decoder in) throws ModelFileException {
    return decode(in, from -> from.section("calibration", Calibration::decode));
  }

  /** The model of the {@link Pipeline} that was appended. */
  public static PreparedModel decodePipeline(Decoder in) throws ModelFileException {
    return decode(in, from -> from.section("calibrator", Calibrator::decode).snapshot());
  }

  private static PreparedModel decode(Decoder in, ModelFile.Content<Calibration> reader)
      throws ModelFileException {
    Preparation preparation = Preparation.decode(in).snapshot();
    Calibration calibration = in.bool() ? reader.read(in) : null;
    Model model = Kinds.installed().model(in);
    return new PreparedModel(preparation, model, calibration, ClassPrior.next(in));
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
      default -> new PreparedModel(Preparation.none(), Kinds.installed().model(file));
    };
  }

  /** What it is and how large, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
