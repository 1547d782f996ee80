package org.avm4j.serve;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The queue of a learner: rows and {@link ReadTask}s in the order of submission. Rows that were
 * submitted to another learner of the model are read from the store when they are next, one request
 * at a time, so that a slow learner does not fill the memory.
 */
final class Inbox {
  private final RowStore store;
  private final long model;
  private final LearnBacklog total;
  private final LatestRows latest;
  private final LongSupplier nanoTime;
  private final Queue<ModelTask> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger rows = new AtomicInteger();
  private final AtomicLong readTo = new AtomicLong();
  private LearnTask read;

  Inbox(RowStore store, long model, LearnBacklog total, LatestRows latest, LongSupplier nanoTime) {
    this.store = store;
    this.model = model;
    this.total = total;
    this.latest = latest;
    this.nanoTime = nanoTime;
  }

  void add(RowStore.Batch batch, CompletableFuture<LearnTask.Outcome> learned) {
    tasks.add(counted(new LearnTask(batch, learned, latest, nanoTime)));
  }

  void add(ReadTask<?> task) {
    tasks.add(task);
  }

  private LearnTask counted(LearnTask task) {
    rows.addAndGet(task.left());
    total.add(task.batch().bytes());
    return task;
  }

  /** Lets {@link #next} read rows up to this number from the store if they were not submitted. */
  void readTo(long sequence) {
    readTo.accumulateAndGet(sequence, Math::max);
  }

  /**
   * The next task; null if there is none. Called by the thread that learns.
   *
   * <p>The queue is read before the number set by {@link #readTo}. Otherwise, after a promotion, a
   * submitted row could be taken before the earlier rows that are only in the store.
   *
   * @param learned the last row that is learned
   */
  ModelTask next(long learned) throws IOException {
    ModelTask submitted = tasks.peek();
    if (read == null && learned < readTo.get() && !isSubmitted(learned + 1)) {
      RowStore.Batch batch = store.batch(model, learned + 1);
      if (batch == null) {
        throw new IOException("row " + (learned + 1) + " is not in the store");
      }
      read = counted(new LearnTask(batch, new CompletableFuture<>(), latest, nanoTime));
    }
    return read == null ? submitted : read;
  }

  private boolean isSubmitted(long row) {
    return tasks.stream().mapToLong(ModelTask::first).anyMatch(first -> first <= row);
  }

  /** Removes the next task. */
  void remove() {
    ModelTask done = read == null ? tasks.remove() : read;
    read = null;
    total.add(-done.bytes());
  }

  /** Counts rows of the next task that were learned. */
  void learned(int n) {
    rows.addAndGet(-n);
  }

  /** Notifies callers that the learner has failed; submitted rows wait until it is rebuilt. */
  void abort(Problem problem) {
    if (read != null) {
      learned(read.left());
      remove();
    }
    ModelTask begun = tasks.peek();
    rows.addAndGet(begun == null ? 0 : begun.taken());
    tasks.removeIf(task -> task.abort(problem));
  }

  /** Notifies callers and forgets all tasks: nothing more will be learned. */
  void discard(Problem problem) {
    abort(problem);
    for (ModelTask task = tasks.poll(); task != null; task = tasks.poll()) {
      total.add(-task.bytes());
    }
    rows.set(0);
  }

  /** Whether no submitted task waits. */
  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Whether a learner that has learned up to this row has nothing to do. */
  boolean isDone(long learned) {
    return tasks.isEmpty() && learned >= readTo.get();
  }

  /** The number of waiting rows that were submitted or read. */
  int backlog() {
    return rows.get();
  }

  /**
   * Seconds that the oldest unlearned row has waited; 0 if there is none, NaN if the store cannot
   * be read.
   *
   * @param learned the last row that is learned
   * @param known the last row that the leading learner has published; 0 for the leading learner
   *     itself
   */
  double lagSeconds(long learned, long known) {
    if (learned < Math.max(known, readTo.get()) && !isSubmitted(learned + 1)) {
      return store.secondsSinceWritten(model, learned + 1);
    }
    return tasks.stream()
        .filter(task -> task.first() != ModelTask.NO_ROW)
        .findFirst()
        .map(ModelTask::waited)
        .orElse(0.0);
  }
}
