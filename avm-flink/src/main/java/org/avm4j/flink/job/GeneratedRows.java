package org.avm4j.flink.job;

import org.avm4j.Features;
import org.avm4j.flink.AvmRow;
import org.avm4j.math.SplitMix;

/** Generates rows from their numbers, reproducibly. */
final class GeneratedRows {
  private static final double NOISE = 0.05;
  private static final int FEATURES = 8;

  private GeneratedRows() {}

  /** A checkerboard in two of eight features, with 5 % of the labels wrong. */
  static AvmRow still(long i) {
    SplitMix random = new SplitMix(i + 1);
    double[] x = row(random);
    boolean isOdd = (cell(x[0]) + cell(x[1])) % 2 != 0;
    return AvmRow.of(RowFormat.ONE_KEY, Features.dense(x), label(isOdd, random));
  }

  /** A circle whose centre moves, in another phase for each key. */
  static AvmRow drifting(long i, int keys, long period) {
    SplitMix random = new SplitMix(i + 1);
    double[] x = row(random);
    int key = (int) (random.getAsDouble() * keys);
    double angle = 2 * Math.PI * ((double) i / period + (double) key / keys);
    double dx = x[0] - 0.5 - 0.25 * StrictMath.cos(angle);
    double dy = x[1] - 0.5 - 0.25 * StrictMath.sin(angle);
    boolean isInside = dx * dx + dy * dy < 0.1;
    return AvmRow.of("key-" + key, Features.dense(x), label(isInside, random))
        .withId(Long.toString(i));
  }

  private static double[] row(SplitMix random) {
    double[] x = new double[FEATURES];
    for (int j = 0; j < FEATURES; j++) {
      x[j] = random.getAsDouble();
    }
    return x;
  }

  private static int cell(double x) {
    return (int) (3 * x);
  }

  private static double label(boolean isPositive, SplitMix random) {
    boolean isWrong = random.getAsDouble() < NOISE;
    return isPositive != isWrong ? 1 : -1;
  }
}
