package org.avm4j.serve;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.avm4j.serve.LearnTask.Outcome;

/**
 * Applies rows to one learner in order, on one thread at a time, and triggers publications and
 * snapshots.
 *
 * <p>If learning throws an error, such as running out of memory, the learner may be half-way
 * through a row. It is then discarded and {@linkplain #start started} again from the store;
 * meanwhile the latest publication answers.
 */
final class LearningActor implements FairTurns.Member {
  private static final String LEARNING = "learning";
  private static final String PUBLISHING = "publishing";
  private static final String SNAPSHOT = "taking a snapshot";

  private final Inbox inbox;
  private final Publisher publisher;
  private final Snapshots snapshots;
  private final OpenFailures failures;
  private final ModelTraffic traffic;
  private final LongSupplier nanoTime;
  private final LongConsumer failed;
  private final FairTurns.Seat seat;
  private volatile State state = State.LOADING;
  private volatile boolean isDeleted;
  private Learning learning;

  /** Whether a model learns. */
  enum State {
    /** The model is being loaded after a start of the service. */
    LOADING,
    /** It answers and learns. */
    READY,
    /** Learning failed; the model answers as before, and is rebuilt from the store. */
    FAILED
  }

  /**
   * An actor without a learner.
   *
   * @param turns the scheduler in whose threads the actor learns
   * @param nanoTime the clock that measures turns
   * @param failed called with the last row before those that a failed learner must learn again
   */
  LearningActor(
      Inbox inbox,
      Publisher publisher,
      Snapshots snapshots,
      OpenFailures failures,
      ModelTraffic traffic,
      FairTurns turns,
      LongSupplier nanoTime,
      LongConsumer failed) {
    this.inbox = inbox;
    this.publisher = publisher;
    this.snapshots = snapshots;
    this.failures = failures;
    this.traffic = traffic;
    this.nanoTime = nanoTime;
    this.failed = failed;
    seat = turns.join(this);
  }

  State state() {
    return state;
  }

  /**
   * Starts to learn after a recovery.
   *
   * @param nanos how long the recovery took
   */
  void start(Recovery.Recovered from, long nanos) {
    learning = from.learning();
    snapshots.start(from, nanos);
    if (state == State.LOADING || learning.sequence() > publisher.now().sequence()) {
      publisher.publish(learning);
    }
    failures.resolved(LEARNING);
    state = State.READY;
    seat.wake();
  }

  /** Records that the learner could not be rebuilt from the store. */
  void cannotStart(Throwable wrong, Problem problem) {
    failures.add(LEARNING, wrong);
    inbox.abort(problem);
  }

  /** Learns rows that are on disk; called in the order of their sequence numbers. */
  void learn(RowStore.Batch batch, CompletableFuture<Outcome> learned) {
    inbox.add(batch, learned);
    seat.wake();
  }

  /** Ends learning: rows of a deleted model that wait are forgotten, whatever the state. */
  void delete() {
    isDeleted = true;
    snapshots.delete();
    seat.wake();
  }

  boolean isDeleted() {
    return isDeleted;
  }

  /** Requests a turn, in which a state is published if a caller waits for it. */
  void wake() {
    seat.wake();
  }

  /** Learns rows up to a number, reading from the store those that were not submitted. */
  void readTo(long sequence) {
    inbox.readTo(sequence);
    seat.wake();
  }

  @Override
  public boolean turn(long end) {
    while (state == State.READY && !isDeleted && nanoTime.getAsLong() < end) {
      ModelTask next = next();
      if (next == null) {
        break;
      }
      next.run(this, end);
    }
    if (isDeleted) {
      inbox.discard(new Problem(404, "the model was deleted"));
      return false;
    }
    if (state == State.READY) {
      failures.attempt(PUBLISHING, () -> publisher.publishIfDue(learning));
    }
    return state == State.READY && !inbox.isDone(learning.sequence());
  }

  private ModelTask next() {
    try {
      return inbox.next(learning.sequence());
    } catch (IOException | RuntimeException unreadable) {
      if (!isDeleted) {
        fail(unreadable, learning.sequence());
      }
      return null;
    }
  }

  /**
   * Learns rows of a request. A snapshot is taken only after the last of them, because a recovery
   * replays whole requests.
   */
  void learn(LearnTask task, long end) {
    int left = task.left();
    try {
      long start = nanoTime.getAsLong();
      traffic.learned(task.learn(learning, end));
      snapshots.learned(nanoTime.getAsLong() - start);
    } catch (Throwable wrong) {
      inbox.learned(left - task.left());
      fail(wrong, task.first() - 1);
      return;
    }
    inbox.learned(left - task.left());
    publisher.markDirty();
    if (task.left() > 0) {
      return;
    }
    failures.attempt(PUBLISHING, () -> publisher.publishIfDue(learning));
    task.complete();
    inbox.remove();
    failures.attempt(SNAPSHOT, () -> snapshots.takeIfDue(learning));
  }

  void run(ReadTask<?> task) {
    inbox.remove();
    task.run(learning);
  }

  private void fail(Throwable wrong, long last) {
    state = State.FAILED;
    failures.add(LEARNING, wrong);
    inbox.abort(
        new Problem(
            500,
            "learning failed; the rows are on disk and will be learned when the model is rebuilt."
                + " Send them again only with the same Idempotency-Key"));
    failed.accept(last);
  }

  /** Whether the learner is ready and no submitted task waits. */
  boolean isIdle() {
    return state == State.READY && inbox.isEmpty();
  }

  /** Publishes and takes a snapshot if they are due; called every few milliseconds. */
  void tick() {
    if (isIdle() && (publisher.isDirty() || snapshots.sequence() < publisher.now().sequence())) {
      read(this::publishAndSave);
    }
  }

  private Void publishAndSave(Learning now) {
    failures.attempt(PUBLISHING, () -> publisher.publishIfDue(now));
    failures.attempt(SNAPSHOT, () -> snapshots.takeIfDue(now));
    return null;
  }

  /** Learns all waiting rows, publishes, and takes a snapshot if there are new rows. */
  CompletableFuture<Void> finish() {
    if (state != State.READY) {
      return CompletableFuture.completedFuture(null);
    }
    return read(now -> {
          publisher.publish(now);
          return snapshots.takeIfNew(now);
        })
        .thenCompose(taken -> taken);
  }

  /** Reads the learner after it has learned all rows waiting now. */
  <T> CompletableFuture<T> read(Function<Learning, T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    inbox.add(new ReadTask<>(work, done));
    seat.wake();
    return done;
  }
}
