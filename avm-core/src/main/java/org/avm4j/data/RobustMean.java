package org.avm4j.data;

/**
 * The mean of numbers, which one absurd number does not spoil: a number counts as at most a
 * thousand times as far from the mean as numbers usually are.
 */
final class RobustMean {
  /** Usual distances from the mean beyond which a number counts as nearer than it is. */
  private static final double FAR = 1000;

  /** Numbers from which on the usual distance is known. */
  private static final int ENOUGH = 10;

  private long count;
  private double mean;

  /** The mean distance of a number from the mean before it; NaN if it was not kept. */
  private double spread;

  void observe(double value) {
    double reach = count < ENOUGH || !(spread > 0) ? Double.MAX_VALUE : FAR * spread;
    double counted = Math.max(mean - reach, Math.min(mean + reach, value));
    count++;
    spread += count == 1 ? 0 : (Math.abs(counted - mean) - spread) / count;
    mean += counted / count - mean / count;
  }

  long count() {
    return count;
  }

  /** The mean so far, 0 before the first number. */
  double mean() {
    return mean;
  }

  double spread() {
    return spread;
  }

  void restore(long itsCount, double itsMean, double itsSpread) {
    count = itsCount;
    mean = itsMean;
    spread = itsSpread;
  }
}
