package org.avm4j.boost;

import java.util.Arrays;

/**
 * The bins of a feature: bin 0 are the rows without an entry, whose value is 0, and bins 1 to n are
 * ranges of the other values with about equal numbers of rows.
 */
final class Quantiles {
  /** The most bins of a feature, so that a bin fits a byte. */
  static final int MOST_BINS = 254;

  /**
   * The fewest rows of a bin, if there are more values than bins. With finer bins ten tables of 500
   * rows have no lower error and take 4 % more time. With 8 rows, six tables of 2,000 rows have 1 %
   * more error.
   */
  private static final int LEAST_ROWS = 4;

  /** The most values from which the bounds of bins are computed. */
  private static final int MOST_SORTED = 1 << 16;

  private final double[] cuts;
  private final int firstAboveZero;

  /**
   * Bins by their bounds.
   *
   * @param cuts the least value of each bin from the second on; first of all a bound below every
   *     value
   */
  private Quantiles(double[] cuts) {
    this.cuts = cuts;
    int bin = 1;
    while (bin <= cuts.length && cuts[bin - 1] <= 0) {
      bin++;
    }
    firstAboveZero = bin;
  }

  /** The bins of a feature with these entries, none of which is 0. */
  static Quantiles of(double[] values, int count) {
    double[] sorted = sample(values, count);
    Arrays.sort(sorted);
    int distinct = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] > sorted[i - 1]) {
        distinct++;
      }
    }
    double[] cuts = new double[MOST_BINS];
    int size = 0;
    cuts[size++] = sorted[0] > 0 ? between(0, sorted[0]) : sorted[0];
    boolean isFine = distinct <= MOST_BINS;
    int most = Math.min(MOST_BINS, sorted.length / LEAST_ROWS);
    for (int i = 1, next = 1; i < sorted.length && size < MOST_BINS; i++) {
      boolean isDue = isFine || (long) i * most >= (long) next * sorted.length;
      if (isDue && sorted[i] > sorted[i - 1]) {
        cuts[size++] = between(sorted[i - 1], sorted[i]);
        next = (int) ((long) i * most / sorted.length) + 1;
      }
    }
    return new Quantiles(Arrays.copyOf(cuts, size));
  }

  private static double[] sample(double[] values, int count) {
    int size = Math.min(count, MOST_SORTED);
    double[] sample = new double[size];
    for (int i = 0; i < size; i++) {
      sample[i] = values[(int) ((long) i * count / size)];
    }
    return sample;
  }

  /**
   * A bound above {@code lower} and at most {@code upper}: about half-way, with few digits if
   * possible.
   */
  private static double between(double lower, double upper) {
    double half = (float) (lower / 2 + upper / 2);
    if (half > lower && half <= upper) {
      return half;
    }
    half = lower / 2 + upper / 2;
    return half > lower ? half : upper;
  }

  /** The number of bins of values that are not 0. */
  int size() {
    return cuts.length;
  }

  /** The bound below a bin, from 1 to {@link #size}. */
  double cut(int bin) {
    return cuts[bin - 1];
  }

  int bin(double value) {
    if (value == 0) {
      return 0;
    }
    int low = 1;
    int high = cuts.length;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (value >= cuts[middle - 1]) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The first bin of values above 0, before which 0 belongs. */
  int firstAboveZero() {
    return firstAboveZero;
  }
}
