package org.avm4j.serve;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The row that a model must have learned before it answers, so that clients can read their own
 * writes.
 */
final class MinSequence {
  /** The query parameter for the number of the row. */
  static final String NAME = "min-sequence";

  private static final long MAX_WAIT_SECONDS = 5;

  private MinSequence() {}

  /**
   * Completes when a model has learned the row that a request names, at once if it names none.
   * Called before the body is read, so that waiting takes no memory.
   *
   * @param now the state that would answer without waiting
   */
  static CompletableFuture<Published> await(Exchange exchange, ServedModel model, Published now) {
    long wanted = parse(exchange.query(NAME));
    if (now.sequence() >= wanted) {
      return CompletableFuture.completedFuture(now);
    }
    if (now.version() > 0) {
      boolean isPinned = now.version() == model.champion().version();
      throw new Problem(
              409,
              "version "
                  + now.version()
                  + (isPinned ? " is pinned and will never learn row " : " will never learn row ")
                  + wanted
                  + (isPinned ? "; unpin it to get answers from the latest version" : ""))
          .with("sequence", now.sequence());
    }
    return model
        .published(wanted)
        .orTimeout(MAX_WAIT_SECONDS, TimeUnit.SECONDS)
        .exceptionally(
            late -> {
              throw new Problem(
                      503,
                      "the model did not learn row "
                          + wanted
                          + " within "
                          + MAX_WAIT_SECONDS
                          + " s")
                  .with("sequence", model.published().sequence());
            });
  }

  private static long parse(String given) {
    try {
      long sequence = given == null ? 0 : Long.parseLong(given);
      if (sequence >= 0) {
        return sequence;
      }
    } catch (NumberFormatException wrong) {
      // reported below
    }
    throw Problem.malformed("min-sequence must be the number of a row");
  }
}
