package org.avm4j.internal;

import java.util.Arrays;

/**
 * Squared distances from one row to n points that are stored feature by feature: {@code
 * columns[i][j]} is feature i of point j. The inner loops run over the points, so the compiler
 * vectorises them.
 */
public final class Distances {
  private Distances() {}

  /** The meaning of {@link #dense}: out_j = base + Σ_i (x_i - c_ij)². */
  public static void obvious(
      float[] x, float[][] columns, int features, int n, double base, float[] out) {
    for (int j = 0; j < n; j++) {
      double sum = base;
      for (int i = 0; i < features; i++) {
        double difference = (double) x[i] - columns[i][j];
        sum += difference * difference;
      }
      out[j] = (float) sum;
    }
  }

  /** The same, four features a pass. */
  public static void dense(
      float[] x, float[][] columns, int features, int n, double base, float[] out) {
    Arrays.fill(out, 0, n, (float) base);
    int i = 0;
    for (; i + 4 <= features; i += 4) {
      four(x[i], x[i + 1], x[i + 2], x[i + 3], columns, i, n, out);
    }
    for (; i + 2 <= features; i += 2) {
      two(x[i], x[i + 1], columns[i], columns[i + 1], n, out);
    }
    if (i < features) {
      one(x[i], columns[i], n, out);
    }
  }

  private static void four(
      float x0, float x1, float x2, float x3, float[][] columns, int i, int n, float[] out) {
    float[] a = columns[i];
    float[] b = columns[i + 1];
    float[] c = columns[i + 2];
    float[] d = columns[i + 3];
    for (int j = 0; j < n; j++) {
      float p = x0 - a[j];
      float q = x1 - b[j];
      float r = x2 - c[j];
      float s = x3 - d[j];
      float sum = Math.fma(s, s, out[j]);
      sum = Math.fma(r, r, sum);
      sum = Math.fma(q, q, sum);
      out[j] = Math.fma(p, p, sum);
    }
  }

  private static void two(float x0, float x1, float[] a, float[] b, int n, float[] out) {
    for (int j = 0; j < n; j++) {
      float p = x0 - a[j];
      float q = x1 - b[j];
      out[j] = Math.fma(p, p, Math.fma(q, q, out[j]));
    }
  }

  private static void one(float x, float[] column, int n, float[] out) {
    for (int j = 0; j < n; j++) {
      float p = x - column[j];
      out[j] = Math.fma(p, p, out[j]);
    }
  }

  /** Inner products: out_j = Σ_i x_i c_ij, four features a pass. */
  public static void products(float[] x, float[][] columns, int features, int n, float[] out) {
    Arrays.fill(out, 0, n, 0);
    int i = 0;
    for (; i + 4 <= features; i += 4) {
      fourProducts(x[i], x[i + 1], x[i + 2], x[i + 3], columns, i, n, out);
    }
    for (; i < features; i++) {
      oneProduct(x[i], columns[i], n, out);
    }
  }

  private static void fourProducts(
      float x0, float x1, float x2, float x3, float[][] columns, int i, int n, float[] out) {
    float[] a = columns[i];
    float[] b = columns[i + 1];
    float[] c = columns[i + 2];
    float[] d = columns[i + 3];
    for (int j = 0; j < n; j++) {
      float sum = Math.fma(x3, d[j], out[j]);
      sum = Math.fma(x2, c[j], sum);
      sum = Math.fma(x1, b[j], sum);
      out[j] = Math.fma(x0, a[j], sum);
    }
  }

  /** Turns ⟨x, c_j⟩ into ‖x‖² + ‖c_j‖² - 2⟨x, c_j⟩. */
  public static void fromProducts(float norm, float[] norms, int n, float[] out) {
    for (int j = 0; j < n; j++) {
      out[j] = Math.fma(-2f, out[j], norm + norms[j]);
    }
  }

  private static void oneProduct(float x, float[] column, int n, float[] out) {
    for (int j = 0; j < n; j++) {
      out[j] = Math.fma(x, column[j], out[j]);
    }
  }
}
