package org.avm4j.lab.baseline;

/**
 * Sines and cosines of whole arrays. The loops have only additions, products and comparisons and no
 * branches, so the compiler vectorises them, and all machines give the same bits. A single loop for
 * everything would take twice the time.
 *
 * <p>x = nπ + r with |r| ≤ π/2, so sin x = (-1)ⁿ sin r and cos x = (-1)ⁿ cos r, and these are r
 * p(r²) and q(r²) with the polynomials of degree 6 and 7 that interpolate at the Chebyshev points,
 * whose error is below 1e-13. Arguments are clipped to ±1e8, which no scaled data reaches.
 */
final class SineCosine {
  /** Adding and subtracting this rounds a double of up to 51 bits to a whole number. */
  private static final double ROUND = 0x1.8p52;

  /** π in two parts, of which the first has 24 bits, so that its product with n is exact. */
  private static final double PI_HIGH = 3.1415927410125732;

  private static final double PI_LOW = -8.7422780003724857e-8;
  private static final double LARGEST = 1e8;

  private SineCosine() {}

  /**
   * Computes the sines and cosines of the first n values, times a factor; overwrites the values.
   */
  static void of(double[] a, double[] sines, double[] cosines, int n, double factor) {
    reduce(a, sines, n, factor);
    System.arraycopy(sines, 0, cosines, 0, n);
    timesCosine(a, cosines, n);
    timesSine(a, sines, n);
  }

  /** a ← r, signs ← (-1)ⁿ times the factor. */
  private static void reduce(double[] a, double[] signs, int n, double factor) {
    for (int i = 0; i < n; i++) {
      double x = Math.max(-LARGEST, Math.min(LARGEST, a[i]));
      double turns = (x * (1 / Math.PI) + ROUND) - ROUND;
      double odd = turns - 2 * ((turns * 0.5 + ROUND) - ROUND);
      a[i] = (x - turns * PI_HIGH) - turns * PI_LOW;
      signs[i] = factor - 2 * factor * odd * odd;
    }
  }

  private static void timesSine(double[] a, double[] out, int n) {
    for (int i = 0; i < n; i++) {
      double r = a[i];
      double s = r * r;
      double p = 1.5411219111251076e-10;
      p = p * s - 2.5030268145699857e-08;
      p = p * s + 2.755695291176958e-06;
      p = p * s - 0.00019841266683118136;
      p = p * s + 0.008333333320358283;
      p = p * s - 0.1666666666646667;
      p = p * s + 0.9999999999999496;
      out[i] *= p * r;
    }
  }

  private static void timesCosine(double[] a, double[] out, int n) {
    for (int i = 0; i < n; i++) {
      double s = a[i] * a[i];
      double q = -1.100795611906574e-11;
      q = q * s + 2.0858317986491725e-09;
      q = q * s - 2.7556935430441666e-07;
      q = q * s + 2.4801582870355394e-05;
      q = q * s - 0.0013888888861087044;
      q = q * s + 0.041666666665809725;
      q = q * s - 0.49999999999989936;
      q = q * s + 0.9999999999999981;
      out[i] *= q;
    }
  }
}
