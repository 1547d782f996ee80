package org.avm4j.internal;

/**
 * a b + c with one rounding, which is twice the speed of a product and a sum.
 *
 * <p>{@link Math#fma} gives the same bits on every machine, but where the processor lacks the
 * instruction (few built after 2013) it takes microseconds. There, found once by trying, the
 * product is rounded too, and results agree with those of other machines to rounding only.
 */
final class Fused {
  /** Between the two kinds of machines lies a factor of several hundred. */
  private static final long SLOW_NANOS = 1_000_000;

  private static final int TRIALS = 100;

  private static final boolean HARDWARE = isFast();

  private Fused() {}

  static float of(float a, float b, float c) {
    return HARDWARE ? Math.fma(a, b, c) : a * b + c;
  }

  static double of(double a, double b, double c) {
    return HARDWARE ? Math.fma(a, b, c) : a * b + c;
  }

  private static boolean isFast() {
    return nanos() < SLOW_NANOS || nanos() < SLOW_NANOS || nanos() < SLOW_NANOS;
  }

  private static long nanos() {
    long start = System.nanoTime();
    double sum = 0.1;
    for (int i = 0; i < TRIALS; i++) {
      sum = Math.fma(sum, 0.7, 0.1 * i);
    }
    long end = System.nanoTime();
    return Double.isNaN(sum) ? Long.MAX_VALUE : end - start;
  }
}
