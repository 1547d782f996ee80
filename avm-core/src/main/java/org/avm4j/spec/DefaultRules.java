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
 * Makes a learner from a {@link LearnerSpec}. Options that are given are used; the others follow
 * from a survey of the data, if there was one: the task from the labels, scaling from the ranges,
 * kernel width and cell diameter from the distances of rows, λ from their number. These are the
 * rules of the command line.
 *
 * <p>Without a survey, automatic mode finds all options from the stream itself. For every other
 * learner, options that only data could determine must be given; otherwise a {@link SpecException}
 * is thrown.
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

  /** Rules without a survey of the data. */
  public DefaultRules(LearnerSpec spec) {
    this(spec, new Schema(), new DataContext(spec.task().orElse(null), null, List.of(), 0));
  }

  /**
   * Rules with a survey of the data.
   *
   * @param survey the survey, made with the scaling of the specification
   * @param schema the names of columns, categories and labels
   * @param rows the number of rows that will be learned; 0 if unknown
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

  /** The specification. */
  public LearnerSpec spec() {
    return spec;
  }

  /** What is known about the data. */
  public DataContext data() {
    return data;
  }

  /** The task, as given or as the labels suggest. */
  public Task task() {
    return data.task();
  }

  /** Whether options that are not given are searched for. */
  public boolean isAutomatic() {
    return spec.family().isAutomatic(spec);
  }

  /** The preparation of the data: names, scaling, and the map of labels. */
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
          "{scale} needs data that is read beforehand, except in automatic mode",
          LearnerSpec.SCALE);
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

  /** The calibrator, which sets of labels need as well; null if none is needed. */
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

  /** The rules for a single learner with a limited number of vectors. */
  public DefaultRules ofSize(int size) {
    return with(spec.family().ofSize(spec, size, data));
  }

  /** The options of a single AVM, for code that trains one itself. */
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
