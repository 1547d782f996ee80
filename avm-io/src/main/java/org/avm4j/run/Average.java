package org.avm4j.run;

import org.avm4j.boost.Boosting;

/**
 * The error of the mean of several learners, estimated on held-out rows.
 *
 * @param learners the number of learners in the mean; 0 for boosted trees alone
 * @param tried the number of learners that have learned all rows
 * @param rounds the rounds of the boosted trees beside them; 0 if there are none
 * @param share the weight of the trees in the answers
 * @param estimate the error of the mean
 * @param alone the error of one learner
 */
public record Average(
    int learners, int tried, int rounds, double share, Estimate estimate, double alone) {
  /** Number of learners that {@code avm train} averages; the four further ones suit two cores. */
  public static final int USUAL_LEARNERS = 5;

  /** The most columns that boosted trees use; of more, those that alone tell most of the label. */
  public static final int MOST_TREE_COLUMNS = Boosting.MOST_COLUMNS;

  /** The same with another estimate. */
  Average with(Estimate other) {
    return new Average(learners, tried, rounds, share, other, alone);
  }
}
