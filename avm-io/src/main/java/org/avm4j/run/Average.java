package org.avm4j.run;

/**
 * How good the mean of several learners is on rows that none of them had learned.
 *
 * @param learners how many it is of: those that made the best mean
 * @param tried how many have learned all rows
 * @param estimate its error
 * @param ofFirst the error of the first learner alone
 */
public record Average(int learners, int tried, Estimate estimate, double ofFirst) {
  /** How many learners {@code avm train} averages; four more keep two cores busy twice. */
  public static final int USUAL_LEARNERS = 5;

  /** Whether there were enough rows to tell anything of new data. */
  public boolean isTelling() {
    return estimate.rows() >= Averaging.FEWEST;
  }
}
