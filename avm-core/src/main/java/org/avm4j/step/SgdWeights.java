package org.avm4j.step;

import java.util.Arrays;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Forgetting;
import org.avm4j.Output;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.math.Vectors;
import org.avm4j.points.CoreSet;
import org.avm4j.points.Interpolation;
import org.avm4j.points.KernelRow;

/**
 * The iterates of SGD with step 1/(λt), kept as sums.
 *
 * <p>Since w_{t+1} = (t-1)/t w_t - α_t/(λt) Φ(c_t), it is -(1/(λt)) A_t with A_t = Σ_{s≤t} α_s
 * Φ(c_s): a step touches one coefficient and nothing is ever rescaled. The sum of the first T
 * iterates is -(1/λ) P_T with P_T = Σ A_t / t = h A - G over t = 1 to T - 1, where h = Σ 1/t and G
 * sums α_s times the value of h at step s. So the average needs no extra work per step either. A
 * projection scales A; at that point the sum is folded: G becomes -P, and h starts again at 0.
 *
 * <p>With forgetting, A is discounted in each step and m replaces t ({@link Forgetting}). The
 * discounts accumulate in one factor, A = s a, so a step still touches one coefficient.
 */
public final class SgdWeights implements Weights {
  /** The factor s is multiplied into the coefficients when it falls below this. */
  private static final double LEAST_SCALE = 0x1p-100;

  /** A vector is negligible if its coefficients are below this fraction of the largest. */
  private static final double NEGLIGIBLE = 0.01;

  private final AvmOptions options;
  private final double lambda;
  private final Memory memory;
  private final BallProjection ball;
  private double scale = 1;
  private double[][] a;
  private double[][] g;
  private double h;
  private long t;
  private int size;
  private int capacity;
  private SuffixSums starts = new SuffixSums();

  /** Coefficients of no vectors. */
  public SgdWeights(AvmOptions options, Memory memory, CoreSet core, int columns) {
    this.options = options;
    this.memory = memory;
    lambda = options.regularization();
    ball = new BallProjection(core, options.kernel());
    a = new double[columns][0];
    g = new double[columns][0];
  }

  @Override
  public long t() {
    return t;
  }

  @Override
  public int columns() {
    return a.length;
  }

  @Override
  public void addColumn() {
    a = Arrays.copyOf(a, a.length + 1);
    g = Arrays.copyOf(g, g.length + 1);
    a[a.length - 1] = new double[capacity];
    g[g.length - 1] = new double[capacity];
  }

  @Override
  public void grow(int n, Interpolation.Near history) {
    size = n;
    if (n > capacity) {
      capacity = Math.max(16, n + n / 16);
      Arrays.setAll(a, c -> Arrays.copyOf(a[c], capacity));
      Arrays.setAll(g, c -> Arrays.copyOf(g[c], capacity));
    }
  }

  /**
   * {@inheritDoc} The coefficient of vector j is added to that of {@code into}, if that is a
   * vector.
   */
  @Override
  public void remove(int j, int into) {
    if (into >= 0 && options.projects()) {
      ball.move(a[0], j, into, size);
    }
    int last = size - 1;
    for (int c = 0; c < columns(); c++) {
      SuffixSums.fold(a[c], j, into, last);
      SuffixSums.fold(g[c], j, into, last);
    }
    starts.remove(j, into, size);
    size = last;
  }

