package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Classes;
import org.avm4j.internal.CoreSet;
import org.avm4j.internal.Interpolation;
import org.avm4j.internal.KernelRow;
import org.avm4j.internal.Packing;
import org.avm4j.internal.SplitMix;
import org.avm4j.pipeline.AutoAvm;
import org.avm4j.pipeline.AutoOptions;

/**
 * Approximation Vector Machine (Le, Nguyen, Nguyen, Phung, JMLR 2017).
 *
 * <p>Minimises λ/2 ‖w‖² + E[ℓ(w; x, y)] over the feature space of an isotropic kernel, one instance
 * at a time, by SGD with step 1/(λt). The gradient α_t Φ(x_t) of an instance is given to the core
 * point of the δ-coverage cell that contains it (Z_t = 1), so the model holds as many vectors as
 * there are cells, whatever the stream does; or to x_t itself (Z_t = 0; with never an approximation
 * this is Algorithm 1, kernel SGD). Binary classification and regression are Algorithm 2, several
 * classes Algorithm 5; the cells come from Algorithm 3 or 4. With {@link Update.Newton} the core
 * points are the same but every instance moves the coefficients of all of them.
 *
 * <p>A learner belongs to one thread. Classes and features may appear at any time.
 */
public final class Avm implements OnlineLearner {
  /** What a file of a whole learner is called inside. */
  public static final String KIND = "avm-learner";

  /**
   * At the size cap a vector makes room for an instance only where that costs so many times less
   * than what was missed: every swap costs some of what was learned.
   */
  private static final double SWAP = 16;

  /** What an instance counts in that where its loss is 0: nothing is to be learned from it. */
  private static final double SETTLED = 0.1;

  private final AvmOptions options;
  private final CoreSet core;
  private final Classes classes;
  private final Memory memory;
  private final ClassMasses masses;
  private final Weights weights;
  private final SplitMix random;
  private final KernelRow row;
  private final KernelRow coreRow;
  private final Packing packing;
  private double diameter;
  private double yMax;
  private long atLimit;

  private double[] labels;
  private double[] scores = new double[1];
  private double[] answers = new double[1];
  private int own;
  private int rival;
  private double label;
  private double margin;
  private double alpha;
  private double weight;

  /** A learner that knows nothing yet: w_1 = 0. */
  public Avm(AvmOptions options) {
    this(
        options,
        new CoreSet(),
        new Packing(),
        options.coverage().diameter(),
        new Classes(options.task().declared()),
        new Memory(options.forgetting()),
        new ClassMasses(options.classWeights()),
        null,
        new SplitMix(options.seed()),
        options.yMax(),
        0);
  }

  Avm(
      AvmOptions options,
      CoreSet core,
      Packing packing,
      double diameter,
      Classes classes,
      Memory memory,
      ClassMasses masses,
      Weights weights,
      SplitMix random,
      double yMax,
      long atLimit) {
    this.options = options;
    this.core = core;
    this.packing = packing;
    this.diameter = diameter;
    this.classes = classes;
    this.memory = memory;
    this.masses = masses;
    this.random = random;
    this.yMax = yMax;
    this.atLimit = atLimit;
    row = new KernelRow(core, options.kernel());
    coreRow = new KernelRow(core, options.kernel());
    this.weights = weights == null ? freshWeights() : weights;
    labels = options.task().labels(classes.sorted());
  }

  /**
   * A learner with nothing to tune: task, scaling, kernel, width and prior come from the stream,
   * and at most 500 vectors are held.
   */
  public static AutoAvm auto() {
    return new AutoAvm(AutoOptions.all());
  }

  /** The choices this learner was made with. */
  public AvmOptions options() {
    return options;
  }

  @Override
  public void learn(Features x, double y) {
    observe(x, y);
    step(options.approximation().decide(weights.t(), margin, random));
    if (memory.isTimeToRelease(core.size(), weights.t())) {
      release();
    }
  }

