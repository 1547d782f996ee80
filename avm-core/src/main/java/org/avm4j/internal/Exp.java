package org.avm4j.internal;

/**
 * The exponential function for arguments at most 0, for a whole array at once.
 *
 * <p>exp(x) = p(x/64)^64, where p is the polynomial of degree 8 that interpolates exp on [-1.375,
 * 0] at the Chebyshev points, with p(0) = 1. Three squarings are done on q = p - 1, by (1 + q)² = 1
 * + (2q + q²), which keeps its digits where p is near 1, and three on p. The loop has no branch, so
 * the compiler vectorises it. The error is below {@value #ERROR}, and relative to the value below
 * 5e-5 down to x = -40; below -87 the value at -87, about 1.6e-38, stands for all.
 */
public final class Exp {
  /** The bound of the error. */
  public static final double ERROR = 5e-7;

  /** The argument below which the result no longer falls. */
  public static final float LEAST = -87;

  /** From here on exp(-s) is 0 in double precision, and so is s² exp(-s). */
  public static final double UNDERFLOW = 1000;

  private Exp() {}

  /** The factor as a float, which must be finite, because infinity times a distance of 0 is NaN. */
  public static float factor(double gamma) {
    return (float) Math.min(gamma, Float.MAX_VALUE);
  }

  /** out_j = exp(factor · a_j), where no product is above 0. */
  public static void ofNegative(float factor, float[] a, float[] out, int n) {
    for (int j = 0; j < n; j++) {
      float x = Math.max(factor * a[j], LEAST) * (1f / 64);
      float p = 1.3633858e-05f;
      p = Math.fma(p, x, 0.00017607205f);
      p = Math.fma(p, x, 0.0013642746f);
      p = Math.fma(p, x, 0.008317952f);
      p = Math.fma(p, x, 0.041661383f);
      p = Math.fma(p, x, 0.16666577f);
      p = Math.fma(p, x, 0.49999994f);
      p = Math.fma(p, x, 1f);
      float q = p * x;
      q = Math.fma(q, q, q + q);
      q = Math.fma(q, q, q + q);
      q = Math.fma(q, q, q + q);
      p = 1 + q;
      p *= p;
      p *= p;
      out[j] = p * p;
    }
  }

  /** out_j = exp(-factor · √a_j), where the factor is positive; the arrays must differ. */
  public static void ofNegativeRoots(float factor, float[] a, float[] out, int n) {
    for (int j = 0; j < n; j++) {
      out[j] = (float) Math.sqrt(a[j]);
    }
    ofNegative(-factor, out, out, n);
  }
}
