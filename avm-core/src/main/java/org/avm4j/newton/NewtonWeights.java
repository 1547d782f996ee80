package org.avm4j.newton;

import java.util.Arrays;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Output;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.KernelExpansion;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Inverse;
import org.avm4j.math.Vectors;
import org.avm4j.points.Interpolation;
import org.avm4j.points.KernelRow;
import org.avm4j.step.Memory;
import org.avm4j.step.Step;
import org.avm4j.step.Weights;

/**
 * The state of {@link Update#newton}: A = R + Σ w κ k kᵀ with its inverse P, and b = Σ w κ z k for
 * each column, so that β = P b minimises the objective stated there.
 *
 * <p>A step moves β by P k times the pull of the instance, and updates P by one rank. A and b are
 * plain sums, from which β and P can be recomputed; this happens whenever P is renewed, so that
 * rounding errors do not accumulate. Two learners are merged by adding their sums.
 *
 * <p>{@link NewtonScale} gives the weight of an instance, and says when P must be recomputed
 * because old instances are discounted.
 *
 * <p>With a linear part the first entries of k are 1 and the features of x, so that one matrix
 * serves both: f(x) = β₀ + Σ_i β_i x_i + Σ_j β_j K(c_j, x).
 *
 * <p>With several classes the last column belongs to a class that never occurs: for it, every
 * instance is a negative example. A new class starts as a copy of this column, and so knows that
 * all instances before it belong to other classes.
 */
public final class NewtonWeights implements Weights {
  /**
   * Kernel values below this fraction of the largest are taken as 0, which saves time. The error in
   * each entry of k is far below the accuracy of the kernel itself.
   */
  private static final double NEGLIGIBLE = 1e-9;

  private final Memory memory;
  private final Parabolas parabolas;
  private final NewtonScale scale;
  private final double[] linear;
  private final int most;
  private ExactHistory history;
  private Inverse inverse;
  private double[][] beta;
  private double[][] b;
  private double[] scores;
  private double[] targets;
  private double[] gain = {};
  private double[] kernels = {};
  private long t;

  /** Coefficients of no vectors. */
  public NewtonWeights(AvmOptions options, Memory memory, Columns columns) {
    this.memory = memory;
    parabolas = new Parabolas(options.loss(), columns, 0);
    scale = new NewtonScale(options.update().prior(), memory, parabolas);
    int all = columns.count() + columns.spare();
    beta = new double[all][0];
    b = new double[all][0];
    scores = new double[all];
    targets = new double[all];
    linear = new double[options.update().linear() + 1];
    most = options.maxSize() == 0 ? Integer.MAX_VALUE : place(options.maxSize());
    inverse = new Inverse(most);
    enter(linear.length);
  }

  @Override
  public void rememberExactly(int most) {
    history = new ExactHistory(most);
  }

  @Override
  public boolean remembersExactly() {
    return history != null && history.hasRoom();
  }

  @Override
  public void read(KernelRow row) {
    if (linear.length > 0) {
      row.readFeatures(linear);
    }
  }

  @Override
  public int columns() {
    return beta.length;
  }

  /** The row of vector j in the matrix. */
  private int place(int j) {
    return linear.length + j;
  }

  @Override
  public long t() {
    return t;
  }

  @Override
  public void addColumn() {
    beta = withCopyOfLast(beta);
    b = withCopyOfLast(b);
    scores = new double[b.length];
    targets = new double[b.length];
  }

  private static double[][] withCopyOfLast(double[][] columns) {
    double[][] more = Arrays.copyOf(columns, columns.length + 1);
    more[columns.length] = columns[columns.length - 1].clone();
    return more;
  }

  /**
   * {@inheritDoc} The sums become nearly what they would be if the new vector had always been
   * there.
   */
  @Override
  public void grow(int n, Interpolation.Near near) {
    enter(place(n));
    if (near != null) {
      recall(place(n - 1), shifted(near));
    }
  }

  /**
   * {@inheritDoc} The sums become exactly what they would be if the new vector had always been
   * there.
   */
  @Override
  public void grow(int n, KernelRow row) {
    enter(n);
    history.add(row.kernels());
    int last = n - 1;
    double square = history.border(kernels);
    double s = inverse.border(kernels, square, gain);
    for (int c = 0; c < beta.length; c++) {
      double goal = history.goal(c);
      double entry = (goal - Vectors.dot(kernels, beta[c], last)) / s;
      Vectors.add(entry, gain, beta[c], last);
      beta[c][last] = entry;
      b[c][last] = goal;
    }
    history = history.hasRoom() ? history : null;
  }

  /** Makes room for n entries, with the prior as the only term. */
  private void enter(int n) {
    reserve(n);
    while (inverse.size() < n) {
      inverse.grow(scale.prior());
    }
  }

  private Interpolation.Near shifted(Interpolation.Near near) {
    if (linear.length == 0) {
      return near;
    }
    double[] factors = new double[place(near.factors().length)];
    System.arraycopy(near.factors(), 0, factors, linear.length, near.factors().length);
    return new Interpolation.Near(factors, near.rest(), place(near.nearest()));
  }

