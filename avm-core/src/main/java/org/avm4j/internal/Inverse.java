package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * P = (R + Σ_t w_t k_t k_tᵀ)⁻¹ for a growing number of rows and a diagonal R.
 *
 * <p>The sum itself is stored beside P and is the reference: it only gains positive terms, so that
 * errors do not accumulate. P follows it by rank-one updates in O(n²), which are collected in a
 * block, and is recomputed from the sum after every {@value #LIFE} n of them, so that no error
 * lasts longer.
 */
public final class Inverse {
  /** Number of updates per row before P is recomputed. */
  private static final int LIFE = 32;

  private static final int TILE = 16;
  private static final int WAITING = 16;

  private final int most;
  private Gram gram;
  private double[] ridge = {};
  private double[][] rows = {};
  private int[] nonZero = {};
  private final Block waiting;
  private final Block rising;
  private int n;
  private long age;

  /** An empty matrix; space for more than {@code most} rows is allocated only when it is needed. */
  public Inverse(int most) {
    this.most = most;
    gram = new Gram(most);
    waiting = new Block(WAITING, most);
    rising = new Block(WAITING, most);
  }

  /** The number of rows of the matrix. */
  public int size() {
    return n;
  }

  /** One more row, with its own entry of R. */
  public void grow(double strength) {
    if (n == rows.length) {
      reserve(Block.room(n + 1, most));
    }
    gram.grow();
    waiting.reserve(n + 1);
    rising.reserve(n + 1);
    ridge[n] = strength;
    rows[n][n] = 1 / strength;
    n++;
  }

  /**
   * Fills the last row, which was just added, as if its entry of every k had been mᵀk plus a rest.
   * With r = R m and z = P r its pivot is s = ρ + mᵀr - rᵀz, where ρ is its own entry of R and the
   * sum of the squared rests, and P grows by v vᵀ / s with v = (m - z, -1): nothing large cancels.
   *
   * @param m the factors: the entry of the new row in a k is mᵀk
   * @param part the squared rest, as a fraction of the squared entries of the nearest row
   * @param nearest the nearest row
   * @return s, with r and v in the arrays
   */
  public double recall(double[] m, double part, int nearest, double[] r, double[] v) {
    double rest = gram.recall(m, part, nearest);
    int last = --n;
    for (int i = 0; i < last; i++) {
      r[i] = ridge[i] * m[i];
    }
    double spread = gain(r, v);
    double s = ridge[last] + rest + Math.max(0, Vectors.dot(m, r, last) - spread);
    for (int i = 0; i < last; i++) {
      v[i] = m[i] - v[i];
    }
    v[last] = -1;
    rows[last][last] = 0;
    n++;
    if (rising.add(Math.sqrt(1 / s), v, n)) {
      flush();
    }
    return s;
  }

  /**
   * Sets the last row of the sum, which was just added, to a and alpha. P grows by v vᵀ / s with v
   * = (-P a, 1) and the pivot s = ρ + alpha - aᵀPa, at least ρ.
   */
  public double border(double[] a, double alpha, double[] v) {
    gram.border(a, alpha);
    int last = --n;
    double spread = gain(a, v);
    double s = ridge[last] + Math.max(0, alpha - spread);
    for (int i = 0; i < last; i++) {
      v[i] = -v[i];
    }
    v[last] = 1;
    rows[last][last] = 0;
    n++;
    if (rising.add(Math.sqrt(1 / s), v, n)) {
      flush();
    }
    return s;
  }

  /** out ← P k; returns kᵀPk. Costs a pass for each entry of k that is not 0. */
  public double gain(double[] k, double[] out) {
    Arrays.fill(out, 0, n, 0);
    int count = findNonZero(k);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
      addFour(k, nonZero[i], nonZero[i + 1], nonZero[i + 2], nonZero[i + 3], out);
    }
    for (; i < count; i++) {
      Vectors.add(k[nonZero[i]], rows[nonZero[i]], out, n);
    }
    waiting.addProduct(-1, k, out, n);
    rising.addProduct(1, k, out, n);
    return Vectors.dot(k, out, n);
  }

  private int findNonZero(double[] k) {
    int count = 0;
    for (int i = 0; i < n; i++) {
      nonZero[count] = i;
      count += k[i] == 0 ? 0 : 1;
    }
    return count;
  }

  private void addFour(double[] k, int a, int b, int c, int d, double[] out) {
    Vectors.addFour(k[a], rows[a], k[b], rows[b], k[c], rows[c], k[d], rows[d], out, 0, n);
  }

  /** Adds w k kᵀ; {@link #gain} has computed {@code gain} and {@code spread} for k. */
  public void add(double w, double[] k, double[] gain, double spread) {
    gram.add(w, k);
    if (waiting.add(Math.sqrt(w / (1 + w * spread)), gain, n)) {
      flush();
    }
    age++;
  }

  /** The number of terms added since P was recomputed. */
  public long age() {
    return age;
  }

  /** Entry (j, j) of the sum without R. */
  public double information(int j) {
    return gram.diagonal(j);
  }

  /** Entry (j, j) of R. */
  public double ridge(int j) {
    return ridge[j];
  }

  /** Multiplies the sum and R by a power of two; P must then be renewed. */
  public void scale(double power) {
    gram.scale(power);
    for (int j = 0; j < n; j++) {
      ridge[j] *= power;
    }
  }

  /** out ← column j of P. */
  public void column(int j, double[] out) {
    System.arraycopy(rows[j], 0, out, 0, n);
    waiting.addColumn(-1, j, out, n);
    rising.addColumn(1, j, out, n);
  }

  /**
   * Removes row and column j of the sum, as if they had never existed; the last ones take their
   * place. P becomes P - p pᵀ / p_j without row and column j, where p is column j of P.
   */
  public void remove(int j, double[] p) {
    gram.remove(j);
    if (waiting.add(Math.sqrt(1 / p[j]), p, n)) {
      flush();
    }
    int last = --n;
    ridge[j] = ridge[last];
    waiting.move(j, last);
    rising.move(j, last);
    double[] moved = rows[last];
    moved[j] = moved[last];
    rows[last] = rows[j];
    rows[j] = moved;
    for (int i = 0; i < last; i++) {
      rows[i][j] = moved[i];
      rows[i][last] = 0;
    }
    Arrays.fill(rows[last], 0, last + 1, 0);
  }

  /** Whether it is time to recompute P. */
  public boolean isOld() {
    return age >= (long) LIFE * Math.max(TILE, n);
  }

  /**
   * Recomputes P, with R at least as given; if the sum is still singular, R grows until it is not.
   * Solves P⁻¹ x = b for each of the columns, in its place.
   */
  public void renew(double leastRidge, double[][] columns) {
    for (int j = 0; j < n; j++) {
      ridge[j] = Math.max(ridge[j], leastRidge);
    }
    double[][] factor = gram.factor(ridge);
    for (double[] column : columns) {
      Cholesky.solve(factor, column, n);
    }
    Cholesky.invert(factor, n);
    clear();
    Cholesky.square(factor, n, rows);
    mirror();
  }

  /**
   * Replaces the sum G by M G Mᵀ + N H Nᵀ, where H is the sum of another; P must then be renewed.
   */
  public void merge(double[][] m, Inverse other, double[][] n) {
    Gram both = new Gram(most);
    while (both.size() < size()) {
      both.grow();
    }
    both.add(m, gram);
    both.add(n, other.gram);
    gram = both;
  }

  /** Whether P is positive definite, to the last digit. */
  public boolean isPositive() {
    double[][] copy = new double[n][];
    for (int i = 0; i < n; i++) {
      copy[i] = Arrays.copyOf(rows[i], i + 1);
      waiting.addTo(copy[i], i, -1);
      rising.addTo(copy[i], i, 1);
    }
    return Cholesky.factor(copy, n);
  }

  /** Appends the matrix and what is needed to renew its inverse. */
  public void encode(Encoder out) {
    out.int64(age);
    out.doubles(ridge, n);
    gram.encode(out);
    for (int i = 0; i < n; i++) {
      out.doubles(rows[i], i + 1);
    }
    waiting.encode(out, n);
    rising.encode(out, n);
  }

  /** Reads n rows; see the constructor for most. */
  public static Inverse decode(Decoder in, int n, int most) throws ModelFileException {
    Inverse inverse = new Inverse(most);
    inverse.age = in.count("the age of the inverse");
    inverse.ridge = in.doubles(n, n);
    inverse.gram = Gram.decode(in, n, most);
    inverse.rows = new double[n][];
    inverse.nonZero = new int[n];
    for (int i = 0; i < n; i++) {
      Decoder.check(inverse.ridge[i] > 0, "the prior must be > 0", inverse.ridge[i]);
      inverse.rows[i] = in.doubles(i + 1, 0);
    }
    Arrays.setAll(inverse.rows, i -> Arrays.copyOf(inverse.rows[i], n));
    inverse.n = n;
    inverse.mirror();
    inverse.waiting.decode(in, n);
    inverse.rising.decode(in, n);
    return inverse;
  }

  private void reserve(int capacity) {
    double[][] old = rows;
    rows = new double[capacity][];
    Arrays.setAll(rows, i -> i < n ? Arrays.copyOf(old[i], capacity) : new double[capacity]);
    ridge = Arrays.copyOf(ridge, capacity);
    nonZero = new int[capacity];
  }

  private void clear() {
    waiting.clear();
    rising.release();
    age = 0;
    for (int i = 0; i < n; i++) {
      Arrays.fill(rows[i], 0, n, 0);
    }
  }

  private void flush() {
    waiting.addTo(rows, n, -1);
    rising.addTo(rows, n, 1);
    waiting.clear();
    rising.release();
    mirror();
  }

  /** Copies the lower half to the upper one, tile by tile. */
  private void mirror() {
    for (int top = 0; top < n; top += TILE) {
      for (int left = 0; left <= top; left += TILE) {
        mirror(top, left);
      }
    }
  }

  private void mirror(int top, int left) {
    int right = Math.min(left + TILE, n);
    for (int i = top; i < Math.min(top + TILE, n); i++) {
      double[] row = rows[i];
      for (int j = left; j < Math.min(right, i); j++) {
        rows[j][i] = row[j];
      }
    }
  }
}
