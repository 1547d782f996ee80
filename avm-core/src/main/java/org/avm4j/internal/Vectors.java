package org.avm4j.internal;

/** Sums over plain arrays. */
public final class Vectors {
  private Vectors() {}

  /** Σ_{j<n} a_j b_j, in four partial sums so that additions need not wait for each other. */
  public static double dot(double[] a, double[] b, int n) {
    double p = 0;
    double q = 0;
    double r = 0;
    double s = 0;
    int j = 0;
    for (; j + 4 <= n; j += 4) {
      p += a[j] * b[j];
      q += a[j + 1] * b[j + 1];
      r += a[j + 2] * b[j + 2];
      s += a[j + 3] * b[j + 3];
    }
    for (; j < n; j++) {
      p += a[j] * b[j];
    }
    return (p + q) + (r + s);
  }

  /** y ← y + a x. */
  public static void add(double a, double[] x, double[] y, int n) {
    for (int j = 0; j < n; j++) {
      y[j] += a * x[j];
    }
  }

  /** out ← out + a w + b x + c y + d z, one pass over out for four additions. */
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
      int n) {
    for (int j = 0; j < n; j++) {
      double sum = a * w[j];
      sum += b * x[j];
      sum += c * y[j];
      sum += d * z[j];
      out[j] += sum;
    }
  }
}
