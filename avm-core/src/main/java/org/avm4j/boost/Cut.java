package org.avm4j.boost;

/**
 * How the rows of a node are divided.
 *
 * @param column the column that decides; -1 for no cut
 * @param bin the first bin whose rows go right
 * @param zeroGoesLeft whether rows without an entry go left
 * @param gain twice the decrease of the loss
 * @param first the sum of first derivatives on the left
 * @param second the sum of second derivatives on the left
 */
record Cut(int column, int bin, boolean zeroGoesLeft, double gain, double first, double second) {
  /** The smallest gain that is not rounding error. */
  private static final double LEAST_GAIN = 1e-6;

  static final Cut NONE = new Cut(-1, 0, false, LEAST_GAIN, 0, 0);
}
