package org.avm4j;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * The iterates of SGD with step 1/(λt), kept as sums.
 *
 * <p>Since w_{t+1} = (t-1)/t w_t - α_t/(λt) Φ(c_t), it is -(1/(λt)) A_t with A_t = Σ_{s≤t} α_s
 * Φ(c_s): a step touches one coefficient and nothing is ever rescaled. The sum of the first T
 * iterates is -(1/λ) P_T with P_T = Σ A_t / t = h A - G over t = 1 to T - 1, where h = Σ 1/t and G
 * collects α_s times the h of its time. So the average costs a step nothing either. A projection
 * scales A, and there the sum is folded: G takes -P, and h starts again at 0.
 *
 * <p>Where something is forgotten, A fades by a part in each step and m stands in the place of t
 * ({@link Forgetting}). The parts gather in one factor, A = s a, so a step still touches one
 * coefficient.
 */
final class SgdWeights implements Weights {
  /** P_{T'} at a T' that the suffix average may start from. */
  private record Kept(long t, double[][] sums) {}

  /** The factor is worked into the coefficients when it falls below this. */
  private static final double LEAST_SCALE = 0x1p-100;

  /** A vector is negligible when its coefficients are below this part of the largest. */
  private static final double NEGLIGIBLE = 0.01;

  private final AvmOptions options;
  private final double lambda;
  private final Memory memory;
  private final CoreSet core;
  private final KernelRow inner;
  private double scale = 1;
  private double[][] a;
  private double[][] g;
  private double h;
  private long t;
  private int size;
  private int capacity;
  private double normSquared;
  private final Deque<Kept> kept = new ArrayDeque<>();

  SgdWeights(AvmOptions options, Memory memory, CoreSet core, int columns) {
    this.options = options;
    this.memory = memory;
    this.core = core;
    lambda = options.regularization();
    inner = new KernelRow(core, options.kernel());
    a = new double[columns][0];
    g = new double[columns][0];
  }

  @Override
  public long t() {
    return t;
  }

