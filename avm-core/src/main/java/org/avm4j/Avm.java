package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.StatusBuilder;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;
import org.avm4j.machine.AvmState;
import org.avm4j.machine.MachineParts;
import org.avm4j.machine.Union;
import org.avm4j.newton.NewtonWeights;
import org.avm4j.points.KernelRow;
import org.avm4j.step.DriftWatch;
import org.avm4j.step.Step;

/**
 * Approximation Vector Machine (Le, Nguyen, Nguyen, Phung, JMLR 2017).
 *
 * <p>Minimises λ/2 ‖w‖² + E[ℓ(w; x, y)] over the feature space of an isotropic kernel, one instance
 * at a time, by SGD with step 1/(λt). The gradient α_t Φ(x_t) of an instance is given to the core
 * point of the δ-coverage cell that contains it (Z_t = 1), so that the model holds one vector for
 * each cell; or to x_t itself (Z_t = 0). If no instance is approximated, this is Algorithm 1,
 * kernel SGD. Binary classification and regression are Algorithm 2, several classes Algorithm 5;
 * the cells come from Algorithm 3 or 4. With {@link Update#newton} the core points are the same but
 * every instance moves the coefficients of all of them.
 *
 * <p>A learner belongs to one thread. Classes and features may appear at any time.
 */
public final class Avm implements OnlineLearner {
  /** The kind of a file that holds a whole learner. */
  public static final String KIND = "avm-learner";

  private final AvmOptions options;
  private final MachineParts parts = new Parts();
  private AvmState state;
  private KernelRow row;
  private Step step;
  private double[] labels;
  private double[] answers;

  /** An untrained learner: w_1 = 0. */
  public Avm(AvmOptions options) {
    this(options, AvmState.fresh(options));
  }

  private Avm(AvmOptions options, AvmState state) {
    this.options = options;
    start(state);
  }

  /**
   * A learner that starts from a model with one score and a bias, such as one from another program.
   * The vectors of the model become its first core points. Each counts as one learned instance
   * whose target is the score of the model there. Until it learns, it gives the same answers as the
   * model.
   *
   * @param options must have the second-order step with β₀ as linear part, the kernel and the task
   *     of the model, and room for its vectors
   */
  public static Avm from(AvmModel model, AvmOptions options) {
    AvmOptions its = model.provenance().options();
    boolean isSame = its.task().equals(options.task()) && its.kernel().equals(options.kernel());
    boolean isBiased = model.columns() == 1 && model.linear(0).length == 1;
    boolean hasRoom = options.maxSize() == 0 || options.maxSize() >= model.size();
    Rules.require(
        isSame && isBiased && options.update().linear() == 0,
        "a warm start needs the task and the kernel of the model, one score and a bias",
        options);
    Rules.check(hasRoom, "a warm start needs room for all vectors of the model", model.size());
    Avm learner = new Avm(options);
    learner.goOnFrom(model);
    return learner;
  }

  private void goOnFrom(AvmModel model) {
    for (int j = 0; j < model.size(); j++) {
      state.memory.advance(0, state.weights.t() + 1);
      state.weights.begin();
      row.measure(model.vector(j));
      state.points.meet(state.cap.admit(row, true, true));
    }
    ((NewtonWeights) state.weights).take(model, row);
  }

  @Override
  public void reset() {
    start(AvmState.fresh(options));
  }

  private void start(AvmState from) {
    state = from;
    row = new KernelRow(from.core(), options.kernel());
    step = new Step();
    knowClasses();
  }

  private void knowClasses() {
    int n = state.columns.count();
    labels = state.columns.labels();
    step.reserve(n);
    answers = new double[Math.max(1, n)];
  }

  /** The options of this learner. */
  public AvmOptions options() {
    return options;
  }

  @Override
  public Task task() {
    return options.task();
  }

  @Override
  public boolean hasLogits() {
    return options.loss().hasLogits();
  }

