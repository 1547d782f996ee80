package org.avm4j.serve;

import java.time.Duration;

/**
 * How much the store keeps for each model.
 *
 * @param rows how long learned rows are kept beyond the snapshot that holds them
 * @param pending how many predictions may wait for their label
 * @param pendingAge how long a prediction waits for its label
 * @param ids how many ids of rows and keys of requests are remembered
 * @param idAge how long they are remembered
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
      throw new IllegalArgumentException("a time that something is kept must not be negative");
    }
    if (pending < 0 || ids < 0) {
      throw new IllegalArgumentException("a number that is kept must not be negative");
    }
  }

  /** The same with another time that rows are kept. */
  public StoreLimits withRows(Duration time) {
    return new StoreLimits(time, pending, pendingAge, ids, idAge);
  }

  /** The same with other bounds of what waits for its label. */
  public StoreLimits withPending(int number, Duration age) {
    return new StoreLimits(rows, number, age, ids, idAge);
  }
}
