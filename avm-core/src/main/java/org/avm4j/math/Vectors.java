package org.avm4j.math;

import java.util.Arrays;

/** Sums over plain arrays. */
public final class Vectors {
  private Vectors() {}

  /** Σ a_j b_j for j from 0 to n - 1, in four sums so that additions need not wait. */
  public static double dot(double[] a, double[] b, int n) {
    return dot(a, b, 0, n);
  }

  /** The same from one place on. */
  public static double dot(double[] a, double[] b, int from, int n) {
    double p = 0;
    double q = 0;
    double r = 0;
    double s = 0;
    int whole = from + ((n - from) & ~3);
    for (int j = from; j < whole; j += 4) {
      p += a[j] * b[j];
      q += a[j + 1] * b[j + 1];
      r += a[j + 2] * b[j + 2];
      s += a[j + 3] * b[j + 3];
    }
    for (int j = whole; j < n; j++) {
      p += a[j] * b[j];
    }
    return (p + q) + (r + s);
  }

  /** Σ a_{from+j} b_j for j from 0 to n - 1, in four sums. */
  public static double dot(double[] a, int from, double[] b, int n) {
    double p = 0;
    double q = 0;
    double r = 0;
    double s = 0;
    int whole = n & ~3;
    for (int j = 0; j < whole; j += 4) {
      p += a[from + j] * b[j];
      q += a[from + j + 1] * b[j + 1];
      r += a[from + j + 2] * b[j + 2];
      s += a[from + j + 3] * b[j + 3];
    }
    for (int j = whole; j < n; j++) {
      p += a[from + j] * b[j];
    }
    return (p + q) + (r + s);
  }

  /** The same for floats, as exact. */
  public static double dot(double[] a, float[] b, int n) {
    double p = 0;
    double q = 0;
    double r = 0;
    double s = 0;
    int whole = n & ~3;
    for (int j = 0; j < whole; j += 4) {
      p += a[j] * b[j];
      q += a[j + 1] * b[j + 1];
      r += a[j + 2] * b[j + 2];
      s += a[j + 3] * b[j + 3];
    }
    for (int j = whole; j < n; j++) {
      p += a[j] * b[j];
    }
    return (p + q) + (r + s);
  }

  /** y ← y + a x. */
  public static void add(double a, float[] x, double[] y, int n) {
    for (int j = 0; j < n; j++) {
      y[j] += a * x[j];
    }
  }

  /** y ← y + a x. */
  public static void add(double a, double[] x, double[] y, int n) {
    add(a, x, y, 0, n);
  }

  /** The same from one place on. */
  public static void add(double a, double[] x, double[] y, int from, int n) {
    for (int j = from; j < n; j++) {
      y[j] += a * x[j];
    }
  }

  /**
   * out ← out + a w + b x + c y + d z from one place on, in one pass. The compiler vectorises this
   * loop, but not one with two outputs.
   */
  public static void addFour(
      double a,
      double[] w,
      double b,
      double[] x,
      double c,
      double[] y,
      double d,
      double[] z,
      double[] out,
      int from,
      int n) {
    for (int j = from; j < n; j++) {
      double sum = Math.fma(d, z[j], out[j]);
      sum = Math.fma(c, y[j], sum);
      sum = Math.fma(b, x[j], sum);
      out[j] = Math.fma(a, w[j], sum);
    }
  }

  /** out ← Σ_j k_j columns_j over the first {@code count} columns, four of them at a time. */
  public static void multiply(double[] k, double[][] columns, int count, double[] out, int n) {
    Arrays.fill(out, 0, n, 0);
    int j = 0;
    for (; j + 4 <= count; j += 4) {
      double[] w = columns[j];
      double[] x = columns[j + 1];
      double[] y = columns[j + 2];
      double[] z = columns[j + 3];
      addFour(k[j], w, k[j + 1], x, k[j + 2], y, k[j + 3], z, out, 0, n);
    }
    for (; j < count; j++) {
      add(k[j], columns[j], out, n);
    }
  }
}
