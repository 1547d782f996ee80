package org.avm4j.io;

/** What happens to a row in which a value is missing. */
public enum Missing {
  /** The row is refused. */
  ERROR,
  /** The value is 0. */
  ZERO,
  /** The value is the mean of its column so far; a missing category sets no feature. */
  MEAN,
  /** The row is left out and counted. */
  SKIP
}
