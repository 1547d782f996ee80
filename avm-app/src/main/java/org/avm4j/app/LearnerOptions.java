package org.avm4j.app;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.avm4j.AnomalyDetector;
import org.avm4j.AnomalyOptions;
import org.avm4j.Approximation;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Output;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.data.Decimal;
import org.avm4j.data.Scaling;
import org.avm4j.spec.Survey;
import org.avm4j.lab.baseline.BaselineOptions;
import org.avm4j.lab.baseline.Baselines;
import org.avm4j.lab.baseline.Method;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The choices of a learner. What is not given is chosen from a look at the data. */
final class LearnerOptions implements Cloneable {
  static final String AVM = "avm";

  enum UpdateName {
    SGD,
    NEWTON;

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  enum TaskName {
    AUTO,
    BINARY,
    MULTICLASS,
    REGRESSION,
    ANOMALY;

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  enum LossName {
    HINGE,
    SMOOTH_HINGE,
    LOGISTIC,
    L1,
    L2,
    EPSILON_INSENSITIVE;

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  enum KernelName {
    GAUSSIAN(Kernel.Gaussian.class, Kernel.Gaussian::new),
    LAPLACIAN(Kernel.Laplacian.class, Kernel.Laplacian::new),
    RATIONAL_QUADRATIC(Kernel.RationalQuadratic.class, Kernel.RationalQuadratic::new),
    MATERN32(Kernel.Matern32.class, Kernel.Matern32::new),
    MATERN52(Kernel.Matern52.class, Kernel.Matern52::new);

    private final Class<? extends Kernel> type;
    private final DoubleFunction<Kernel> make;

    KernelName(Class<? extends Kernel> type, DoubleFunction<Kernel> make) {
      this.type = type;
      this.make = make;
    }

    Kernel of(double gamma) {
      return make.apply(gamma);
    }

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  enum CoverageName {
    SPHERE,
    RECTANGLE,
    NONE;

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  enum OutputName {
    LAST,
    AVERAGE,
    SUFFIX;

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  @Option(
      names = "--learner",
      paramLabel = "NAME",
      description =
          "avm, or a baseline of the paper: perceptron, ogd, rbp, forgetron, projectron,"
              + " projectron++, bpas, bogd, fogd, nogd, bsgd-m, bsgd-r. Default: avm.")
  String name = AVM;

  @Option(
      names = "--task",
      paramLabel = "NAME",
      description =
          "${COMPLETION-CANDIDATES}; anomaly needs no labels. Default: auto, from the labels.")
  TaskName task = TaskName.AUTO;

  @Option(
      names = "--loss",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES}. Default: hinge for classes, l2 for numbers.")
  LossName loss;

  @Option(
      names = "--tau",
      paramLabel = "X",
      description = "Width of the smooth hinge's corner. Default: 0.5.")
  double tau = 0.5;

  @Option(
      names = "--epsilon",
      paramLabel = "X",
      description = "Error that the epsilon-insensitive loss forgives. Default: 0.1.")
  Double epsilon;

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      description =
          "${COMPLETION-CANDIDATES}. Default: gaussian or laplacian, whichever wins; gaussian where"
              + " --gamma is given.")
  KernelName kernel;

  @Option(
      names = {"-g", "--gamma"},
      paramLabel = "X",
      description =
          "Width of the kernel; the Gaussian is exp(-gamma d^2). Default: whichever wins; by sgd 1"
              + " over the mean squared distance of two rows.")
  Double gamma;

  @Option(
      names = "--delta",
      paramLabel = "X",
      description =
          "Diameter of a cell. Default: as small as --max-size allows; by sgd, or where --gamma is"
              + " given, twice the mean distance of two rows less two deviations.")
  Double delta;

  @Option(
      names = "--update",
      paramLabel = "NAME",
      description =
          "sgd, the paper's step, or newton, a second-order step over all core points. Default:"
              + " newton, but sgd where --lambda, -c, --output or --y-max speak of it.")
  UpdateName update;

  @Option(
      names = "--prior",
      paramLabel = "X",
      description =
          "Strength of the prior of newton. Default: whichever wins; 0.1 where --gamma is given.")
  Double prior;

  @Option(
      names = "--lambda",
      paramLabel = "X",
      description =
          "Regularization. Default: 1/rows or 1/horizon, and 1e-5 for standard input without one.")
  Double lambda;

  @Option(
      names = "-c",
      paramLabel = "C",
      description = "As in LIBSVM, instead of --lambda: lambda = 1/(C rows).")
  Double c;

  @Option(
      names = "--coverage",
      paramLabel = "NAME",
      description =
          "Shape of the cells: ${COMPLETION-CANDIDATES}; none keeps every instance. Default:"
              + " sphere.")
  CoverageName coverage = CoverageName.SPHERE;

  @Option(
      names = "--beta",
      paramLabel = "X",
      description = "Approximate step t with probability 1 - beta/t^rho. Default: 0, always.")
  double beta = 0;

  @Option(names = "--rho", paramLabel = "X", description = "See --beta. Default: 1.")
  double rho = 1;

  @Option(
      names = "--when-confident",
      description = "Approximate only instances whose margin is at least 1.")
  boolean whenConfident;

  @Option(
      names = "--output",
      paramLabel = "NAME",
      description = "Which iterate answers: ${COMPLETION-CANDIDATES}. Default: last.")
  OutputName output = OutputName.LAST;

  @Option(
      names = "--suffix",
      paramLabel = "X",
      description = "Part of the stream that --output suffix averages. Default: 0.5.")
  double suffix = 0.5;

  @Option(
      names = "--max-size",
      paramLabel = "N",
      description =
          "Largest number of vectors. Default: 500; by sgd, or where --gamma is given, 0, no cap.")
  Integer maxSize;

  @Option(
      names = "--at-limit",
      paramLabel = "WHAT",
      description =
          "What happens at that cap: approximate, the nearest vector takes the update; drop, it is"
              + " lost; merge, cells merge and the diameter grows. Default: merge; by sgd, or where"
              + " --gamma is given, approximate.")
  Limit atLimit;

  @Option(
      names = "--y-max",
      paramLabel = "X",
      description = "Largest |label| of the l2 projection. Default: the largest seen so far.")
  double yMax = 0;

  @ArgGroup(validate = false, heading = "%nAnomalies:%n")
  AnomalyFlags anomaly = new AnomalyFlags();

  @Option(
      names = "--forget",
      paramLabel = "HORIZON",
      description =
          "Forget: instances count less the older they are, by an exponential window of that many,"
              + " and core points not met for long are released. auto: all since the error last rose."
              + " Default: none.")
  String forget = "none";

  @Option(
      names = "--class-weight",
      paramLabel = "W",
      description =
          "How much the loss of a class counts: CLASS=X,CLASS=X,... with 1 for all others, or"
              + " balanced, from running counts. Default: 1 for all.")
  String classWeight;

  @ArgGroup(validate = false, heading = "%nBaselines:%n")
  BaselineFlags baseline = new BaselineFlags();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all that is random. Default: 1.")
  long seed = 1;

  private boolean mayRace;
  private boolean isScaled;

  /** The task, from the labels where it is not given. */
  Task task(Survey survey, boolean namedLabels) {
    return switch (task) {
      case BINARY -> new Task.Binary();
      case MULTICLASS -> Task.multiclass();
      case REGRESSION -> new Task.Regression();
      case AUTO -> survey.task(namedLabels);
      case ANOMALY ->
          throw new Failure(
              Failure.USAGE, "--task anomaly is for online and train, row by row, not for this");
    };
  }

  boolean isAnomaly() {
    return task == TaskName.ANOMALY;
  }

  /** A new detector of anomalies; what speaks of other learners is refused. */
  AnomalyDetector detector() {
    boolean speaksOfOthers =
        !name.equals(AVM)
            || loss != null
            || gamma != null
            || update != null
            || prior != null
            || lambda != null
            || c != null
            || !forget.equals("none")
            || classWeight != null;
    if (speaksOfOthers) {
      throw new Failure(
          Failure.USAGE,
          "--task anomaly has no --learner, --loss, --gamma, --update, --prior, --lambda, -c,"
              + " --forget or --class-weight");
    }
    return new AnomalyDetector(
        new AnomalyOptions(
            anomaly.support,
            anomaly.rate,
            maxSize == null || maxSize == 0 ? AnomalyOptions.DEFAULT.maxSize() : maxSize,
            delta == null ? AnomalyOptions.DEFAULT.diameter() : delta));
  }

  /** A new learner for the task; {@code rows} is 0 where nobody knows how many there will be. */
  OnlineLearner create(Task wanted, Survey survey, long rows, ToDoubleFunction<String> labels) {
    if (isAutomatic()) {
      return new AutoAvm(automatic(wanted, labels), survey.meanLabel());
    }
    if (name.equals(AVM)) {
      return new Avm(options(wanted, survey, rows, labels));
    }
    if (!forget.equals("none") || classWeight != null) {
      throw new Failure(Failure.USAGE, "--forget and --class-weight are for avm, not for " + name);
    }
    return Baselines.create(baselineOptions(wanted, survey));
  }

  private BaselineOptions baselineOptions(Task wanted, Survey survey) {
    BaselineOptions.Builder builder =
        BaselineOptions.of(Method.named(name), wanted)
            .gamma(gamma == null ? survey.gamma(Kernel.Gaussian.class) : gamma)
            .seed(seed);
    if (lambda != null) {
      builder.lambda(lambda);
    }
    if (epsilon != null) {
      builder.epsilon(epsilon);
    }
    return baseline.set(builder).build();
  }

  /**
   * All choices, with what was not given chosen from the survey; {@code labels} gives the label
   * that is learned for the text of a class.
   */
  AvmOptions options(Task wanted, Survey survey, long rows, ToDoubleFunction<String> labels) {
    double width = gamma == null ? survey.gamma(kernel().type) : gamma;
    double diameter = delta == null ? survey.diameter() : delta;
    return common(wanted, diameter, labels)
        .kernel(kernel().of(width))
        .regularization(regularization(rows))
        .maxSize(maxSize == null ? 0 : maxSize, atLimit == null ? Limit.APPROXIMATE : atLimit)
        .build();
  }

  private KernelName kernel() {
    return kernel == null ? KernelName.GAUSSIAN : kernel;
  }

  private AvmOptions.Builder common(Task wanted, double diameter, ToDoubleFunction<String> labels) {
    return builder(wanted)
        .loss(loss(wanted))
        .coverage(
            coverage == CoverageName.RECTANGLE
                ? new Coverage.Rectangle(diameter)
                : new Coverage.Sphere(diameter))
        .approximation(approximation())
        .output(output())
        .update(update())
        .yMax(yMax)
        .forgetting(forgetting())
        .classWeights(classWeights(labels))
        .seed(seed);
  }

  /**
   * Whether what is not given is found out by a race; a width given by hand leaves nothing to race.
   */
  boolean isAutomatic() {
    return mayRace && isSecondOrder() && !isAnomaly() && gamma == null;
  }

  /** What is given, and what is free. */
  private AutoOptions automatic(Task wanted, ToDoubleFunction<String> labels) {
    AvmOptions base =
        common(wanted, delta == null ? AutoOptions.NO_DIAMETER : delta, labels)
            .kernel(kernel().of(1))
            .maxSize(
                maxSize == null ? AutoOptions.DEFAULT_SIZE : maxSize,
                atLimit == null ? Limit.MERGE : atLimit)
            .build();
    EnumSet<AutoOptions.Choice> free = EnumSet.of(AutoOptions.Choice.WIDTH);
    if (kernel == null) {
      free.add(AutoOptions.Choice.KERNEL);
    }
    if (prior == null) {
      free.add(AutoOptions.Choice.PRIOR);
    }
    if (!isScaled && delta == null) {
      free.add(AutoOptions.Choice.SCALING);
    }
    return new AutoOptions(base, Scaling.NONE, free);
  }

  /** Rows may race for what is not given; {@code scaled} says that they are scaled by hand. */
  void mayRace(boolean scaled) {
    mayRace = true;
    isScaled = scaled;
  }

  /** λ, given as such, as C, or by default. */
  double regularization(long rows) {
    if (c != null && lambda != null) {
      throw new Failure(Failure.USAGE, "-c and --lambda say the same, give one of them");
    }
    if (c != null) {
      if (rows == 0) {
        throw new Failure(
            Failure.USAGE, "-c needs the number of rows, for standard input give --lambda");
      }
      return 1 / (c * rows);
    }
    if (lambda != null) {
      return lambda;
    }
    double window =
        forgetting() instanceof Forgetting.Horizon fixed
            ? Math.min(fixed.instances(), rows == 0 ? Double.MAX_VALUE : rows)
            : rows;
    return window == 0 ? 1e-5 : 1 / window;
  }

  /** The update that is given, or that the other options speak of. */
  Update update() {
    boolean speaksOfSgd =
        lambda != null
            || c != null
            || yMax > 0
            || output != OutputName.LAST
            || coverage == CoverageName.NONE;
    UpdateName chosen = speaksOfSgd ? UpdateName.SGD : UpdateName.NEWTON;
    if ((update == null ? chosen : update) == UpdateName.SGD) {
      return new Update.Sgd();
    }
    return prior == null ? new Update.Newton() : new Update.Newton(prior);
  }

  /** Whether the second-order step will be taken. */
  boolean isSecondOrder() {
    return name.equals(AVM) && update() instanceof Update.Newton;
  }

  /** The same options but for one number. */
  LearnerOptions with(String option, double value) {
    LearnerOptions changed = copy();
    changed.set(option, value);
    return changed;
  }

  /** The same options with at most so many vectors, of one machine where many would race. */
  LearnerOptions ofSize(int size, Survey survey) {
    LearnerOptions changed = copy();
    changed.maxSize = size;
    if (isAutomatic()) {
      changed.gamma = survey.gamma(kernel().type);
      changed.delta = delta == null ? AutoOptions.NO_DIAMETER : delta;
      changed.atLimit = atLimit == null ? Limit.MERGE : atLimit;
    }
    return changed;
  }

  private LearnerOptions copy() {
    try {
      return (LearnerOptions) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void set(String option, double value) {
    switch (option) {
      case "gamma" -> gamma = value;
      case "delta" -> delta = value;
      case "lambda" -> {
        lambda = value;
        c = null;
      }
      case "prior" -> prior = value;
      default -> baseline = baseline.with(option, value);
    }
  }

  private AvmOptions.Builder builder(Task wanted) {
    AvmOptions.Builder builder =
        wanted instanceof Task.Regression ? AvmOptions.regression() : AvmOptions.binary();
    return builder.task(wanted);
  }

  private Loss loss(Task wanted) {
    if (loss == null) {
      return wanted instanceof Task.Regression ? new Loss.Squared() : new Loss.Hinge();
    }
    return switch (loss) {
      case HINGE -> new Loss.Hinge();
      case SMOOTH_HINGE -> new Loss.SmoothHinge(tau);
      case LOGISTIC -> new Loss.Logistic();
      case L1 -> new Loss.Absolute();
      case L2 -> new Loss.Squared();
      case EPSILON_INSENSITIVE -> new Loss.EpsilonInsensitive(epsilon == null ? 0.1 : epsilon);
    };
  }

  private Approximation approximation() {
    if (coverage == CoverageName.NONE) {
      return new Approximation.Never();
    }
    if (whenConfident) {
      return new Approximation.WhenConfident();
    }
    return beta == 0 ? new Approximation.Always() : new Approximation.Decaying(beta, rho);
  }

  private Forgetting forgetting() {
    if (forget.equals("none")) {
      return new Forgetting.None();
    }
    if (forget.equals("auto")) {
      return new Forgetting.Auto();
    }
    try {
      return new Forgetting.Horizon(Long.parseLong(forget));
    } catch (NumberFormatException notANumber) {
      throw new Failure(
          Failure.USAGE, "--forget must be none, auto or a number of instances: '" + forget + "'");
    }
  }

  private ClassWeights classWeights(ToDoubleFunction<String> labels) {
    if (classWeight == null) {
      return ClassWeights.none();
    }
    if (classWeight.equals("balanced")) {
      return ClassWeights.balanced();
    }
    Map<Double, Double> weights = new HashMap<>();
    for (String pair : classWeight.split(",")) {
      int at = pair.lastIndexOf('=');
      if (at < 1
          || weights.put(labels.applyAsDouble(pair.substring(0, at)), weight(pair)) != null) {
        throw new Failure(
            Failure.USAGE,
            "--class-weight must be balanced, or CLASS=X for different classes: '" + pair + "'");
      }
    }
    return ClassWeights.of(weights);
  }

  private static double weight(String pair) {
    double weight = Decimal.parse(pair.substring(pair.lastIndexOf('=') + 1));
    if (!(weight > 0)) {
      throw new Failure(Failure.USAGE, "a class weight must be > 0: '" + pair + "'");
    }
    return weight;
  }

  private Output output() {
    return switch (output) {
      case LAST -> new Output.Last();
      case AVERAGE -> new Output.Average();
      case SUFFIX -> new Output.Suffix(suffix);
    };
  }
}
