package org.avm4j.bench;

import java.util.Arrays;
import java.util.Map;

/** The time of each row on the clock, answer and learning together. */
final class RowTimes {
  private final long[] nanos;
  private int count;
  private long last = System.nanoTime();

  RowTimes(int rows) {
    nanos = new long[rows];
  }

  /** Ends a row. */
  void next() {
    long now = System.nanoTime();
    nanos[count++] = now - last;
    last = now;
  }

  /** The longest row and the one that 0.1 % of the rows exceed, in multiples of the mean. */
  Map<String, Double> all() {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    double mean = Arrays.stream(sorted).average().orElse(0);
    return mean == 0
        ? Map.of()
        : Map.of(
            "p999", round(sorted[(int) (0.999 * (count - 1))] / mean),
            "longest", round(sorted[count - 1] / mean));
  }

  private static double round(double value) {
    return Math.rint(10 * value) / 10;
  }
}
