package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * A block of vectors v_b, whose outer products are added to a matrix together. Arrays are allocated
 * when they are first needed.
 */
final class Block {
  private final double[][] vectors;
  private final int most;
  private int capacity;
  private int count;

  /** Room for a given number of vectors. */
  Block(int size) {
    this(size, Integer.MAX_VALUE);
  }

  /** Room for a given number of vectors, each with about {@code most} entries at most. */
  Block(int size, int most) {
    vectors = new double[size][];
    this.most = most;
  }

  /**
   * The capacity to reserve for n entries if more may follow: at most {@code most}, unless n is
   * larger.
   */
  static int room(int n, int most) {
    return Math.max(n, Math.min(most, Math.max(16, n + n / 2)));
  }

  /** Makes room for n entries; those beyond the old ones are 0. */
  void reserve(int n) {
    boolean isLarger = n > capacity;
    capacity = isLarger ? room(n, most) : capacity;
    for (int b = 0; b < vectors.length && vectors[b] != null; b++) {
      vectors[b] = isLarger ? Arrays.copyOf(vectors[b], capacity) : vectors[b];
      vectors[b][n - 1] = 0;
    }
  }

  /** Adds factor · v and returns whether the block is full. */
  boolean add(double factor, double[] v, int n) {
    double[] vector = next();
    for (int j = 0; j < n; j++) {
      vector[j] = factor * v[j];
    }
    return count == vectors.length;
  }

  /** The same for floats. */
  boolean add(double factor, float[] v, int n) {
    double[] vector = next();
    for (int j = 0; j < n; j++) {
      vector[j] = factor * v[j];
    }
    return count == vectors.length;
  }

  private double[] next() {
    double[] vector = vectors[count];
    vectors[count] = vector == null || vector.length < capacity ? new double[capacity] : vector;
    return vectors[count++];
  }

  void clear() {
    count = 0;
  }

  /** Clears the block and gives its room back. */
  void release() {
    Arrays.fill(vectors, null);
    count = 0;
  }

  /** Moves the last entry of each vector to place j; the last place becomes 0. */
  void move(int j, int last) {
    for (int b = 0; b < count; b++) {
      vectors[b][j] = vectors[b][last];
      vectors[b][last] = 0;
    }
  }

  /** out ← out + sign Σ_b v_b (v_bᵀ k). */
  void addProduct(double sign, double[] k, double[] out, int n) {
    for (int b = 0; b < count; b++) {
      Vectors.add(sign * Vectors.dot(vectors[b], k, n), vectors[b], out, n);
    }
  }

  /** out ← out + sign Σ_b v_b v_bj. */
  void addColumn(double sign, int j, double[] out, int n) {
    for (int b = 0; b < count; b++) {
      Vectors.add(sign * vectors[b][j], vectors[b], out, n);
    }
  }

  /** Σ_b v_bj². */
  double square(int j) {
    double sum = 0;
    for (int b = 0; b < count; b++) {
      sum += vectors[b][j] * vectors[b][j];
    }
    return sum;
  }

  /** Appends column j of the rows as a vector; only entries from place {@code from} on are set. */
  void addColumn(double[][] rows, int j, int from, int n) {
    double[] vector = next();
    for (int i = from; i < n; i++) {
      vector[i] = rows[i][j];
    }
  }

  /** Adds sign Σ_b v_b v_bᵀ to the lower half of n rows. */
  void addTo(double[][] rows, int n, double sign) {
    addTo(rows, 0, 0, n, sign);
  }

  /**
   * The same for the rows {@code top} to {@code bottom}, from column {@code left} on, two at a
   * time.
   */
  void addTo(double[][] rows, int left, int top, int bottom, double sign) {
    int i = top;
    for (; i + 2 <= bottom; i += 2) {
      addTo(rows[i], rows[i + 1], left, i, sign);
    }
    if (i < bottom) {
      addRest(rows[i], left, i, 0, sign);
    }
  }

  private void addTo(double[] row, double[] next, int left, int i, double sign) {
    int k = i + 1;
    int b = 0;
    for (; b + 4 <= count; b += 4) {
      double[] w = vectors[b];
      double[] x = vectors[b + 1];
      double[] y = vectors[b + 2];
      double[] z = vectors[b + 3];
      Vectors.addFour(sign * w[i], w, sign * x[i], x, sign * y[i], y, sign * z[i], z, row, left, k);
      Vectors.addFour(
          sign * w[k], w, sign * x[k], x, sign * y[k], y, sign * z[k], z, next, left, k);
    }
    for (int c = 0; c < b; c++) {
      next[k] += sign * vectors[c][k] * vectors[c][k];
    }
    addRest(row, left, i, b, sign);
    addRest(next, left, k, b, sign);
  }

  /** Adds what vector {@code first} and those after it give to row i. */
  private void addRest(double[] row, int left, int i, int first, double sign) {
    for (int b = first; b < count; b++) {
      Vectors.add(sign * vectors[b][i], vectors[b], row, left, i + 1);
    }
  }

  /** row_j ← row_j + sign Σ_b v_bi v_bj for j ≤ i. */
  void addTo(double[] row, int i, double sign) {
    int b = 0;
    for (; b + 4 <= count; b += 4) {
      double[] w = vectors[b];
      double[] x = vectors[b + 1];
      double[] y = vectors[b + 2];
      double[] z = vectors[b + 3];
      Vectors.addFour(
          sign * w[i], w, sign * x[i], x, sign * y[i], y, sign * z[i], z, row, 0, i + 1);
    }
    for (; b < count; b++) {
      Vectors.add(sign * vectors[b][i], vectors[b], row, i + 1);
    }
  }

  void encode(Encoder out, int n) {
    out.int32(count);
    for (int b = 0; b < count; b++) {
      out.doubles(vectors[b], n);
    }
  }

  void decode(Decoder in, int n) throws ModelFileException {
    int waiting = in.int32("the waiting vectors", vectors.length - 1);
    capacity = n;
    for (; count < waiting; count++) {
      vectors[count] = in.doubles(n, n);
    }
  }
}