  @Override
  public void learn(Features x, double y, double weight) {
    observe(x, y, weight);
    step(options.approximation().decide(state.weights.t(), step.margin, state.random));
    if (state.memory.isTimeToRelease(size(), state.weights.t())) {
      state.points.release(state.cap::released);
    }
  }

  /** Lines 3 to 5 of Algorithm 2: receives (x_t, y_t) and finds α_t. */
  void observe(Features x, double y, double weight) {
    options.task().check(y);
    OnlineLearner.checkWeight(weight);
    row.measure(x);
    state.weights.read(row);
    state.core().extend(x.dimension());
    step.label = y;
    step.own = columnOf(y);
    for (int c = 0; c < state.columns.count(); c++) {
      step.scores[c] = state.weights.score(c, row) + step.other(c);
    }
    step.rival = state.columns.runnerUp(step.scores, step.own);
    double rivalScore = step.rival == Columns.NONE ? 0 : step.scores[step.rival];
    step.margin = options.task().argument(y, step.scores[step.own], rivalScore);
    state.yMax = options.yMax() > 0 ? state.yMax : Math.max(state.yMax, Math.abs(y));
    step.yMax = state.yMax;
    begin(weight);
  }

  /** Begins step t: discounts the past, and weights the loss of the instance. */
  private void begin(double weight) {
    double y = step.label;
    boolean isContested = state.columns.isContested(step.rival);
    double deviation = state.memory.deviation(y);
    double error = isContested ? options.task().error(step.margin, deviation) : 0;
    state.memory.advance(error, state.weights.t() + 1);
    state.weights.begin();
    state.counts.discount(state.memory.discount());
    int number = state.columns.classNumber(y);
    state.counts.count(number, weight);
    step.weight = weight * state.counts.weight(number, y);
    double derivative = isContested ? options.loss().derivative(step.margin) : 0;
    step.alpha = step.weight * options.task().slope(y) * derivative;
  }

  /** Lines 6 to 16: Z_t, the cell, and w_{t+1}. Returns the vector that took the update, or -1. */
  int step(boolean approximate) {
    boolean hasLoss = step.alpha != 0;
    int j = approximate ? options.coverage().find(row) : Coverage.NONE;
    boolean isCovered = j != Coverage.NONE;
    if (isCovered) {
      state.cap.cover(j, row, hasLoss);
    } else {
      j = state.cap.admit(row, approximate, hasLoss);
    }
    if (isCovered || j == row.measured()) {
      state.points.meet(j);
    }
    state.weights.step(step, j, row);
    return j;
  }

  /** The column of a label, added if the label is new. */
  int columnOf(double label) {
    int column = state.columns.find(label);
    if (column == Columns.NONE) {
      column = state.columns.add(label);
      state.weights.addColumn();
      knowClasses();
    }
    return column;
  }

  @Override
  public int columns() {
    return state.columns.count();
  }

  @Override
  public double[] classes() {
    return labels.clone();
  }

  /** {@inheritDoc} The scores are those of the chosen {@link Output}. */
  @Override
  public void score(Features x, double[] into) {
    row.measure(x);
    state.weights.read(row);
    for (int place = 0; place < state.columns.count(); place++) {
      into[place] = state.weights.score(options.output(), state.columns.at(place), row);
    }
  }

  @Override
  public double predict(Features x) {
    score(x, answers);
    return options.task().predict(answers, labels);
  }

  /** The number of vectors held: core points, and those kept because Z_t was 0. */
  @Override
  public int size() {
    return state.core().size();
  }

  /** M_t: the number of cells. */
  public int cells() {
    return state.core().cells();
  }

  /** S_t: the number of vectors that have weight in w_{t+1}. */
  public int supportVectors() {
    int count = 0;
    for (int j = 0; j < size(); j++) {
      count += state.weights.isZero(j) ? 0 : 1;
    }
    return count;
  }

  /** T: the number of instances learned. */
  public long instances() {
    return state.weights.t();
  }

  /**
   * The present δ. It is that of the options until cells merge at the size cap ({@link
   * Limit#MERGE}), and grows then; every instance learned so far is within this distance of a
   * vector.
   */
  public double diameter() {
    return state.cap.diameter();
  }