  /** Lines 3 to 5 of Algorithm 2: receives (x_t, y_t) and finds α_t. */
  void observe(Features x, double y) {
    options.task().check(y);
    double[] k = row.measure(x);
    core.extend(x.dimension());
    label = y;
    own = isMulticlass() ? columnOf(y) : 0;
    for (int c = 0; c < columns(); c++) {
      scores[c] = weights.score(c, k, row.measured());
    }
    rival = isMulticlass() ? classes.runnerUp(scores, own) : -1;
    margin = options.task().argument(y, scores[own], rival < 0 ? 0 : scores[rival]);
    boolean noRival = isMulticlass() && rival < 0;
    yMax = options.yMax() > 0 ? yMax : Math.max(yMax, Math.abs(y));
    memory.advance(error(noRival), weights.t() + 1);
    weights.begin();
    masses.fade(memory.part());
    masses.count(number(y));
    weight = masses.weight(number(y), y);
    alpha = noRival ? 0 : weight * options.task().slope(y) * options.loss().derivative(margin);
  }

  /** The error of the answer on a scale of 0 to 1: a mistake is 1. */
  private double error(boolean noRival) {
    if (options.task() instanceof Task.Regression) {
      return memory.watch().error(margin, label);
    }
    return noRival || margin > 0 ? 0 : 1;
  }

  /** The number of the class of the instance, as it is counted. */
  private int number(double y) {
    return options.task() instanceof Task.Binary && y > 0 ? 1 : own;
  }

  /** Lines 6 to 16: Z_t, the cell, and w_{t+1}. Returns the vector that took the update, or -1. */
  int step(boolean approximate) {
    int j = approximate ? options.coverage().find(row) : Coverage.NONE;
    boolean isCovered = j != Coverage.NONE;
    if (!isCovered) {
      j = admit(row, approximate, alpha != 0);
    } else {
      take(j, row, worth(), 0);
    }
    int known = row.measured();
    if (isCovered || j == known) {
      memory.meet(j, core.size(), weights.t());
    }
    if (weights instanceof SgdWeights sgd) {
      descend(sgd, j, known);
    } else if (weights instanceof NewtonWeights newton && j != Coverage.NONE) {
      newton.step(own, label, weight, row.kernels(), known);
    }
    return j;
  }

  /** Lines 11 to 16 by the paper: w_{t+1} = Π((t-1)/t w_t - α_t/(λt) Φ(c_j)). */
  private void descend(SgdWeights sgd, int j, int known) {
    if (j != Coverage.NONE && alpha != 0) {
      if (options.projects()) {
        double[] k = j == known ? row.kernels() : coreRow.measure(core.vector(j));
        sgd.growNorm(alpha, k, known);
      }
      sgd.add(own, j, alpha);
      if (rival >= 0) {
        sgd.add(rival, j, -alpha);
      }
    }
    if (options.projects()) {
      sgd.project(yMax / Math.sqrt(options.regularization()));
    }
    sgd.end(options.output());
  }

  /** Removes vectors that have not been met for long and hardly count. */
  private void release() {
    int before = core.size();
    double faint = weights.faintStrength();
    for (int j = before - 1; j >= 0; j--) {
      if (memory.isUnseen(j, weights.t()) && weights.strength(j) <= faint) {
        memory.remove(j, core.size());
        weights.remove(j, Coverage.NONE);
        core.remove(j);
        forgetPlace(j);
      }
    }
    if (core.size() < before && options.projects() && weights instanceof SgdWeights sgd) {
      sgd.norm(squaredNorm());
    }
  }

  @Override
  public int columns() {
    return isMulticlass() ? classes.size() : 1;
  }

  @Override
  public double[] classes() {
    return labels.clone();
  }

  /** {@inheritDoc} The scores are those of the chosen {@link Output}. */
  @Override
  public void score(Features x, double[] into) {
    double[] k = row.measure(x);
    for (int place = 0; place < columns(); place++) {
      into[place] = weights.score(options.output(), column(place), k, row.measured());
    }
  }

