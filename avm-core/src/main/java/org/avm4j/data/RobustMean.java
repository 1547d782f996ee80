package org.avm4j.data;

/**
 * A mean that is robust against single absurd numbers: the distance of a number from the mean is
 * limited to a thousand times the usual distance.
 */
final class RobustMean {
  /** Limit on the distance of a number from the mean, as a multiple of the usual distance. */
  private static final double FAR = 1000;

  /** Count of numbers from which the usual distance is known. */
  private static final int ENOUGH = 10;

  private long count;
  private double mean;

  /** The mean distance of numbers from the mean before them; NaN if unknown. */
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

  /** The mean so far; 0 before the first number. */
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
