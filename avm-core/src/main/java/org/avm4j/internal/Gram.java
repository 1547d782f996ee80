package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * G = Σ_t w_t k_t k_tᵀ, whose size may grow: entries that did not exist at step t are 0 in k_t.
 * Only the lower half is stored. Terms are collected in blocks; a block is added row by row, so
 * that each row is fetched once for all its terms. A term can be subtracted again.
 */
public final class Gram {
  private static final int FEW = 16;
  private static final int MANY = 64;

  private double[][] lower = {};
  private int n;
  private final boolean onAllCores;
  private final Block waiting;
  private final Block leaving;

  /** An empty sum. */
  public Gram() {
    this(Integer.MAX_VALUE);
  }

  /** An empty sum; space for more than {@code most} rows is allocated only when it is needed. */
  Gram(int most) {
    this(FEW, most, false);
  }

  private Gram(int block, int most, boolean onAllCores) {
    this.onAllCores = onAllCores;
    waiting = new Block(block, most);
    leaving = new Block(block, most);
  }

  /** A sum of zeros with n rows and columns, for many terms; all cores add them. */
  public static Gram onAllCores(int n) {
    Gram gram = new Gram(MANY, Integer.MAX_VALUE, true);
    while (gram.n < n) {
      gram.grow();
    }
    return gram;
  }

  /** A sum of zeros with n rows and columns, for many terms; one core adds them. */
  public static Gram onOneCore(int n) {
    Gram gram = new Gram(MANY, Integer.MAX_VALUE, false);
    while (gram.n < n) {
      gram.grow();
    }
    return gram;
  }

  /** The number of rows of the matrix. */
  public int size() {
    return n;
  }

  /** One more row and column of zeros. */
  public void grow() {
    lower = n == lower.length ? Arrays.copyOf(lower, Math.max(16, 2 * n)) : lower;
    lower[n] = new double[n + 1];
    waiting.reserve(++n);
    leaving.reserve(n);
  }

  /**
   * Fills the last row as if its entry of every k had been mᵀk plus a rest, whose square is a given
   * part of the square of the nearest row's entry. Returns the sum of the squared rests.
   */
  public double recall(double[] m, double part, int nearest) {
    int last = n - 1;
    double[] row = new double[n];
    for (int i = 0; i < last; i++) {
      if (m[i] != 0) {
        Vectors.add(m[i], lower[i], row, i + 1);
        for (int j = i + 1; j < last; j++) {
          row[j] += m[i] * lower[j][i];
        }
      }
    }
    waiting.addProduct(1, m, row, last);
    leaving.addProduct(-1, m, row, last);
    double rest = part * diagonal(nearest);
    row[last] = Vectors.dot(row, m, last) + rest;
    lower[last] = row;
    return rest;
  }

  /** Sets the last row: the entries in the other columns, and the one on the diagonal. */
  public void border(double[] a, double own) {
    lower[n - 1] = Arrays.copyOf(a, n);
    lower[n - 1][n - 1] = own;
  }

  /** Removes row and column j; the last ones take their place. */
  public void remove(int j) {
    int last = --n;
    for (int i = 0; i < last; i++) {
      if (i != j) {
        lower[Math.max(i, j)][Math.min(i, j)] = lower[last][i];
      }
    }
    lower[Math.min(j, last)][j] = lower[last][last];
    lower[last] = null;
    waiting.move(j, last);
    leaving.move(j, last);
  }

  /** G ← G + w k kᵀ; a negative w subtracts a term that was added before. */
  public void add(double w, double[] k) {
    Block block = w < 0 ? leaving : waiting;
    if (block.add(Math.sqrt(Math.abs(w)), k, n)) {
      flush();
    }
  }

  /** The same for floats. */
  public void add(double w, float[] k) {
    Block block = w < 0 ? leaving : waiting;
    if (block.add(Math.sqrt(Math.abs(w)), k, n)) {
      flush();
    }
  }

  /** Entry (j, j). */
  public double diagonal(int j) {
    return lower[j][j] + waiting.square(j) - leaving.square(j);
  }

