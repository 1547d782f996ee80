package org.avm4j.lab.paper;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.avm4j.Approximation;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.lab.baseline.BaselineOptions;
import org.avm4j.lab.baseline.Baselines;
import org.avm4j.lab.baseline.BatchOptions;
import org.avm4j.lab.baseline.Method;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/**
 * The methods that are compared: those of the paper, by its names, and our own. To add one, add a
 * constant with the names of its settings, create its learner in {@link #online}, and add its
 * settings to {@code settings.csv}.
 */
public enum Contender {
  LIBSVM("LIBSVM", "batch", "gamma cost"),
  LLSVM("LLSVM", "batch", "gamma cost budget"),
  BSGD_M("BSGD-M", "batch", "gamma nlambda budget", Method.BSGD_M),
  BSGD_R("BSGD-R", "batch", "gamma nlambda budget", Method.BSGD_R),
  PERCEPTRON("Perceptron", "online", "gamma", Method.PERCEPTRON),
  OGD("OGD", "online", "gamma eta", Method.OGD),
  RBP("RBP", "online regression budget", "gamma eta budget", Method.RBP),
  FORGETRON("Forgetron", "online regression budget", "gamma eta budget", Method.FORGETRON),
  PROJECTRON("Projectron", "online regression budget", "gamma eta budget", Method.PROJECTRON),
  PROJECTRON_PLUS_PLUS(
      "Projectron++", "online budget", "gamma budget", Method.PROJECTRON_PLUS_PLUS),
  BPAS("BPAS", "online budget", "gamma cost budget", Method.BPAS),
  BOGD("BOGD", "online regression budget", "gamma eta budget", Method.BOGD),
  FOGD("FOGD", "batch online regression budget", "gamma eta features", Method.FOGD),
  NOGD("NOGD", "batch online regression budget", "gamma eta budget", Method.NOGD),
  AVM_HINGE(
      "AVM-Hinge",
      "batch online hyperparameters budget",
      "gamma nlambda delta cap beta rho",
      Loss.hinge()),
  AVM_LOGIT("AVM-Logit", "batch online", "gamma nlambda delta cap", Loss.logistic()),
  AVM_EPSILON("AVM-ε", "regression", "gamma nlambda delta cap epsilon"),
  AVM_L1("AVM-ℓ1", "regression", "gamma nlambda delta cap", Loss.absolute()),
  AVM_L2("AVM-ℓ2", "regression", "gamma nlambda delta cap", Loss.squared()),
  AVM_NEWTON("AVM-Newton", "batch online regression budget", "kernel gamma prior delta cap"),
  AVM_NEWTON_BATCH("AVM-Newton, batch", "batch", "kernel gamma prior delta cap passes"),
  AVM_TREE("AVM-tree", "batch online regression", "kernel gamma prior size"),
  AVM_AUTO("AVM-auto", "batch online regression", "");

  private static final double INSENSITIVE = 1e-3;

  private final String label;
  private final List<String> studies;
  private final List<String> keys;
  private final Method method;
  private final Loss loss;

  Contender(String label, String studies, String keys) {
    this(label, studies, keys, null, null);
  }

  Contender(String label, String studies, String keys, Method method) {
    this(label, studies, keys, method, null);
  }

  Contender(String label, String studies, String keys, Loss loss) {
    this(label, studies, keys, null, loss);
  }

  Contender(String label, String studies, String keys, Method method, Loss loss) {
    this.label = label;
    this.studies = List.of(studies.split(" "));
    this.keys = keys.isEmpty() ? List.of() : List.of(keys.split(" "));
    this.method = method;
    this.loss = loss;
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace("_plus_plus", "++").replace('_', '-');
  }

  /** The name in the tables: that of the paper, if it has one. */
  public String label() {
    return label;
  }

  /** The names of the settings that it uses. */
  public List<String> keys() {
    return keys;
  }

  /** The studies that it takes part in, by name. */
  List<String> studies() {
    return studies;
  }

  /** Whether the method is ours and not the paper's. */
  public boolean isOurs() {
    return this == AVM_NEWTON || this == AVM_NEWTON_BATCH || growsTree();
  }

  /** Whether the learner is a tree of machines. */
  private boolean growsTree() {
    return this == AVM_TREE || this == AVM_AUTO;
  }

  /** Whether regression labels are centred, because the second-order step has no bias. */
  boolean isCentred() {
    return this == AVM_NEWTON || this == AVM_TREE;
  }

  /** Whether it is one of the AVM methods. */
  public boolean isAvm() {
    return name().startsWith("AVM");
  }

  /** Whether the size of its model is bounded for any stream. */
  boolean isBounded() {
    return Stream.of("delta", "budget", "features").anyMatch(keys::contains) || growsTree();
  }

  /** The method whose settings are searched instead, if this one is too slow. */
  public Contender searchedAs() {
    return this == BSGD_M ? BSGD_R : this;
  }

