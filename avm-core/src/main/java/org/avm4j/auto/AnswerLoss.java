package org.avm4j.auto;

import org.avm4j.auto.constants.Constants;

/**
 * The loss by which settings and learners are compared: for numbers the squared error; for classes
 * 1 for a mistake plus a tenth of the hinge loss, which tells more on few rows.
 */
final class AnswerLoss {
  /** The score of a class that no learner knows. */
  private static final double UNKNOWN = -1;

  private AnswerLoss() {}

  /** The loss of a number, by its error in standard deviations of the labels. */
  static double ofError(double error) {
    double miss = Math.min(Constants.FARTHEST, Math.abs(error));
    return miss * miss;
  }

  /** The loss of a margin, the score times the label; from 1 on it is 0. */
  static double ofMargin(double margin) {
    double hinge = Math.max(0, Math.min(2, 1 - margin));
    return (margin < 0 ? 1 : 0) + Constants.PART_OF_MARGIN * hinge;
  }

  /**
   * The loss of the scores of several classes.
   *
   * @param own the place of the right class; negative if it has no score
   * @param classes the number of scores
   */
  static double ofClasses(double[] scores, int own, int classes) {
    if (own < 0) {
      return ofMargin(-1);
    }
    double rival = classes > 1 ? Double.NEGATIVE_INFINITY : UNKNOWN;
    for (int c = 0; c < classes; c++) {
      rival = c == own ? rival : Math.max(rival, scores[c]);
    }
    return ofMargin((scores[own] - rival) / 2);
  }
}
