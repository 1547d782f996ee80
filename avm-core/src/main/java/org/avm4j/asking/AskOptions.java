package org.avm4j.asking;

import org.avm4j.internal.Rules;

/**
 * How many labels may be asked for, and how they are chosen.
 *
 * @param share the share of all rows whose labels are asked for, above 0 and at most 1
 * @param randomShare the share of these that is drawn at random, from 0 to 1; the others are drawn
 *     the more often the less sure their answers are
 */
public record AskOptions(double share, double randomShare) {
  /**
   * Share of labels that is asked for at random unless another is given. Without any, a change in
   * rows whose answers look sure would never be noticed; more of them teach less.
   */
  public static final double DEFAULT_RANDOM_SHARE = 0.1;

  /** Validates the options. */
  public AskOptions {
    Rules.require(
        share > 0 && share <= 1,
        "the share of labels to ask for must be above 0 and at most 1",
        share);
    Rules.require(
        randomShare >= 0 && randomShare <= 1,
        "the share of labels asked for at random must be from 0 to 1",
        randomShare);
  }

  /** A share of all rows, a tenth of them drawn at random. */
  public AskOptions(double share) {
    this(share, DEFAULT_RANDOM_SHARE);
  }
}
