package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** Vectors v_b whose outer products wait to be added to a matrix together. */
final class Block {
  /** How many vectors wait at most. */
  static final int SIZE = 16;

  private final double[][] vectors = new double[SIZE][0];
  private int count;

  /** Makes room for n entries; those beyond the old ones are 0. */
  void reserve(int n) {
    if (n > vectors[0].length) {
      int capacity = Math.max(16, n + n / 2);
      Arrays.setAll(vectors, b -> Arrays.copyOf(vectors[b], capacity));
    }
    for (double[] vector : vectors) {
      vector[n - 1] = 0;
    }
  }

  /** Adds factor · v and tells whether the block is full. */
  boolean add(double factor, double[] v, int n) {
    double[] vector = vectors[count++];
    for (int j = 0; j < n; j++) {
      vector[j] = factor * v[j];
    }
    return count == SIZE;
  }

  void clear() {
    count = 0;
  }

  /** The last entry takes place j, and its own becomes 0. */
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

  /** Adds sign Σ_b v_b v_bᵀ to the lower half of n rows, two at a time. */
  void addTo(double[][] rows, int n, double sign) {
    int i = 0;
    for (; i + 2 <= n; i += 2) {
      addTo(rows[i], rows[i + 1], i, sign);
    }
    if (i < n) {
      addTo(rows[i], i, sign);
    }
  }

  private void addTo(double[] row, double[] next, int i, double sign) {
    int k = i + 1;
    int b = 0;
    for (; b + 4 <= count; b += 4) {
      double[] w = vectors[b];
      double[] x = vectors[b + 1];
      double[] y = vectors[b + 2];
      double[] z = vectors[b + 3];
      Vectors.addFour(
          sign * w[i],
          sign * x[i],
          sign * y[i],
          sign * z[i],
          row,
          sign * w[k],
          sign * x[k],
          sign * y[k],
          sign * z[k],
          next,
          w,
          x,
          y,
          z,
          k);
    }
    for (int c = 0; c < b; c++) {
      next[k] += sign * vectors[c][k] * vectors[c][k];
    }
    for (; b < count; b++) {
      Vectors.add(sign * vectors[b][i], vectors[b], row, k);
      Vectors.add(sign * vectors[b][k], vectors[b], next, k + 1);
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
      Vectors.addFour(sign * w[i], w, sign * x[i], x, sign * y[i], y, sign * z[i], z, row, i + 1);
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
    int waiting = in.int32("the waiting vectors", SIZE - 1);
    Arrays.setAll(vectors, b -> new double[n]);
    for (; count < waiting; count++) {
      vectors[count] = in.doubles(n, n);
    }
  }
}
