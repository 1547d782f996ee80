package org.avm4j.conformal;

/**
 * Finds the threshold of one level such that it covers this fraction of the stream, whatever the
 * stream does. The threshold is a quantile of the latest nonconformity, at a level that is
 * corrected by the debt: the misses so far minus those that were due. A debt raises the level.
 * Beyond the largest number in the window, the threshold doubles with each further {@value
 * #DOUBLING} misses, so that every stream is covered whose nonconformity grows more slowly than
 * that.
 *
 * <p>This is adaptive conformal inference (Gibbs, Candès 2021) with the sum of the misses instead
 * of a fixed step, as in conformal PID control (Angelopoulos, Candès, Tibshirani 2023). After any
 * number of rows there are at most {@link #MOST_DEBT} misses more than are due.
 */
final class LevelTracker {
  /**
   * Relative change of the miss rate by one miss. At 95 % on seven regression sets, windows of
   * 1,000 rows were off by up to 4.6 points with 0.01, 2.6 with 0.1 and 1.1 with 0.3; intervals of
   * one of them were 33.0, 33.3 and 35.0 wide (decision 32).
   */
  private static final double GAIN = 0.1;

  /** Misses that double a threshold beyond the window. */
  private static final int DOUBLING = 10;

  /**
   * Smallest miss rate extrapolated from the tail of the window, as a fraction of the rate that is
   * due.
   */
  private static final double RAREST = 0.25;

  /**
   * Largest debt in misses. It is enough to double the largest nonconformity of the window 20
   * times, and small enough that labels which no set can cover, such as new ones, do not widen
   * later sets for long.
   */
  static final double MOST_DEBT = 200;

  /**
   * Largest credit in misses. Sets may cover more than they must for a while, for instance if all
   * probabilities are equal at first. The credit is spent in later windows; 20 misses are 2 points
   * of a window of 1,000 rows.
   */
  static final double MOST_CREDIT = 20;

  private final double level;
  private double debt;

  LevelTracker(double level) {
    this.level = level;
  }

  /** The misses so far minus those that were due. */
  double debt() {
    return debt;
  }

  /** Restores a saved debt. */
  LevelTracker withDebt(double saved) {
    LevelTracker tracker = new LevelTracker(level);
    tracker.debt = saved;
    return tracker;
  }

  /** Notes whether a row was covered. */
  void learn(boolean isCovered) {
    double moved = debt + (isCovered ? 0 : 1) - (1 - level);
    debt = Math.max(-MOST_CREDIT, Math.min(MOST_DEBT, moved));
  }

  /** The threshold for the next row of the stream. */
  double threshold(ScoreWindow window) {
    return threshold(window, debt);
  }

  /** The threshold for rows that do not follow the stream: that of split conformal prediction. */
  double plainThreshold(ScoreWindow window) {
    return threshold(window, 0);
  }

  private double threshold(ScoreWindow window, double owed) {
    int n = window.count();
    if (n == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double misses = (1 - level) * (owed > 0 ? 1 - GAIN * owed : generosity(-GAIN * owed));
    double place = (1 - misses) * (n + 1) - 1;
    if (place >= n - 1) {
      return window.at(n - 1) * beyond(n, misses, owed);
    }
    if (place < 0) {
      return window.at(0) * Math.max(0, place + 1);
    }
    int below = (int) place;
    return window.at(below) + (place - below) * (window.at(below + 1) - window.at(below));
  }

  /** The factor on the miss rate for a credit; it grows steeply with the credit. */
  private static double generosity(double credit) {
    return 1 + credit + credit * credit * credit;
  }

  /**
   * The threshold relative to the largest of n numbers. For a miss rate below 1/n it follows an
   * exponential tail, down to a fraction of the rate that is due; further debt doubles the
   * threshold.
   */
  private double beyond(int n, double misses, double owed) {
    double rarest = (1 - level) * RAREST;
    double tail =
        StrictMath.log(1 / Math.max(misses, rarest)) / StrictMath.log(Math.max(2, n + 1.0));
    double doublings = GAIN * owed - (1 - RAREST);
    double growth = doublings > 0 ? StrictMath.pow(2, doublings / (GAIN * DOUBLING)) : 1;
    return Math.max(1, tail) * growth;
  }
}