  /** G ← power G. */
  public void scale(double power) {
    flush();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        lower[i][j] *= power;
      }
    }
  }

  /**
   * The Cholesky factor of G + diag(ridge); if that is singular, the ridge grows until it is not.
   *
   * @throws IllegalArgumentException if there is none, because numbers left their range
   */
  public double[][] factor(double[] ridge) {
    flush();
    double[][] factor = plus(ridge);
    while (!(onAllCores ? Cholesky.factorInBlocks(factor, n) : Cholesky.factor(factor, n))) {
      for (int j = 0; j < n; j++) {
        ridge[j] *= 10;
      }
      checkRange(ridge);
      factor = plus(ridge);
    }
    return factor;
  }

  /** Checks for infinite numbers and NaN, for which no ridge helps. */
  private void checkRange(double[] ridge) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += Math.abs(ridge[i]);
      for (int j = 0; j <= i; j++) {
        sum += Math.abs(lower[i][j]);
      }
    }
    if (!Double.isFinite(sum)) {
      throw new IllegalArgumentException(
          "the sums of the second-order step exceed the range of numbers");
    }
  }

  private double[][] plus(double[] ridge) {
    double[][] copy = new double[n][];
    for (int i = 0; i < n; i++) {
      copy[i] = Arrays.copyOf(lower[i], i + 1);
      copy[i][i] += ridge[i];
    }
    return copy;
  }

  /** G ← G + H, of the same size or smaller. */
  public void add(Gram h) {
    h.flush();
    for (int i = 0; i < h.n; i++) {
      Vectors.add(1, h.lower[i], lower[i], i + 1);
    }
  }

  /** G ← G + M H Mᵀ, where M has a row for each row here, and H is 0 beyond its width. */
  public void add(double[][] m, Gram h) {
    double[][] full = h.symmetric();
    for (int i = 0; i < n; i++) {
      double[] product = times(m[i], full);
      for (int j = 0; j <= i; j++) {
        lower[i][j] += Vectors.dot(product, m[j], product.length);
      }
    }
  }

  private static double[] times(double[] row, double[][] h) {
    double[] product = new double[row.length];
    for (int j = 0; j < row.length; j++) {
      if (row[j] != 0) {
        Vectors.add(row[j], h[j], product, row.length);
      }
    }
    return product;
  }

  private double[][] symmetric() {
    double[][] full = new double[n][];
    for (int i = 0; i < n; i++) {
      full[i] = Arrays.copyOf(lower[i], n);
      waiting.addTo(full[i], i, 1);
      leaving.addTo(full[i], i, -1);
      for (int j = 0; j < i; j++) {
        full[j][i] = full[i][j];
      }
    }
    return full;
  }

  /** Appends the sum, after all collected terms were added to it. */
  public void encodeSum(Encoder out) {
    flush();
    for (int i = 0; i < n; i++) {
      out.doubles(lower[i], i + 1);
    }
  }

  /** The sum of n rows that {@link #encodeSum} appended. */
  public static Gram decodeSum(Decoder in, int n) throws ModelFileException {
    Gram gram = onOneCore(n);
    gram.lower = in.triangle(n);
    return gram;
  }

  /** Appends the sum, and the terms that were not yet added to it. */
  public void encode(Encoder out) {
    for (int i = 0; i < n; i++) {
      out.doubles(lower[i], i + 1);
    }
    waiting.encode(out, n);
    leaving.encode(out, n);
  }

  /** The sum of n rows that was appended; see the constructor for most. */
  static Gram decode(Decoder in, int n, int most) throws ModelFileException {
    Gram gram = new Gram(most);
    gram.lower = in.triangle(n);
    gram.n = n;
    gram.waiting.decode(in, n);
    gram.leaving.decode(in, n);
    return gram;
  }

  private void flush() {
    if (onAllCores) {
      Bands.each(0, n, this::flush);
    } else {
      flush(0, n);
    }
    waiting.clear();
    leaving.clear();
  }

  private void flush(int top, int bottom) {
    waiting.addTo(lower, 0, top, bottom, 1);
    leaving.addTo(lower, 0, top, bottom, -1);
  }
}
