package org.avm4j.boost;

import java.util.Arrays;

/**
 * The loss of rows that were not learned: half the squared error of numbers; of classes, minus the
 * logarithm of the probability where all scores have the factor that makes this least. Trees grow
 * too sure of themselves long before their answers get worse, and a factor mends that.
 */
final class HeldLoss {
  /** Newton steps for the factor at a time; it goes on from the one before. */
  private static final int STEPS = 8;

  private static final double LEAST_FACTOR = 1e-3;

  private final BoostLoss loss;
  private double factor = 1;

  HeldLoss(BoostLoss loss) {
    this.loss = loss;
  }

  /** The loss of each row by its scores. */
  double[] of(double[][] scores, double[] targets) {
    if (loss != BoostLoss.SQUARED) {
      for (int step = 0; step < STEPS; step++) {
        improve(scores, targets);
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

  /** A Newton step of the mean loss by the factor, which at most halves or doubles. */
  private void improve(double[][] scores, double[] targets) {
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
    factor = Math.max(LEAST_FACTOR, Math.max(factor / 2, Math.min(2 * factor, moved)));
  }
}
