package org.avm4j.run;

import java.util.Optional;
import org.avm4j.Task;
import org.avm4j.eval.RareClass;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;

/**
 * A threshold between two classes, and what mistakes cost with it on the rows that chose it.
 *
 * @param threshold what is kept in the model
 * @param rareClass the label of the class that is costly to miss
 * @param cost what mistakes cost on the rows that chose the threshold; optimistic
 * @param crossedCost the same by two-fold cross-validation
 * @param costAtZero what mistakes cost without a threshold
 * @param estimate mistakes to expect on new data, one half of the rows choosing for the other
 */
public record ThresholdChoice(
    CostThreshold threshold,
    double rareClass,
    double cost,
    double crossedCost,
    double costAtZero,
    Estimate estimate) {
  /** Fewer rows of a class choose nothing. */
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
