package org.avm4j.run;

/**
 * How good the mean of several learners is on rows that none of them had learned.
 *
 * @param learners how many it is of: those that made the best mean
 * @param tried how many have learned all rows
 * @param estimate its error
 * @param alone the error of one learner
 */
public record Average(int learners, int tried, Estimate estimate, double alone) {
  /** How many learners {@code avm train} averages; four more keep two cores busy twice. */
  public static final int USUAL_LEARNERS = 5;
}
