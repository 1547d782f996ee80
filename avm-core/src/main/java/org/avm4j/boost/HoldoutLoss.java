package org.avm4j.boost;

import java.util.Arrays;

/**
 * The loss of held-out rows: half the squared error for numbers; for classes, the log loss after
 * all scores are multiplied by the factor that minimises it. Trees become overconfident long before
 * their answers get worse, and the factor corrects that.
 */
final class HoldoutLoss {
  /** The most Newton steps for the factor in each call; they start from the previous factor. */
  private static final int STEPS = 8;

  /** Relative change of the factor after which a further step, of its square, does not matter. */
  private static final double CLOSE = 1e-6;

  private static final double LEAST_FACTOR = 1e-3;

  private final BoostLoss loss;
  private double factor = 1;

  HoldoutLoss(BoostLoss loss) {
    this.loss = loss;
  }

  /** The loss of each row by its scores. */
  double[] of(double[][] scores, double[] targets) {
    if (loss != BoostLoss.SQUARED) {
      int step = 1;
      while (improve(scores, targets) && step < STEPS) {
        step++;
      }
    }
    double[] losses = new double[scores.length];
    Arrays.setAll(losses, r -> of(scores[r], targets[r]));
    return losses;
  }

  private double of(double[] scores, double target) {
    if (loss == BoostLoss.SQUARED) {
      return (scores[0] - target) * (scores[0] - target) / 2;
    }
    double[] all = all(scores);
    double largest = Arrays.stream(all).max().orElse(0);
    double sum = 0;
    for (double score : all) {
      sum += StrictMath.exp(factor * (score - largest));
    }
    return StrictMath.log(sum) - factor * (all[(int) target] - largest);
  }

  /** A score for each class. */
  private double[] all(double[] scores) {
    return loss == BoostLoss.LOGISTIC ? new double[] {0, scores[0]} : scores;
  }

  /**
   * Takes a Newton step on the factor, which changes at most by a factor of 2; returns whether
   * another step would change it noticeably.
   */
  private boolean improve(double[][] scores, double[] targets) {
    double first = 0;
    double second = 0;
    for (int r = 0; r < scores.length; r++) {
      double[] all = all(scores[r]);
      double largest = Arrays.stream(all).max().orElse(0);
      double sum = 0;
      double mean = 0;
      double squares = 0;
      for (double score : all) {
        double p = StrictMath.exp(factor * (score - largest));
        sum += p;
        mean += p * score;
        squares += p * score * score;
      }
      mean /= sum;
      first += mean - all[(int) targets[r]];
      second += squares / sum - mean * mean;
    }
    double moved = second > 0 ? factor - first / second : factor;
    double before = factor;
    factor = Math.max(LEAST_FACTOR, Math.max(factor / 2, Math.min(2 * factor, moved)));
    return Math.abs(factor - before) > CLOSE * factor;
  }
}