  private void reserve(int n) {
    if (n > gain.length) {
      int capacity = Math.max(16, n + n / 2);
      Arrays.setAll(beta, c -> Arrays.copyOf(beta[c], capacity));
      Arrays.setAll(b, c -> Arrays.copyOf(b[c], capacity));
      gain = new double[capacity];
      kernels = new double[capacity];
    }
  }

  private void recall(int last, Interpolation.Near near) {
    double s = inverse.recall(near.factors(), near.rest(), near.nearest(), kernels, gain);
    for (int c = 0; c < beta.length; c++) {
      double entry = Vectors.dot(kernels, beta[c], last) / s;
      Vectors.add(-entry, gain, beta[c], last);
      beta[c][last] = entry;
      b[c][last] = Vectors.dot(near.factors(), b[c], last);
    }
  }

  /** {@inheritDoc} β becomes the minimum of the same sums without vector j. */
  @Override
  public void remove(int vector, int into) {
    history = null;
    int j = place(vector);
    inverse.column(j, gain);
    int last = inverse.size() - 1;
    for (int c = 0; c < beta.length; c++) {
      Vectors.add(-beta[c][j] / gain[j], gain, beta[c], inverse.size());
      moveLast(beta[c], j, last);
      moveLast(b[c], j, last);
    }
    inverse.remove(j, gain);
  }

  private static void moveLast(double[] values, int j, int last) {
    values[j] = values[last];
    values[last] = 0;
  }

  @Override
  public boolean isZero(int j) {
    return Arrays.stream(beta).allMatch(column -> column[place(j)] == 0);
  }

  @Override
  public double score(int column, KernelRow row) {
    double[] own = beta[column];
    int lead = linear.length;
    return lead == 0
        ? Vectors.dot(own, row.kernels(), row.measured())
        : Vectors.dot(own, linear, lead) + Vectors.dot(own, lead, row.kernels(), row.measured());
  }

  @Override
  public double score(Output output, int column, KernelRow row) {
    return score(column, row);
  }

  @Override
  public double[] linear(int column) {
    return Arrays.copyOf(beta[column], linear.length);
  }

  @Override
  public double factor(Output output) {
    return 1;
  }

  @Override
  public double[] coefficients(Output output, int column, int n) {
    return Arrays.copyOfRange(beta[column], linear.length, place(n));
  }

  @Override
  public void begin() {
    t++;
    scale.advance();
    if (scale.isTooLarge()) {
      refresh();
    }
  }

  /** {@inheritDoc} It is the weight of the instances seen near vector j. */
  @Override
  public double strength(int j) {
    return inverse.information(place(j));
  }

  /** {@inheritDoc} Below it the prior outweighs all instances seen. */
  @Override
  public double negligibleStrength() {
    return scale.prior();
  }

  /** {@inheritDoc} Moves β by the full second-order step; a new vector has kernel value 1. */
  @Override
  public void step(Step step, int vector, KernelRow row) {
    if (vector == Coverage.NONE) {
      return;
    }
    int known = place(row.measured());
    for (int c = 0; c < beta.length; c++) {
      scores[c] = score(c, row);
      for (int j = known; j < inverse.size(); j++) {
        scores[c] += beta[c][j];
      }
      targets[c] = scores[c] + step.other(c);
    }
    double curvature = parabolas.fit(targets, beta.length, step.own, step.label, memory.size());
    if (curvature > 0) {
      copy(row.kernels(), row.measured());
      Arrays.fill(kernels, known, inverse.size(), 1);
      move(curvature, scale.w() * step.weight);
      record(vector, curvature, scale.w() * step.weight);
    }
  }

  /**
   * Copies the coefficients of a model with the same vectors in the same order. Each vector counts
   * as a present instance whose target is its own score, so that β is the minimum of the sums.
   */
  public void take(KernelExpansion model, KernelRow row) {
    beta[0][0] = model.linear(0)[0];
    for (int j = 0; j < model.size(); j++) {
      beta[0][place(j)] = model.coefficient(0, j);
    }
    for (int j = 0; j < model.size(); j++) {
      row.measure(model.vector(j));
      read(row);
      copy(row.kernels(), row.measured());
      double spread = Math.max(0, inverse.gain(kernels, gain));
      inverse.add(scale.w(), kernels, gain, spread);
      double goal = Vectors.dot(kernels, beta[0], inverse.size());
      Vectors.add(scale.w() * goal, kernels, b[0], inverse.size());
    }
    for (int i = 0; i < inverse.size(); i++) {
      b[0][i] += inverse.ridge(i) * beta[0][i];
    }
  }

  /** Copies the kernel values; those that are negligible next to the largest become 0. */
  private void copy(double[] k, int known) {
    System.arraycopy(linear, 0, kernels, 0, linear.length);
    double largest = 0;
    for (int j = 0; j < known; j++) {
      largest = Math.max(largest, k[j]);
    }
    for (int j = 0; j < known; j++) {
      kernels[place(j)] = k[j] < NEGLIGIBLE * largest ? 0 : k[j];
    }
  }

