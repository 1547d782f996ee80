package org.avm4j.spec;

import java.util.Arrays;

/**
 * The grids that the paper searches (Section 9.2), and that of the second-order step's prior, which
 * is ours.
 */
public final class PaperGrids {
  private PaperGrids() {}

  /** γ: powers of 2 from -8 to 8. */
  public static double[] gamma() {
    return powers(-8, -4, -2, 0, 2, 4, 8);
  }

  /** λ = 2^k/N for even k from -4 to 16. */
  public static double[] lambda(double n) {
    return Arrays.stream(powers(-4, -2, 0, 2, 4, 6, 8, 10, 12, 14, 16)).map(p -> p / n).toArray();
  }

  /** η, the step of gradient descent. */
  public static double[] eta() {
    return new double[] {16, 8, 4, 2, 0.2, 0.02, 0.002, 0.0002};
  }

  /** C of batch methods: 2^k for odd k from -5 to 15. */
  public static double[] cost() {
    return powers(-5, -3, -1, 1, 3, 5, 7, 9, 11, 13, 15);
  }

  /** C of the passive-aggressive step. */
  public static double[] aggressiveness() {
    return powers(-4, -2, 0, 2);
  }

  /** The prior of the second-order step: powers of 10 from -3 to 1. */
  static double[] prior() {
    return new double[] {0.001, 0.01, 0.1, 1, 10};
  }

  private static double[] powers(int... exponents) {
    return Arrays.stream(exponents).mapToDouble(k -> Math.scalb(1.0, k)).toArray();
  }
}
