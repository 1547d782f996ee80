package org.avm4j.internal;

/**
 * The exponential function for arguments at most 0, for a whole array at once.
 *
 * <p>exp(x) = p(x/128)^128, where p is the polynomial of degree 11 that interpolates exp on
 * [-0.6875, 0] at the Chebyshev points. The loop has no branch, so the compiler vectorises it; and
 * it uses nothing but additions and products, so it gives the same bits on every machine. The
 * relative error is below 1e-13 down to x = -88, below which the value at -88, about 6e-39, stands
 * for all.
 */
public final class Exp {
  /** The argument below which the result no longer falls. */
  public static final double LEAST = -88;

  private Exp() {}

  /** Replaces each of the first n values, all at most 0, by its exponential. */
  public static void ofNegative(double[] a, int n) {
    for (int i = 0; i < n; i++) {
      double x = Math.max(a[i], LEAST) * (1.0 / 128);
      double p = 1.780501559323667e-08;
      p = p * x + 2.6326129333698345e-07;
      p = p * x + 2.743346651707309e-06;
      p = p * x + 2.4793587956735207e-05;
      p = p * x + 0.00019840926456950932;
      p = p * x + 0.0013888879020589968;
      p = p * x + 0.008333333146226252;
      p = p * x + 0.041666666644142945;
      p = p * x + 0.16666666666506516;
      p = p * x + 0.4999999999999411;
      p = p * x + 0.9999999999999991;
      p = p * x + 1.0;
      p *= p;
      p *= p;
      p *= p;
      p *= p;
      p *= p;
      p *= p;
      a[i] = p * p;
    }
  }
}
