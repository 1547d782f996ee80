package org.avm4j.run;

/**
 * How good the mean of several learners is on rows that none of them had learned.
 *
 * @param learners the number of learners in the mean; 0 for boosted trees alone
 * @param tried how many have learned all rows
 * @param rounds the rounds of the boosted trees beside them; 0 if there are none
 * @param share the weight of the trees in the answers
 * @param estimate its error
 * @param alone the error of one learner
 */
public record Average(
    int learners, int tried, int rounds, double share, Estimate estimate, double alone) {
  /** How many learners {@code avm train} averages; four more keep two cores busy twice. */
  public static final int USUAL_LEARNERS = 5;
}