  @Override
  public double predict(Features x) {
    answers = answers.length < columns() ? new double[2 * columns()] : answers;
    score(x, answers);
    return options.task().predict(answers, labels);
  }

  /** The number of vectors held: core points, and those kept because Z_t was 0. */
  @Override
  public int size() {
    return core.size();
  }

  /** M_t: the number of cells. */
  public int cells() {
    return core.cells();
  }

  /** S_t: the number of vectors that have weight in w_{t+1}. */
  public int supportVectors() {
    int count = 0;
    for (int j = 0; j < core.size(); j++) {
      count += weights.isZero(j) ? 0 : 1;
    }
    return count;
  }

  /** T: the number of instances learned. */
  public long instances() {
    return weights.t();
  }

  /**
   * δ as it is now: that of the options, until at the size cap cells merge ({@link Limit#MERGE}).
   * Then too every instance learned so far is within this distance of a vector.
   */
  public double diameter() {
    return diameter;
  }

  /** How often the size cap moved an update to the nearest vector, dropped it, or merged cells. */
  public long atLimit() {
    return atLimit;
  }

  /** m_t: how many instances the model stands for, all where nothing is forgotten. */
  public double memory() {
    return memory.size();
  }

  /** How often {@link Forgetting.Auto} found that the stream had changed. */
  public long drifts() {
    return memory.watch().found();
  }

  /** The last of those changes, a thousand at most. */
  public List<Drift> lastDrifts() {
    return memory.watch().drifts();
  }

  /** d: the number of features known so far. */
  public int dimension() {
    return core.dimension();
  }

  /** Whether the matrix of the second-order step is positive definite, as it is meant to stay. */
  public boolean isPositiveDefinite() {
    return !(weights instanceof NewtonWeights newton) || newton.isPositive();
  }

  @Override
  public AvmModel snapshot() {
    return snapshot(options.output());
  }

  /**
   * The model by another output than the chosen one. The last iterate and the average can always be
   * had; a suffix only where a suffix was chosen, and one at most as long. The second-order step
   * has only the last iterate, and so has a learner that forgets.
   */
  public AvmModel snapshot(Output output) {
    if (output instanceof Output.Suffix wanted
        && !(options.output() instanceof Output.Suffix kept && wanted.alpha() <= kept.alpha())) {
      throw new IllegalArgumentException(
          "a suffix must have been chosen beforehand, and be as long: " + wanted);
    }
    if (memory.fades() && !(output instanceof Output.Last)) {
      throw new IllegalArgumentException(
          "a learner that forgets has only its last output: " + output);
    }
    if (options.update() instanceof Update.Newton && !(output instanceof Output.Last)) {
      throw new IllegalArgumentException(
          "the second-order step has only its last output: " + output);
    }
    double[][] coefficients = new double[columns()][];
    for (int place = 0; place < columns(); place++) {
      coefficients[place] = weights.coefficients(output, column(place), core.size());
    }
    return new AvmModel(core.copy(), classes(), weights.factor(output), coefficients, provenance());
  }

  /** Where the model comes from, as of now. */
  public Provenance provenance() {
    AvmOptions now = options.change().coverage(options.coverage().withDiameter(diameter)).build();
    return new Provenance(
        ModelFile.libraryVersionOfThis(), now, instances(), cells(), supportVectors(), atLimit);
  }

