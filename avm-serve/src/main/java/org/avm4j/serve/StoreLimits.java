package org.avm4j.serve;

import java.time.Duration;

/**
 * Limits on how much the store keeps for each model.
 *
 * @param rows how long rows are kept at least, even if snapshots hold them
 * @param pending the maximum number of predictions of a caller that wait for their label
 * @param pendingAge how long a prediction waits for its label
 * @param ids the maximum number of row ids, and of request keys, that are remembered
 * @param idAge how long ids and keys are remembered
 */
public record StoreLimits(
    Duration rows, int pending, Duration pendingAge, int ids, Duration idAge) {
  /** A day of rows; 100,000 predictions for a week; a million ids for a week. */
  public static final StoreLimits DEFAULT =
      new StoreLimits(
          Duration.ofDays(1), 100_000, Duration.ofDays(7), 1_000_000, Duration.ofDays(7));

  /** Checks that no limit is negative. */
  public StoreLimits {
    if (rows.isNegative() || pendingAge.isNegative() || idAge.isNegative()) {
      throw new IllegalArgumentException("a retention time must not be negative");
    }
    if (pending < 0 || ids < 0) {
      throw new IllegalArgumentException("a retention limit must not be negative");
    }
  }

  /** The same with another minimum age of deleted rows. */
  public StoreLimits withRows(Duration time) {
    return new StoreLimits(time, pending, pendingAge, ids, idAge);
  }

  /** The same with other limits on predictions that wait for their label. */
  public StoreLimits withPending(int number, Duration age) {
    return new StoreLimits(rows, number, age, ids, idAge);
  }
}
