package org.avm4j.tree;

import org.avm4j.Loss;
import org.avm4j.internal.Columns;

/**
 * The effect of a correction of scores on the squared loss of one instance, summed over columns:
 * squared residuals for numbers, the squared hinge for classes. Scores beyond the margin cost
 * nothing.
 */
final class Correction {
  private final boolean ofNumbers;
  private final Columns columns;

  /** correction·residual: the numerator of the best factor on the correction. */
  double num;

  /** correction²: the denominator of the best factor. */
  double den;

  /** The loss before the correction. */
  double before;

  /** The loss with the whole correction. */
  double after;

  Correction(Loss loss, Columns columns) {
    ofNumbers = loss.forRegression();
    this.columns = columns;
  }

  /** Measures the correction that leads from one set of scores to another. */
  void measure(double[] from, double[] to, int width, int own, double y) {
    num = 0;
    den = 0;
    before = 0;
    after = 0;
    for (int c = 0; c < width; c++) {
      double target = columns.target(c, own, y);
      double r = residual(target, from[c]);
      double rest = residual(target, to[c]);
      double change = to[c] - from[c];
      before += r * r;
      after += rest * rest;
      if (rest != 0) {
        num += change * (rest + change);
        den += change * change;
      } else {
        num += change * r;
        den += change * r;
      }
    }
  }

  /** Multiplies what was measured by the weight of the instance. */
  void times(double weight) {
    num *= weight;
    den *= weight;
    before *= weight;
    after *= weight;
  }

  /** Whether all scores are beyond the margin, so that nothing is left to learn. */
  boolean isSettled(double[] scores, int width, int own, double y) {
    boolean settled = !ofNumbers;
    for (int c = 0; settled && c < width; c++) {
      settled = scores[c] * columns.target(c, own, y) >= 1;
    }
    return settled;
  }

  /** The loss of some scores. */
  double loss(double[] scores, int width, int own, double y) {
    double sum = 0;
    for (int c = 0; c < width; c++) {
      double r = residual(columns.target(c, own, y), scores[c]);
      sum += r * r;
    }
    return sum;
  }

  private double residual(double target, double score) {
    return !ofNumbers && score * target >= 1 ? 0 : target - score;
  }
}
