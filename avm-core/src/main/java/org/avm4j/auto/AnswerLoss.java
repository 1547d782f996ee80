package org.avm4j.auto;

import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;

/**
 * The loss by which settings and learners are compared: for numbers the squared error; for classes
 * 1 for a mistake plus a tenth of the hinge loss, which says more than mistakes alone when rows are
 * few.
 */
final class AnswerLoss {
  /** Score assumed for a class that the learner does not know. */
  private static final double UNKNOWN = -1;

  private AnswerLoss() {}

  /**
   * The loss of the scores of a row.
   *
   * @param own the index of the class of the row; negative if that class has no score
   * @param classes the number of classes
   */
  static double of(Task.Kind task, double[] scores, double label, int own, int classes) {
    return switch (task) {
      case REGRESSION -> ofError(scores[0] - label);
      case BINARY -> ofMargin(label * scores[0]);
      default -> ofClasses(scores, own, classes);
    };
  }

  /** The loss of a predicted number whose error is given in standard deviations of the labels. */
  private static double ofError(double error) {
    double miss = Math.min(Constants.VERY_SURE, Math.abs(error));
    return miss * miss;
  }

  /** The loss of a margin (score times label); 0 for margins of at least 1. */
  private static double ofMargin(double margin) {
    double hinge = Math.max(0, Math.min(2, 1 - margin));
    return (margin < 0 ? 1 : 0) + Constants.PART_OF_MARGIN * hinge;
  }

  private static double ofClasses(double[] scores, int own, int classes) {
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
