package org.avm4j.spec;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.pipeline.Labels;
import org.avm4j.spec.GridSearch.Axis;
import org.avm4j.table.Scaling;

/**
 * The Approximation Vector Machine, and automatic mode, which finds its settings.
 *
 * <p>The step is the second-order one, unless an option is given that only SGD has ({@code lambda},
 * {@code c}, {@code output}, {@code y-max}, no cells). With the second-order step and without
 * {@code gamma}, automatic mode searches for all options that are not given, with at most 500
 * vectors. Otherwise one machine without a size cap is made. Its width and diameter follow from the
 * distances between rows, and λ from the number of rows.
 */
final class AvmFamily implements LearnerFamily {
  static final String NAME = LearnerFamilies.AVM;
  static final String KERNEL = "kernel";
  static final String GAMMA = "gamma";
  static final String DELTA = "delta";
  static final String UPDATE = "update";
  static final String PRIOR = "prior";
  static final String LAMBDA = LearnerSpec.LAMBDA;
  static final String C = LearnerSpec.C;
  static final String LINEAR = "linear";
  static final String CHANGE = "change";
  static final String METRIC = "metric";
  static final String MAX_SIZE = "max-size";
  static final String AT_LIMIT = "at-limit";

  /** λ if the number of rows is unknown. */
  private static final double DEFAULT_LAMBDA = 1e-5;

  /** Options of a single machine; with any of them automatic mode grows no tree. */
  private static final List<String> ONE_MACHINE =
      List.of(
          MAX_SIZE, AT_LIMIT, DELTA, "coverage", "beta", "rho", "when-confident", "forget", UPDATE);

  private static final int DIAMETERS = 5;
  private static final List<SpecOption> OPTIONS = AvmWords.options();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<SpecOption> options() {
    return OPTIONS;
  }

  @Override
  public OnlineLearner create(LearnerSpec spec, DataContext data) {
    return isAutomatic(spec)
        ? new AutoAvm(autoOptions(spec, data), data.meanLabel())
        : new Avm(options(spec, data));
  }

  /**
   * The second-order step has no bias, so numbers are centred for it; automatic mode does so
   * itself.
   */
  @Override
  public Labels labels(LearnerSpec spec, DataContext data) {
    boolean isCentred =
        data.isTaskKnown()
            && data.task().isRegression()
            && update(spec).isSecondOrder()
            && !isAutomatic(spec);
    return isCentred ? data.standardLabels() : LearnerFamily.super.labels(spec, data);
  }

  @Override
  public boolean isAutomatic(LearnerSpec spec) {
    return update(spec).isSecondOrder() && !spec.has(GAMMA);
  }

  @Override
  public LearnerSpec single(LearnerSpec spec, DataContext data) {
    return isAutomatic(spec) ? spec.with(GAMMA, data.gamma(AvmWords.kernel(spec))) : spec;
  }

  @Override
  public LearnerSpec ofSize(LearnerSpec spec, int size, DataContext data) {
    LearnerSpec sized = single(spec, data).with(MAX_SIZE, size);
    return isAutomatic(spec)
        ? sized
            .with(DELTA, spec.number(DELTA, AutoOptions.NO_DIAMETER))
            .with(AT_LIMIT, AvmWords.limit(spec, Limit.MERGE).word())
        : sized;
  }

  @Override
  public List<Axis> grid(LearnerSpec spec, DataContext data) {
    List<Axis> axes = new ArrayList<>();
    axes.add(spec.axis(GAMMA, PaperGrids.gamma()));
    axes.add(
        spec.has(DELTA)
            ? Axis.of(DELTA, spec.number(DELTA, 0))
            : Axis.of(DELTA, data.diameters(DIAMETERS)));
    axes.add(
        update(spec).isSecondOrder()
            ? spec.axis(PRIOR, PaperGrids.prior())
            : lambdaAxis(spec, data));
    return axes;
  }

  private static Axis lambdaAxis(LearnerSpec spec, DataContext data) {
    return spec.has(LAMBDA) || spec.has(C)
        ? Axis.of(LAMBDA, regularization(spec, data.rows()))
        : Axis.of(LAMBDA, PaperGrids.lambda(data.knownRows()));
  }

  /** The options of a single machine. */
  static AvmOptions options(LearnerSpec spec, DataContext data) {
    Kernel kernel = AvmWords.kernel(spec);
    double gamma = spec.has(GAMMA) ? spec.number(GAMMA, 1) : data.gamma(kernel);
    double diameter = spec.has(DELTA) ? spec.number(DELTA, 1) : data.diameter();
    AvmOptions.Builder builder =
        common(spec, data, data.task(), diameter)
            .kernel(kernel.withGamma(gamma))
            .maxSize(spec.size(MAX_SIZE, 0), AvmWords.limit(spec, Limit.APPROXIMATE));
    double lambda = regularization(spec, data.rows());
    return (update(spec).isSecondOrder() ? builder : builder.regularization(lambda)).build();
  }

