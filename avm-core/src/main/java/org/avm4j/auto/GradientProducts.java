package org.avm4j.auto;

import java.util.Arrays;
import org.avm4j.auto.constants.Constants;
import org.avm4j.math.Vectors;
import org.avm4j.points.Gradients;

/**
 * The average gradient outer product, E[Σ_c ∇f_c ∇f_cᵀ], of recursive feature machines
 * (Radhakrishnan, Beaglehole, Pandit, Belkin, 2024) over some rows, one row after the other.
 */
final class GradientProducts {
  private final RidgeTrial trial;
  private final Gradients gradients;
  private final double[][] gradient;
  private final double[][] products;
  private final int every;
  private int next;

  /**
   * Gradient products of the scores of a finished trial.
   *
   * @param gradients the gradients of these scores
   * @param columns the number of scores
   */
  GradientProducts(RidgeTrial trial, Gradients gradients, int columns, int features) {
    this.trial = trial;
    this.gradients = gradients;
    gradient = new double[columns][features];
    products = new double[features][features];
    every = Math.max(1, trial.rows() / Constants.GRADIENTS);
  }

  boolean isOver() {
    return next >= trial.rows();
  }

  /** Adds the next row; returns the work done, in multiplications. */
  long step() {
    for (double[] column : gradient) {
      Arrays.fill(column, 0);
    }
    gradients.add(trial.scaled(next), 1, 1, gradient);
    for (double[] column : gradient) {
      for (int i = 0; i < products.length; i++) {
        Vectors.add(column[i], column, products[i], products.length);
      }
    }
    next += every;
    return (long) gradient.length * products.length * (trial.points() + products.length);
  }

  /** The sum over the rows so far. */
  double[][] products() {
    return products;
  }
}