  private void move(double curvature, double weight) {
    double spread = Math.max(0, inverse.gain(kernels, gain));
    int n = inverse.size();
    for (int c = 0; c < beta.length; c++) {
      double pull = parabolas.pull(c);
      targets[c] = weight * (curvature * scores[c] + pull);
      Vectors.add(weight * pull / (1 + weight * curvature * spread), gain, beta[c], n);
      Vectors.add(targets[c], kernels, b[c], n);
    }
    inverse.add(weight * curvature, kernels, gain, spread);
    boolean isPriorFaded = scale.isPriorFaded(t) && inverse.age() >= inverse.size();
    if (inverse.isOld() || isPriorFaded) {
      refresh();
    }
  }

  private void record(int vector, double curvature, double weight) {
    if (history != null) {
      history.record(vector, weight * curvature, targets, beta.length);
    }
  }

  /**
   * Adds the sums of both learners, each mapped to the united vectors by {@link Placement#fromThis}
   * and {@link Placement#fromOther}.
   */
  @Override
  public void merge(Weights sameKind, Placement union) {
    NewtonWeights other = (NewtonWeights) sameKind;
    history = null;
    double[][] mine = withLinear(union.fromThis());
    double[][] its = withLinear(union.fromOther());
    double level = scale.level(other.scale);
    double[][] leveled = times(its, Math.sqrt(level));
    inverse.merge(mine, other.inverse, leveled);
    int[] source = sources(other, union.columns());
    double[][] sums = new double[b.length][gain.length];
    for (int i = 0; i < mine.length; i++) {
      for (int c = 0; c < b.length; c++) {
        double[] there = other.b[source[c]];
        sums[c][i] = Vectors.dot(mine[i], b[c], mine[i].length);
        sums[c][i] += level * Vectors.dot(its[i], there, its[i].length);
      }
    }
    b = sums;
    parabolas.merge(memory.size(), other.parabolas, other.memory.size());
    t += other.t;
    scale.merged(t);
    refresh();
  }

  /** The map extended by the linear part, in which each entry is mapped to itself. */
  private double[][] withLinear(double[][] map) {
    int lead = linear.length;
    if (lead == 0) {
      return map;
    }
    double[][] all = new double[lead + map.length][];
    int width = lead + (map.length == 0 ? 0 : map[0].length);
    for (int i = 0; i < all.length; i++) {
      all[i] = new double[width];
      if (i < lead) {
        all[i][i] = 1;
      } else {
        System.arraycopy(map[i - lead], 0, all[i], lead, map[i - lead].length);
      }
    }
    return all;
  }

  private static double[][] times(double[][] rows, double factor) {
    double[][] product = new double[rows.length][];
    Arrays.setAll(product, i -> Arrays.stream(rows[i]).map(x -> x * factor).toArray());
    return product;
  }

  /**
   * For each column of this learner, the column of the other; its last one for a class that it
   * never saw.
   */
  private int[] sources(NewtonWeights other, int[] column) {
    int[] source = new int[b.length];
    Arrays.fill(source, other.b.length - 1);
    for (int c = 0; c < column.length; c++) {
      source[column[c]] = c;
    }
    return source;
  }

  @Override
  public boolean isPositiveDefinite() {
    return inverse.isPositive();
  }

  /** Recomputes P and β from the sums. */
  private void refresh() {
    if (scale.isTooLarge()) {
      bringBack();
    }
    Arrays.setAll(beta, c -> b[c].clone());
    inverse.renew(scale.leastPrior(inverse.size(), t), beta);
    scale.renewed();
  }

  private void bringBack() {
    double power = scale.bringBack();
    for (double[] column : b) {
      for (int j = 0; j < inverse.size(); j++) {
        column[j] *= power;
      }
    }
    inverse.scale(power);
  }

  @Override
  public void encode(Encoder out) {
    out.int64(t);
    scale.encode(out);
    out.float64(parabolas.typical());
    inverse.encode(out);
    for (int c = 0; c < beta.length; c++) {
      out.doubles(beta[c], inverse.size());
      out.doubles(b[c], inverse.size());
    }
    out.optional("history", history, ExactHistory::encode);
  }

  /** Reads what {@link #encode} wrote, for a given number of vectors. */
  public static NewtonWeights decode(
      Decoder in, AvmOptions options, Memory memory, int vectors, Columns columns)
      throws ModelFileException {
    NewtonWeights weights = new NewtonWeights(options, memory, columns);
    int n = weights.place(vectors);
    weights.t = in.count("the number of steps");
    weights.scale.decode(in);
    weights.parabolas.typical(in.finite("the typical residual"));
    weights.inverse = Inverse.decode(in, n, weights.most);
    weights.gain = new double[n];
    weights.kernels = new double[n];
    for (int c = 0; c < weights.beta.length; c++) {
      weights.beta[c] = in.doubles(n, n);
      weights.b[c] = in.doubles(n, n);
    }
    if (in.hasSection("history")) {
      int most = options.maxSize();
      Decoder.check(n == vectors, "a history must have no linear part", n - vectors);
      weights.history =
          in.section("history", s -> ExactHistory.decode(s, most, vectors, weights.columns()));
    }
    return weights;
  }
}