  /** Whether it needs all rows at once. */
  public boolean isBatch() {
    return this == LIBSVM || this == LLSVM || this == AVM_NEWTON_BATCH;
  }

  /** Whether the result does not depend on the order of the rows, so that one run is enough. */
  public boolean isDeterministic() {
    return this == LIBSVM;
  }

  /** Whether it takes part in a study on data with this task. */
  public boolean takesPart(Study study, Task task) {
    return studies.contains(study.id()) && supports(task);
  }

  private boolean supports(Task task) {
    if (method != null) {
      return method.supports(task);
    }
    return this != LLSVM || task.kind() == Task.Kind.BINARY;
  }

  /** The contender of this name. */
  public static Contender named(String id) {
    return Arrays.stream(values())
        .filter(contender -> contender.id().equals(id.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a learner must be one of "
                        + String.join(", ", Arrays.stream(values()).map(Contender::id).toList())
                        + ": "
                        + id));
  }

  /**
   * Creates an untrained learner.
   *
   * @param trainingRows the number N in λ = nlambda/N
   */
  public OnlineLearner online(Task task, Settings settings, long trainingRows, long seed) {
    if (this == AVM_AUTO) {
      return new AutoAvm(AutoOptions.of(task));
    }
    if (this == AVM_TREE) {
      return new AvmTree(tree(task, settings, seed));
    }
    return method == null
        ? new Avm(avm(task, settings, trainingRows, seed))
        : Baselines.create(baseline(task, settings, trainingRows, seed));
  }

  /** The options of a tree of the default shape, except for the size of its machines. */
  private static TreeOptions tree(Task task, Settings settings, long seed) {
    AvmOptions machine =
        builder(task, settings, seed)
            .coverage(Coverage.sphere(AutoOptions.NO_DIAMETER))
            .update(Update.newton(settings.number("prior")))
            .build();
    TreeOptions usual = TreeOptions.of(machine);
    int size = settings.whole("size", TreeOptions.DEFAULT_SIZE);
    return new TreeOptions(usual.machine(), size, usual.ways(), usual.maxPoints());
  }

  private static AvmOptions.Builder builder(Task task, Settings settings, long seed) {
    AvmOptions.Builder builder =
        task.isRegression() ? AvmOptions.regression() : AvmOptions.binary();
    return builder.task(task).kernel(kernel(settings)).seed(seed);
  }

  /** The options of a single machine. */
  AvmOptions avm(Task task, Settings settings, long trainingRows, long seed) {
    AvmOptions.Builder builder =
        builder(task, settings, seed)
            .coverage(Coverage.sphere(settings.number("delta")))
            .maxSize(settings.whole("cap", 0), limit());
    if (isOurs()) {
      return builder.update(Update.newton(settings.number("prior"))).build();
    }
    double beta = settings.number("beta", 0);
    return builder
        .loss(loss == null ? Loss.epsilonInsensitive(epsilon(settings)) : loss)
        .regularization(settings.number("nlambda") / trainingRows)
        .approximation(
            beta == 0
                ? Approximation.always()
                : Approximation.decaying(beta, settings.number("rho")))
        .build();
  }

  /** What happens at the size cap; the code of the authors drops updates. */
  private Limit limit() {
    return this == AVM_NEWTON ? Limit.MERGE : isOurs() ? Limit.APPROXIMATE : Limit.DROP;
  }

  private static double epsilon(Settings settings) {
    return settings.number("epsilon", INSENSITIVE);
  }

  private static Kernel kernel(Settings settings) {
    double gamma = settings.number("gamma");
    return settings.word("kernel", "gaussian").equals("laplacian")
        ? Kernel.laplacian(gamma)
        : Kernel.gaussian(gamma);
  }

  private BaselineOptions baseline(Task task, Settings settings, long trainingRows, long seed) {
    BaselineOptions.Builder builder =
        BaselineOptions.of(method, task).gamma(settings.number("gamma")).seed(seed);
    if (settings.has("budget")) {
      builder.budget(settings.whole("budget", 0));
    }
    if (settings.has("features")) {
      builder.features(settings.whole("features", 0));
    }
    if (settings.has("eta")) {
      builder.eta(settings.number("eta"));
    }
    if (settings.has("nlambda")) {
      builder.lambda(settings.number("nlambda") / trainingRows);
    }
    if (settings.has("cost")) {
      builder.aggressiveness(settings.number("cost"));
    }
    return builder.build();
  }

  BatchOptions batch(Task task, Settings settings, long seed) {
    double gamma = settings.number("gamma");
    BatchOptions options =
        this == LIBSVM
            ? BatchOptions.libsvm(task, gamma)
            : BatchOptions.llsvm(task, gamma, settings.whole("budget", 100));
    return options.withCost(settings.number("cost")).withSeed(seed);
  }
}