  int columns() {
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

  /** What was given to vector j counts as given to the other, if there is one. */
  @Override
  public void remove(int j, int into) {
    if (into >= 0 && options.projects()) {
      moveNorm(j, into);
    }
    int last = size - 1;
    for (int c = 0; c < columns(); c++) {
      fold(a[c], j, into, last);
      fold(g[c], j, into, last);
    }
    for (Kept copy : kept) {
      Arrays.setAll(copy.sums, c -> Arrays.copyOf(copy.sums[c], size));
      Arrays.stream(copy.sums).forEach(sums -> fold(sums, j, into, last));
      Arrays.setAll(copy.sums, c -> Arrays.copyOf(copy.sums[c], last));
    }
    size = last;
  }

  private static void fold(double[] sums, int j, int into, int last) {
    if (into >= 0) {
      sums[into] += sums[j];
    }
    sums[j] = sums[last];
    sums[last] = 0;
  }

  /** ‖A‖² ← ‖A + α_j (Φ(c_i) - Φ(c_j))‖². */
  private void moveNorm(int j, int i) {
    double[] ki = inner.measure(core.vector(i)).clone();
    double[] kj = inner.measure(core.vector(j));
    double alpha = a[0][j];
    double change = Vectors.dot(a[0], ki, size) - Vectors.dot(a[0], kj, size);
    normSquared = Math.max(0, normSquared + 2 * alpha * (change + alpha * (1 - ki[j])));
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
  public double score(int column, double[] k, int n) {
    return lastFactor() * Vectors.dot(a[column], k, n);
  }

  @Override
  public double score(Output output, int column, double[] k, int n) {
    if (!output.isMean()) {
      return score(column, k, n);
    }
    double sum = h * Vectors.dot(a[column], k, n) - Vectors.dot(g[column], k, n);
    Kept start = start(output);
    if (start != null && column < start.sums.length) {
      sum -= Vectors.dot(start.sums[column], k, start.sums[column].length);
    }
    return averageFactor(start) * sum;
  }

  /** What the coefficients of an output are to be multiplied with: -1/λ over a number of steps. */
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
    Kept start = start(output);
    if (start != null && column < start.sums.length) {
      double[] before = start.sums[column];
      for (int j = 0; j < before.length; j++) {
        sums[j] -= before[j];
      }
    }
    return sums;
  }

  /** Begins step t: the iterate before it joins the sum, and A fades. */
  @Override
  public void begin() {
    h += t == 0 ? 0 : 1.0 / t;
    t++;
    scale *= memory.discount();
    if (scale < LEAST_SCALE) {
      unscale();
    }
  }

  /** Works a power of two into the coefficients, which changes no digit of them. */
  private void unscale() {
    double power = Math.scalb(1.0, Math.getExponent(scale));
    for (double[] column : a) {
      for (int j = 0; j < size; j++) {
        column[j] *= power;
      }
    }
    normSquared *= power * power;
    scale /= power;
  }

  /** The largest coefficient of vector j. */
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
        growNorm(step.alpha, j, row);
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

  /** ‖a‖² ← ‖a + α/s Φ(c_j)‖², to be called before the addition. */
  private void growNorm(double alpha, int j, KernelRow row) {
    int n = row.measured();
    double[] k = j == n ? row.kernels() : inner.measure(core.vector(j));
    double part = alpha / scale;
    normSquared += 2 * part * Vectors.dot(a[0], k, n) + part * part;
  }

  /** Π onto the ball ‖w_{t+1}‖ ≤ radius. */
  private void project(double radius) {
    double limit = lambda * memory.size() * radius / scale;
    if (normSquared > limit * limit) {
      fold();
      double shrink = limit / Math.sqrt(normSquared);
      for (int j = 0; j < size; j++) {
        a[0][j] *= shrink;
      }
      normSquared = limit * limit;
    }
  }

  /** Computes ‖a‖² afresh, after vectors were released or merged. */
  @Override
  public void renew() {
    if (!options.projects()) {
      return;
    }
    double sum = 0;
    for (int j = 0; j < size; j++) {
      double[] k = inner.measure(core.vector(j));
      for (int i = 0; i < size; i++) {
        sum += a[0][j] * a[0][i] * k[i];
      }
    }
    normSquared = Math.max(0, sum);
  }

  /** Keeps P_t where the suffix average will need it, and drops what it no longer needs. */
  private void keep(Output output) {
    if (output.isSuffix() && isKept(t)) {
      kept.addLast(new Kept(t, prefixes()));
      dropBefore(output.start(t));
    }
  }

  @Override
  public void merge(Weights sameKind, Union union) {
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
    kept.clear();
    renew();
  }

  @Override
  public void encode(Encoder out) {
    out.int64(t);
    out.float64(scale);
    out.float64(h);
    out.float64(normSquared);
    for (int c = 0; c < columns(); c++) {
      out.doubles(a[c], size);
      out.doubles(g[c], size);
    }
    out.int32(kept.size());
    for (Kept copy : kept) {
      out.int64(copy.t);
      out.int32(copy.sums.length);
      out.int32(copy.sums.length == 0 ? 0 : copy.sums[0].length);
      for (double[] column : copy.sums) {
        out.doubles(column, column.length);
      }
    }
  }

  static SgdWeights decode(Decoder in, AvmOptions options, Memory memory, CoreSet core, int columns)
      throws ModelFileException {
    SgdWeights weights = new SgdWeights(options, memory, core, columns);
    int size = core.size();
    weights.size = size;
    weights.capacity = size;
    weights.t = in.count("the number of steps");
    weights.scale = in.finite("the scale");
    Decoder.check(weights.scale > 0, "the scale must be > 0", weights.scale);
    weights.h = in.finite("the harmonic sum");
    weights.normSquared = in.finite("the squared norm");
    for (int c = 0; c < columns; c++) {
      weights.a[c] = in.doubles(size, size);
      weights.g[c] = in.doubles(size, size);
    }
    weights.decodeKept(in);
    return weights;
  }

  private void decodeKept(Decoder in) throws ModelFileException {
    int copies = in.int32("the number of kept sums", 1 << 16);
    for (int i = 0; i < copies; i++) {
      long at = in.count("the time of a kept sum");
      Decoder.check(at <= t && (i == 0 || at > kept.getLast().t), "kept sums must ascend", at);
      double[][] sums = new double[in.int32("the columns of a kept sum", columns())][];
      int vectors = in.int32("the vectors of a kept sum", size);
      for (int c = 0; c < sums.length; c++) {
        sums[c] = in.doubles(vectors, vectors);
      }
      kept.addLast(new Kept(at, sums));
    }
  }

  private double lastFactor() {
    return t == 0 ? 0 : -scale / (lambda * memory.size());
  }

  private double averageFactor(Kept start) {
    long steps = start == null ? t : t - start.t;
    return steps == 0 ? 0 : -1 / (lambda * steps);
  }

  /** Where the mean of the output starts: null for the first step. */
  private Kept start(Output output) {
    Kept start = null;
    for (Kept candidate : kept) {
      start = candidate.t <= output.start(t) ? candidate : start;
    }
    return start;
  }

  private double[] prefix(int column) {
    double[] sums = new double[size];
    for (int j = 0; j < size; j++) {
      sums[j] = h * a[column][j] - g[column][j];
    }
    return sums;
  }

  private double[][] prefixes() {
    double[][] sums = new double[columns()][];
    Arrays.setAll(sums, this::prefix);
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

  /** Whether t has at most seven significant binary digits. */
  private static boolean isKept(long t) {
    return 64 - Long.numberOfLeadingZeros(t) - Long.numberOfTrailingZeros(t) <= 7;
  }

  private void dropBefore(long start) {
    while (kept.size() > 1) {
      Kept first = kept.removeFirst();
      if (kept.getFirst().t > start) {
        kept.addFirst(first);
        return;
      }
    }
  }
}