  /**
   * Takes in what another learner with equal options (the seed apart) learned from another part of
   * the stream. In the sum form w = -(1/(λT)) Σ α Φ(c) both sums and both T add up, so w becomes
   * the mean of both, weighted by their instances, and so does the average; the other's core points
   * fall into this one's cells or open new ones; where cells merge, δ becomes the larger one. A
   * suffix average reaches back to the first instance until the stream has gone on long enough.
   *
   * <p>By the second-order step the sums A and b of both add up: for squared loss and a shared core
   * set that is to have learned both parts in one stream. Kernel values at points that one of them
   * did not have are interpolated from those it had. For other losses the parabolas of both count
   * as they were put, each instance by the weight it had in its own part.
   *
   * <p>Where instances are forgotten, the present of both is the present: their memories add up,
   * and the next step shortens them to the horizon.
   */
  public void merge(Avm other) {
    if (other == this) {
      throw new IllegalArgumentException("a learner must be merged with another one");
    }
    if (!options.change().seed(0).build().equals(other.options.change().seed(0).build())) {
      throw new IllegalArgumentException(
          "learners to merge must have equal options: " + options + " and " + other.options);
    }
    int[] column = new int[other.columns()];
    for (int c = 0; c < column.length; c++) {
      column[c] = isMulticlass() ? columnOf(other.classes.label(c)) : 0;
    }
    CoreSet before = core.copy();
    core.extend(other.dimension());
    widen(other.diameter());
    int[] place = new int[other.size()];
    for (int j = 0; j < place.length; j++) {
      place[j] = place(other, j);
    }
    mergeWeights(other, before, column, place);
    memory.merge(other.memory, core.size(), weights.t());
    masses.merge(other.masses, isMulticlass() ? column : new int[] {0, 1});
    shrink();
    yMax = Math.max(yMax, other.yMax);
    atLimit += other.atLimit;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    AvmCodec.encode(out, options);
    AvmCodec.encode(out, classes);
    out.int64(random.state());
    out.float64(yMax);
    out.int64(atLimit);
    out.float64(diameter);
    core.encode(out);
    memory.encode(out, core.size());
    masses.encode(out);
    if (merges()) {
      packing.encode(out);
    }
    weights.encode(out);
  }

  /** The learner that {@link #encode} appended. */
  public static Avm decode(Decoder in) throws ModelFileException {
    return AvmCodec.decodeLearner(in);
  }

  /** The learner that was saved in a file; it goes on bit for bit as if it had never stopped. */
  public static Avm load(Path file) throws IOException {
    return AvmCodec.loadLearner(file);
  }

  private boolean isMulticlass() {
    return options.task() instanceof Task.Multiclass;
  }

  private int column(int place) {
    return isMulticlass() ? classes.column(place) : 0;
  }

  private int columnOf(double label) {
    int column = classes.find(label);
    if (column < 0) {
      column = classes.add(label);
      weights.addColumn();
      labels = options.task().labels(classes.sorted());
    }
    if (scores.length < columns()) {
      scores = new double[2 * columns()];
    }
    return column;
  }

  /** A new vector, or at the cap what the policy says. */
  private int admit(KernelRow vector, boolean isCell, boolean hasWeight) {
    double instances = 1;
    if (options.maxSize() > 0 && core.size() >= options.maxSize()) {
      atLimit += hasWeight || merges() ? 1 : 0;
      if (options.limit() == Limit.DROP) {
        return Coverage.NONE;
      }
      instances = merges() ? makeRoom(vector) : 0;
      if (instances == 0) {
        take(vector.nearest(), vector, worth(), 0);
        return vector.nearest();
      }
    }
    return add(vector, isCell, instances, 0);
  }

  /** What the present instance counts where cells merge. */
  private double worth() {
    return alpha == 0 ? SETTLED : 1;
  }

  private boolean merges() {
    return options.limit() == Limit.MERGE;
  }

  /** A new vector, which stands for so many instances no farther than this. */
  private int add(KernelRow vector, boolean isCell, double instances, double reach) {
    Interpolation.Near history =
        merges() ? Interpolation.near(core, vector, options.kernel()) : null;
    int j = core.add(vector, isCell);
    if (merges()) {
      packing.add(vector, instances, reach);
    }
    weights.grow(core.size(), history);
    return j;
  }

