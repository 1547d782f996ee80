package org.avm4j.run;

import java.util.Optional;
import org.avm4j.Task;
import org.avm4j.eval.RareClass;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;

/**
 * A threshold between two classes, chosen on held-out rows, and the cost of mistakes with it.
 *
 * @param threshold the threshold that is saved in the model
 * @param rareClass the label of the class that is costly to miss
 * @param cost the cost of mistakes on the rows that chose the threshold, which is optimistic
 * @param crossedCost the cost by two-fold cross-validation
 * @param costAtZero the cost of mistakes without a threshold
 * @param estimate the expected mistakes on new data, by two-fold cross-validation
 */
public record ThresholdChoice(
    CostThreshold threshold,
    double rareClass,
    double cost,
    double crossedCost,
    double costAtZero,
    Estimate estimate) {
  /** Minimum number of rows of each class. */
  static final int FEWEST_OF_A_CLASS = 5;

  /** The threshold chosen on held-out rows; empty if one of the classes has too few. */
  static Optional<ThresholdChoice> of(RareClass rare, Costs costs) {
    if (Math.min(rare.rare(), rare.rows() - rare.rare()) < FEWEST_OF_A_CLASS) {
      return Optional.empty();
    }
    CostThreshold found = rare.threshold(costs);
    boolean[] mistakes = rare.crossedMistakes(costs);
    double[] losses = new double[mistakes.length];
    for (int r = 0; r < losses.length; r++) {
      losses[r] = mistakes[r] ? 1 : 0;
    }
    return Optional.of(
        new ThresholdChoice(
            found,
            rare.label(),
            rare.cost(costs, found.score()),
            rare.crossedCost(costs),
            rare.cost(costs, 0),
            Estimate.of(Task.binary(), losses)));
  }
}
