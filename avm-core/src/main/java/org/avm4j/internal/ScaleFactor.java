package org.avm4j.internal;

/**
 * The factor that gives a feature the deviation 1: one over its mean absolute deviation times
 * √(π/2), which for normal numbers is their standard deviation.
 */
public final class ScaleFactor {
  private static final double GAUSSIAN = Math.sqrt(Math.PI / 2);

  /**
   * Fraction of the mean below which a deviation is rounding error, so that the feature is
   * constant.
   */
  private static final double CONSTANT = 1e-12;

  private ScaleFactor() {}

  /**
   * The factor after n rows, or 0 if the feature was constant.
   *
   * @param count the number of rows in which the feature was not 0
   * @param mean the mean over those rows
   * @param absolutes the sum of absolute deviations
   */
  public static double of(long n, long count, double mean, double absolutes) {
    double zeros = (n - count) * Math.abs(mean * ((double) count / n));
    double deviation = (absolutes + zeros) / n;
    double scale = 1 / (GAUSSIAN * deviation);
    return deviation > CONSTANT * Math.abs(mean) && Double.isFinite(scale) ? scale : 0;
  }

  /** The factor that a feature would have if this value were its next one. */
  public static double with(double value, long rows, long count, double mean, double absolutes) {
    if (value == 0) {
      return of(rows + 1, count, mean, absolutes);
    }
    double moved = mean + (value - mean) / (count + 1);
    double sum = absolutes + absolute(rows, count, mean, value);
    return of(rows + 1, count + 1, moved, sum);
  }

  /** |x - mean| √(n/(n+1)), the mean being that of the n rows so far. */
  public static double absolute(long rows, long count, double mean, double value) {
    double all = rows == 0 ? value : mean * ((double) count / rows);
    return Math.abs(value - all) * Math.sqrt(rows / (rows + 1.0));
  }
}