  @Override
  public boolean isZero(int j) {
    for (double[] column : a) {
      if (column[j] != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public double score(int column, KernelRow row) {
    return lastFactor() * Vectors.dot(a[column], row.kernels(), row.measured());
  }

  @Override
  public double score(Output output, int column, KernelRow row) {
    if (!output.isMean()) {
      return score(column, row);
    }
    double[] k = row.kernels();
    int n = row.measured();
    double sum = h * Vectors.dot(a[column], k, n) - Vectors.dot(g[column], k, n);
    SuffixSums.Start start = start(output);
    return averageFactor(start) * (start == null ? sum : sum - start.dot(column, k));
  }

  /** {@inheritDoc} It is -1/λ divided by a number of steps. */
  @Override
  public double factor(Output output) {
    return output.isMean() ? averageFactor(start(output)) : lastFactor();
  }

  @Override
  public double[] coefficients(Output output, int column, int n) {
    if (!output.isMean()) {
      return Arrays.copyOf(a[column], n);
    }
    double[] sums = Arrays.copyOf(prefix(column), n);
    SuffixSums.Start start = start(output);
    if (start != null) {
      start.subtractFrom(sums, column);
    }
    return sums;
  }

  /** {@inheritDoc} The previous iterate is added to the sum, and A is discounted. */
  @Override
  public void begin() {
    h += t == 0 ? 0 : 1.0 / t;
    t++;
    scale *= memory.discount();
    if (scale < LEAST_SCALE) {
      unscale();
    }
  }

  /** Multiplies a power of two into the coefficients, which changes none of their digits. */
  private void unscale() {
    double power = Math.scalb(1.0, Math.getExponent(scale));
    for (double[] column : a) {
      for (int j = 0; j < size; j++) {
        column[j] *= power;
      }
    }
    ball.normSquared(ball.normSquared() * power * power);
    scale /= power;
  }

  /** {@inheritDoc} It is the largest coefficient of vector j. */
  @Override
  public double strength(int j) {
    double largest = 0;
    for (double[] column : a) {
      largest = Math.max(largest, Math.abs(column[j]));
    }
    return largest;
  }

  @Override
  public double negligibleStrength() {
    double largest = 0;
    for (int j = 0; j < size; j++) {
      largest = Math.max(largest, strength(j));
    }
    return NEGLIGIBLE * largest;
  }

  /** Lines 11 to 16 of Algorithm 2: w_{t+1} = Π((t-1)/t w_t - α_t/(λt) Φ(c_j)). */
  @Override
  public void step(Step step, int j, KernelRow row) {
    if (j != Coverage.NONE && step.alpha != 0) {
      if (options.projects()) {
        ball.add(a[0], step.alpha / scale, j, row);
      }
      add(step.own, j, step.alpha);
      if (step.rival != Columns.NONE) {
        add(step.rival, j, -step.alpha);
      }
    }
    if (options.projects()) {
      project(step.yMax / Math.sqrt(lambda));
    }
    keep(options.output());
  }

  /** A ← A + α Φ(c_j). */
  private void add(int column, int j, double alpha) {
    a[column][j] += alpha / scale;
    g[column][j] += alpha * h;
  }

  /** Π onto the ball ‖w_{t+1}‖ ≤ radius. */
  private void project(double radius) {
    double factor = ball.shrink(lambda * memory.size() * radius / scale);
    if (factor < 1) {
      fold();
      for (int j = 0; j < size; j++) {
        a[0][j] *= factor;
      }
    }
  }

  /** {@inheritDoc} Recomputes ‖a‖². */
  @Override
  public void renew() {
    if (options.projects()) {
      ball.renew(a[0], size);
    }
  }

  /** Stores P_t if a suffix average may start there, and drops sums that are no longer needed. */
  private void keep(Output output) {
    if (output.isSuffix() && SuffixSums.isKept(t)) {
      double[][] sums = new double[columns()][];
      Arrays.setAll(sums, this::prefix);
      starts.keep(t, sums, output.start(t));
    }
  }

  @Override
  public void merge(Weights sameKind, Placement union) {
    SgdWeights other = (SgdWeights) sameKind;
    int[] column = union.columns();
    int[] place = union.places();
    fold();
    for (int c = 0; c < other.columns(); c++) {
      double[] sums = other.prefix(c);
      for (int j = 0; j < sums.length; j++) {
        if (place[j] >= 0 && (other.a[c][j] != 0 || sums[j] != 0)) {
          a[column[c]][place[j]] += other.a[c][j] * (other.scale / scale);
          g[column[c]][place[j]] -= sums[j];
        }
      }
    }
    t += other.t;
    starts.clear();
    renew();
  }

  @Override
  public void encode(Encoder out) {
    out.int64(t);
    out.float64(scale);
    out.float64(h);
    out.float64(ball.normSquared());
    for (int c = 0; c < columns(); c++) {
      out.doubles(a[c], size);
      out.doubles(g[c], size);
    }
    starts.encode(out);
  }

  /** Reads what {@link #encode} wrote, for the vectors of a core set. */
  public static SgdWeights decode(
      Decoder in, AvmOptions options, Memory memory, CoreSet core, int columns)
      throws ModelFileException {
    SgdWeights weights = new SgdWeights(options, memory, core, columns);
    int size = core.size();
    weights.size = size;
    weights.capacity = size;
    weights.t = in.count("the number of steps");
    weights.scale = in.finite("the scale");
    Decoder.check(weights.scale > 0, "the scale must be > 0", weights.scale);
    weights.h = in.finite("the harmonic sum");
    weights.ball.normSquared(in.finite("the squared norm"));
    for (int c = 0; c < columns; c++) {
      weights.a[c] = in.doubles(size, size);
      weights.g[c] = in.doubles(size, size);
    }
    weights.starts = SuffixSums.decode(in, weights.t, columns, size);
    return weights;
  }

  private double lastFactor() {
    return t == 0 ? 0 : -scale / (lambda * memory.size());
  }

  private double averageFactor(SuffixSums.Start start) {
    long steps = start == null ? t : t - start.t();
    return steps == 0 ? 0 : -1 / (lambda * steps);
  }

  /**
   * The sum at the start of the output's average; null if the average starts with the first step.
   */
  private SuffixSums.Start start(Output output) {
    return starts.at(output.start(t));
  }

  private double[] prefix(int column) {
    double[] sums = new double[size];
    for (int j = 0; j < size; j++) {
      sums[j] = h * a[column][j] - g[column][j];
    }
    return sums;
  }

  private void fold() {
    for (int c = 0; c < columns(); c++) {
      double[] sums = prefix(c);
      for (int j = 0; j < sums.length; j++) {
        g[c][j] = -sums[j];
      }
    }
    h = 0;
  }
}
