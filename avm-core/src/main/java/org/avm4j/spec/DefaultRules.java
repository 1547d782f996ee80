package org.avm4j.spec;

import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.conformal.Conformal;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.explain.Background;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.spec.GridSearch.Axis;
import org.avm4j.table.Scaling;

/**
 * Makes a learner of a {@link LearnerSpec}. What is given is taken as given; the rest follows from
 * a look at the data, if there was one: the task from the labels, scaling from the ranges, kernel
 * width and cell diameter from the distances of rows, λ from their number. These are the rules of
 * the command line.
 *
 * <p>Without a look at the data, automatic mode finds all from the stream itself; every other
 * learner must be told what only data could tell, or is refused with a {@link SpecException}.
 *
 * <pre>{@code
 * Survey survey = new Survey(spec.scaling());
 * rows.forEach(row -> survey.add(row.features(), row.label()));
 * Pipeline pipeline = new DefaultRules(spec, survey, new Schema(), rows.size()).pipeline();
 * }</pre>
 */
public final class DefaultRules {
  private final LearnerSpec spec;
  private final Schema schema;
  private final DataContext data;

  /** For data that nobody has looked at. */
  public DefaultRules(LearnerSpec spec) {
    this(spec, new Schema(), new DataContext(spec.task().orElse(null), null, List.of(), 0));
  }

  /**
   * For data that was looked at.
   *
   * @param survey what was found, by the scaling of the specification
   * @param schema the names of columns, categories and labels
   * @param rows the number of rows that will be learned, 0 if nobody knows
   */
  public DefaultRules(LearnerSpec spec, Survey survey, Schema schema, long rows) {
    this(
        spec,
        schema,
        new DataContext(
            spec.task().orElseGet(() -> survey.task(!schema.labels().isEmpty())),
            survey,
            schema.labels(),
            rows));
  }

  private DefaultRules(LearnerSpec spec, Schema schema, DataContext data) {
    this.spec = spec;
    this.schema = schema;
    this.data = data;
  }

  /** The rules for another specification of the same task, over the same data. */
  public DefaultRules with(LearnerSpec other) {
    return new DefaultRules(other, schema, data);
  }

  /** What is given. */
  public LearnerSpec spec() {
    return spec;
  }

  /** What is known of the data. */
  public DataContext data() {
    return data;
  }

  /** The task, as given or as the labels look. */
  public Task task() {
    return data.task();
  }

  /** Whether what is not given is searched for. */
  public boolean isAutomatic() {
    return spec.family().isAutomatic(spec);
  }

  /** What stands between the data and the learner: names, scaling, and the map of labels. */
  public Preparation preparation() {
    Labels labels = spec.family().labels(spec, data);
    return new Preparation(schema, scaler(), labels, background());
  }

  private Background background() {
    return data.survey()
        .map(survey -> Background.UNKNOWN.withUsual(survey.usual(schema)))
        .orElse(Background.UNKNOWN);
  }

  private Scaler scaler() {
    if (data.survey().isEmpty() && spec.scaling() != Scaling.NONE && !isAutomatic()) {
      throw new SpecException(
          "{scale} needs a look at the data first, except in automatic mode", LearnerSpec.SCALE);
    }
    return data.survey().map(Survey::scaler).orElseGet(Scaler::none);
  }

  /** A new learner for rows that come out of the {@link #preparation}. */
  public OnlineLearner learner() {
    return spec.family().create(spec, data);
  }

  /**
   * A new learner for rows of the data; with the option {@code probability}, one whose answers
   * carry probabilities; with {@code interval}, one whose answers say how sure they are.
   */
  public Pipeline pipeline() {
    return new Pipeline(preparation(), learner(), calibrator(), ClassPrior.counting(), certainty());
  }

  /** Sets of labels are made of probabilities. */
  private Calibrator calibrator() {
    boolean isAsked = spec.flag(LearnerSpec.PROBABILITY);
    boolean hasClasses =
        !data.isTaskKnown()
            || task().kind() == Task.Kind.BINARY
            || task().kind() == Task.Kind.MULTICLASS;
    if (isAsked && !hasClasses) {
      throw new SpecException(
          "{probability} needs classes to be predicted, the task is " + task().word(),
          LearnerSpec.PROBABILITY);
    }
    return isAsked || hasClasses && spec.has(LearnerSpec.INTERVAL) ? new Calibrator() : null;
  }

  private Conformal certainty() {
    if (!spec.has(LearnerSpec.INTERVAL)) {
      return null;
    }
    if (spec.isUnsupervised()) {
      throw new SpecException(
          "{interval} needs numbers or classes to be predicted, the task is "
              + spec.task().orElseThrow().word(),
          LearnerSpec.INTERVAL);
    }
    return new Conformal(spec.number(LearnerSpec.INTERVAL, 0) / 100);
  }

  /** The rules for a learner that searches for nothing. */
  public DefaultRules single() {
    return with(spec.family().single(spec, data));
  }

  /** The rules for a learner with a limited number of vectors, a single one in any case. */
  public DefaultRules ofSize(int size) {
    return with(spec.family().ofSize(spec, size, data));
  }

  /** The options of a single AVM, for what trains one in its own way. */
  public AvmOptions avmOptions() {
    if (!spec.family().name().equals(AvmFamily.NAME)) {
      throw new SpecException(
          "{learner} must be avm here, not " + spec.family().name(), LearnerSpec.LEARNER);
    }
    return AvmFamily.options(spec, data);
  }

  /** λ: as given, as C, or by the number of rows. */
  public double regularization() {
    return AvmFamily.regularization(spec, data.rows());
  }

  /** The paper's grid for the options that are not given. */
  public List<Axis> grid() {
    return spec.family().grid(spec, data);
  }
}
