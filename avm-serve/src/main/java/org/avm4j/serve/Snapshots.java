package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.avm4j.data.Schema;

/**
 * Takes snapshots of a learner, each of which is stored as a {@link Version}: after three seconds
 * of learning time, a minute after the last one if there are new rows, or on request. The thread
 * that learns calls it.
 */
final class Snapshots {
  private static final long LEARNING_NANOS = 3_000_000_000L;
  private static final long AGE_NANOS = 60_000_000_000L;

  private final VersionStore store;
  private final Store.Entry entry;
  private final LongSupplier nanoTime;
  private volatile long at;
  private volatile long sequence;
  private volatile boolean isDeleted;
  private CompletableFuture<Void> taking = CompletableFuture.completedFuture(null);
  private long takingSequence;
  private long learningNanos;
  private long takenNanos;

  Snapshots(VersionStore store, Store.Entry entry, LongSupplier nanoTime) {
    this.store = store;
    this.entry = entry;
    this.nanoTime = nanoTime;
    takenNanos = nanoTime.getAsLong();
    at = entry.created();
  }

  /**
   * Continues after a recovery.
   *
   * @param nanos how long the recovery took
   */
  void start(Recovery.Recovered from, long nanos) {
    sequence = from.snapshot();
    at = from.at();
    learningNanos = nanos;
  }

  /** Counts time that was spent on learning. */
  void learned(long nanos) {
    learningNanos += nanos;
  }

  /** The last row that the latest snapshot holds. */
  long sequence() {
    return sequence;
  }

  /** When the latest snapshot was taken, in milliseconds since 1970. */
  long at() {
    return at;
  }

  /** Stops taking snapshots of a deleted model. */
  void delete() {
    isDeleted = true;
  }

  void takeIfDue(Learning learning) {
    boolean isOld = learning.sequence() > sequence && nanoTime.getAsLong() - takenNanos > AGE_NANOS;
    if ((learningNanos > LEARNING_NANOS || isOld) && taking.isDone()) {
      takeIfNew(learning);
    }
  }

  /** Takes a snapshot if rows were learned since the last one, finished or in progress. */
  CompletableFuture<Void> takeIfNew(Learning learning) {
    if (learning.sequence() <= sequence || isDeleted) {
      return CompletableFuture.completedFuture(null);
    }
    if (!taking.isDone() && learning.sequence() <= takingSequence) {
      return taking;
    }
    long last = learning.sequence();
    learningNanos = 0;
    takenNanos = nanoTime.getAsLong();
    byte[] bytes = learning.toBytes();
    takingSequence = last;
    taking =
        store
            .add(entry, last, JsonValues.text(figures(learning)), bytes)
            .thenAccept(
                version -> {
                  if (version != null) {
                    sequence = last;
                    at = version.at();
                  }
                });
    return taking;
  }

  /** The figures that are stored with a version: those that are single values. */
  private static Map<String, Object> figures(Learning learning) {
    Scoreboard board = learning.board();
    Schema schema = learning.pipeline().preparation().schema();
    Map<String, Object> figures = JsonValues.members("instances", board.instances());
    figures.putAll(Scoreboard.singleValues(board.figures(schema::labelText)));
    return figures;
  }
}