  /** Vector j was removed, and nothing stands for it. */
  private void forgetPlace(int j) {
    if (merges()) {
      packing.remove(j, core, coreRow);
    }
  }

  /** Vector j takes the row and what that stands for; δ follows. */
  private void take(int j, KernelRow vector, double instances, double reach) {
    if (merges()) {
      packing.take(j, instances, Math.sqrt(vector.squaredDistance(j)) + reach);
      widen(packing.reach(j));
    }
  }

  /**
   * The vector that costs least is absorbed by its nearest, if the nearest of the new one has
   * missed far more than that.
   *
   * @return for how many instances the new one is to stand, 0 if there is no room
   */
  private double makeRoom(KernelRow vector) {
    int near = vector.nearest();
    double gap = 1 - vector.kernels()[near];
    int j = packing.cheapest(core, coreRow);
    if (j < 0 || packing.miss(near, worth() * gap) <= SWAP * packing.cost(j)) {
      return 0;
    }
    double instances = packing.split(near, gap);
    absorb(j);
    vector.remove(j);
    return instances;
  }

  /** The nearest of vector j stands from now on for all that j stood for. */
  private void absorb(int j) {
    int into = packing.nearest(j);
    if (core.isCell(j)) {
      core.makeCell(into);
    }
    if (options.projects() && weights instanceof SgdWeights sgd) {
      double[] ki = coreRow.measure(core.vector(into)).clone();
      sgd.moveNorm(j, ki, coreRow.measure(core.vector(j)));
    }
    widen(packing.absorb(j));
    memory.absorb(j, into);
    memory.remove(j, core.size());
    weights.remove(j, into);
    core.remove(j);
    packing.remove(j, core, coreRow);
  }

  /** δ is at least this, where cells merge. */
  private void widen(double reach) {
    if (merges() && reach > diameter) {
      diameter = reach;
    }
  }

  private int place(Avm other, int j) {
    row.measure(other.core.vector(j));
    boolean isCell = other.core.isCell(j);
    int found = isCell ? options.coverage().find(row) : Coverage.NONE;
    double count = merges() ? other.packing.count(j) : 0;
    double reach = merges() ? other.packing.reach(j) : 0;
    if (found != Coverage.NONE) {
      take(found, row, count, reach);
      return found;
    }
    return merges() ? add(row, isCell, count, reach) : admit(row, isCell, !other.weights.isZero(j));
  }

  /** After a merger cells may be too many for a while. */
  private void shrink() {
    while (merges() && options.maxSize() > 0 && core.size() > options.maxSize()) {
      atLimit++;
      absorb(packing.cheapest(core, coreRow));
    }
  }

  private Weights freshWeights() {
    return options.update() instanceof Update.Newton newton
        ? new NewtonWeights(newton.prior(), new Parabolas(options, 0), memory, columns())
        : new SgdWeights(options.regularization(), memory, columns());
  }

  private void mergeWeights(Avm other, CoreSet before, int[] column, int[] place) {
    if (weights instanceof SgdWeights mine && other.weights instanceof SgdWeights its) {
      mine.merge(its, column, place);
      if (options.projects()) {
        mine.norm(squaredNorm());
      }
    } else if (weights instanceof NewtonWeights mine
        && other.weights instanceof NewtonWeights its) {
      double[][] fromThis = Interpolation.map(before, core, options.kernel());
      double[][] fromOther = Interpolation.map(other.core, core, options.kernel());
      mine.merge(its, column, fromThis, fromOther);
    }
  }

  private double squaredNorm() {
    double sum = 0;
    double[] a = weights.coefficients(new Output.Last(), 0, core.size());
    for (int j = 0; j < core.size(); j++) {
      double[] k = coreRow.measure(core.vector(j));
      for (int i = 0; i < core.size(); i++) {
        sum += a[j] * a[i] * k[i];
      }
    }
    return Math.max(0, sum);
  }
}