  /** d: the number of features known so far. */
  public int dimension() {
    return state.core().dimension();
  }

  /** Whether the matrix of the second-order step is positive definite, as it should always be. */
  public boolean isPositiveDefinite() {
    return state.weights.isPositiveDefinite();
  }

  @Override
  public Status status() {
    StatusBuilder status =
        new StatusBuilder(instances(), size(), options.settings())
            .cells(cells(), supportVectors(), diameter())
            .atLimit(state.cap.reached());
    if (options.forgetting().forgets()) {
      DriftWatch watch = state.memory.watch();
      status.memory(state.memory.size(), watch.found(), watch.drifts());
    }
    return status.build();
  }

  @Override
  public AvmModel snapshot() {
    return snapshot(options.output());
  }

  /**
   * The model for another output than the chosen one. The last iterate and the average are always
   * available; a suffix only if one at least as long was chosen. With the second-order step or
   * forgetting only the last iterate is available.
   */
  public AvmModel snapshot(Output output) {
    options.checkOutput(output);
    double[][] coefficients = new double[columns()][];
    for (int place = 0; place < columns(); place++) {
      coefficients[place] = state.weights.coefficients(output, state.columns.at(place), size());
    }
    double[][] linear = new double[columns()][];
    Arrays.setAll(linear, place -> state.weights.linear(state.columns.at(place)));
    return new AvmModel(
        state.core().copy(),
        classes(),
        state.weights.factor(output),
        coefficients,
        linear,
        provenance());
  }

  /** Where the model comes from, as of now. */
  public Provenance provenance() {
    AvmOptions now = options.change().coverage(options.coverage().withDiameter(diameter())).build();
    return new Provenance(
        ModelFile.libraryVersionOfThis(),
        now,
        instances(),
        cells(),
        supportVectors(),
        state.cap.reached());
  }

  /**
   * Adds what another learner with equal options (except the seed) learned from another part of the
   * stream: w becomes the mean of both, weighted by their instances. For the second-order step with
   * squared loss and a shared core set, the result equals learning both parts as one stream; in all
   * other cases it is close to that. With forgetting, both memories add up.
   */
  public void merge(Avm other) {
    if (other == this) {
      throw new IllegalArgumentException("a learner must be merged with another one");
    }
    if (!options.change().seed(0).build().equals(other.options.change().seed(0).build())) {
      throw new IllegalArgumentException(
          "learners to merge must have equal options: " + options + " and " + other.options);
    }
    new Union(options, state, other.state, this::columnOf).apply();
  }

  /**
   * The parts of this machine, for learners of this library that consist of several machines. The
   * type is not exported, so this is not part of the API.
   */
  public MachineParts parts() {
    return parts;
  }

  private final class Parts implements MachineParts {
    @Override
    public AvmOptions options() {
      return options;
    }

    @Override
    public AvmState state() {
      return state;
    }

    @Override
    public int columnOf(double label) {
      return Avm.this.columnOf(label);
    }

    @Override
    public void learnBeside(double[] others, Features x, double y, double weight) {
      step.others = others;
      learn(x, y, weight);
      step.others = null;
    }

    @Override
    public void scoreColumns(Features x, double[] into) {
      row.measure(x);
      state.weights.read(row);
      for (int c = 0; c < state.weights.columns(); c++) {
        into[c] = state.weights.score(c, row);
      }
    }
  }

  @Override
  public Avm copy() {
    return ModelFile.copy(this, Avm::decode);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", options::encode);
    out.section("state", state::encode);
  }

  /** The learner that {@link #encode} appended. */
  public static Avm decode(Decoder in) throws ModelFileException {
    AvmOptions options = in.section("options", AvmOptions::decode);
    return new Avm(options, in.section("state", state -> AvmState.decode(state, options)));
  }

  /** Loads a learner from a file; it continues bit for bit as if it had never stopped. */
  public static Avm load(Path file) throws IOException {
    return ModelFile.open(file).read(Map.of(KIND, Avm::decode));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