  /** The options of automatic mode: those given, and those left free. */
  private AutoOptions autoOptions(LearnerSpec spec, DataContext data) {
    double diameter = spec.number(DELTA, AutoOptions.NO_DIAMETER);
    AvmOptions base =
        common(spec, data, baseTask(spec, data), diameter)
            .kernel(AvmWords.kernel(spec))
            .maxSize(
                spec.size(MAX_SIZE, AutoOptions.DEFAULT_SIZE), AvmWords.limit(spec, Limit.MERGE))
            .build();
    Scaling scaling = data.survey().isPresent() ? Scaling.NONE : spec.scaling();
    AutoOptions options = new AutoOptions(base, scaling, free(spec, data));
    return spec.text(CHANGE, "auto").equals("auto") ? options : options.forTable(data.rows());
  }

  /** The task or, as long as it is unknown, any task that the loss accepts. */
  private static Task baseTask(LearnerSpec spec, DataContext data) {
    if (data.isTaskKnown()) {
      return data.task();
    }
    Loss loss = AvmWords.loss(spec, Task.binary());
    return loss.forRegression() ? Task.regression() : Task.binary();
  }

  private static EnumSet<Choice> free(LearnerSpec spec, DataContext data) {
    EnumSet<Choice> free = EnumSet.of(Choice.WIDTH);
    addIf(free, Choice.TASK, !data.isTaskKnown());
    addIf(free, Choice.LOSS, !data.isTaskKnown() && !spec.has("loss"));
    addIf(free, Choice.KERNEL, !spec.has(KERNEL));
    addIf(free, Choice.PRIOR, !spec.has(PRIOR));
    addIf(free, Choice.SCALING, !spec.has(LearnerSpec.SCALE) && !spec.has(DELTA));
    addIf(free, Choice.LINEAR, !spec.has(LINEAR));
    boolean grows = ONE_MACHINE.stream().noneMatch(spec::has);
    addIf(free, Choice.TREE, grows);
    addIf(free, Choice.CHANGE, grows && spec.text(CHANGE, "auto").equals("auto"));
    addIf(free, Choice.METRIC, grows && spec.text(METRIC, "auto").equals("auto"));
    return free;
  }

  private static void addIf(EnumSet<Choice> free, Choice choice, boolean isFree) {
    if (isFree) {
      free.add(choice);
    }
  }

  private static AvmOptions.Builder common(
      LearnerSpec spec, DataContext data, Task task, double diameter) {
    Labels labels = spec.family().labels(spec, data);
    return AvmOptions.binary()
        .task(task)
        .loss(AvmWords.loss(spec, task))
        .coverage(AvmWords.coverage(spec, diameter))
        .approximation(AvmWords.approximation(spec))
        .output(AvmWords.output(spec))
        .update(update(spec))
        .yMax(spec.number("y-max", 0))
        .forgetting(AvmWords.forgetting(spec))
        .classWeights(AvmWords.classWeights(spec, data, labels))
        .seed(spec.seed());
  }

  /** The step that is given, or that the other options imply. */
  static Update update(LearnerSpec spec) {
    boolean impliesSgd =
        spec.has(LAMBDA)
            || spec.has(C)
            || spec.number("y-max", 0) > 0
            || !spec.text("output", "last").equals("last")
            || !AvmWords.hasCells(spec);
    if (spec.text(UPDATE, impliesSgd ? "sgd" : "newton").equals("sgd")) {
      return Update.sgd();
    }
    return newton(spec);
  }

  /** The second-order step with its prior and its linear part. */
  static Update newton(LearnerSpec spec) {
    return Update.newton(
        spec.number(PRIOR, Update.DEFAULT_PRIOR), spec.size(LINEAR, Update.NO_LINEAR_PART));
  }

  /** λ: as given, from C, or by default 1/rows, or 1/horizon if the horizon is shorter. */
  static double regularization(LearnerSpec spec, long rows) {
    if (spec.has(C) && spec.has(LAMBDA)) {
      throw new SpecException(
          "{c} and {lambda} set the same parameter, give one of them", C, LAMBDA);
    }
    if (spec.has(C) && rows == 0) {
      throw new SpecException(
          "{c} needs the number of rows, which is unknown for standard input: give {lambda}",
          C,
          LAMBDA);
    }
    if (spec.has(C)) {
      return 1 / (spec.number(C, 1) * rows);
    }
    return spec.number(LAMBDA, defaultLambda(spec, rows));
  }

  private static double defaultLambda(LearnerSpec spec, long rows) {
    double horizon = AvmWords.forgetting(spec).horizon();
    double window = Math.min(horizon, rows == 0 ? Double.POSITIVE_INFINITY : rows);
    return Double.isInfinite(window) ? DEFAULT_LAMBDA : 1 / window;
  }
}
