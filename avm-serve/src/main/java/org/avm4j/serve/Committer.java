package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The single writer of the store. It groups waiting work into one transaction (a group commit), and
 * reports the results when the transaction is on disk. If the transaction fails, it is rolled back
 * and each piece of work is tried in a transaction of its own, so that only work that cannot be
 * done fails.
 */
final class Committer implements Closeable {
  private static final int MAX_QUEUED = 10_000;
  private static final int GROUP = 512;
  private static final long GROUP_BYTES = 8L << 20;

  private static final long CLOSING_SECONDS = 30;

  private final Database database;
  private final CommitMarker mark;
  private final long maxBytes;
  private final BlockingQueue<Job<?>> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
  private final AtomicLong bytes = new AtomicLong();
  private final ExecutorService writer;

  /** Whether a run of the writer is scheduled that will see all work waiting now. */
  private final AtomicBoolean isScheduled = new AtomicBoolean();

  /** Whether the writer has ended; new work is refused. */
  private volatile boolean isClosed;

  private volatile long commits;
  private volatile boolean isFull;
  private volatile boolean isFailing;
  private volatile long needed;

  Committer(Database database, CommitMarker mark, ExecutorService writer) {
    this(database, mark, writer, MemoryShare.of(64));
  }

  /**
   * Writes to a database.
   *
   * @param writer an executor with a single thread
   * @param maxBytes the maximum size of the waiting work of clients, in bytes
   */
  Committer(Database database, CommitMarker mark, ExecutorService writer, long maxBytes) {
    this.database = database;
    this.mark = mark;
    this.writer = writer;
    this.maxBytes = maxBytes;
    writer.execute(() -> {}); // starts the thread, which keeps the process alive
  }

  /** Work inside a transaction, which can be repeated after a rollback. */
  interface Work<T> {
    T run(Database database) throws SQLException;
  }

  private record Job<T>(
      long bytes,
      boolean isCounted,
      Work<T> work,
      Consumer<T> committed,
      CompletableFuture<T> future) {
    Runnable run(Database database) throws SQLException {
      T result = work.run(database);
      return () -> report(result);
    }

    /**
     * Reports a result that is on disk; a failure here must not keep the others from being
     * reported.
     */
    private void report(T result) {
      try {
        committed.accept(result);
        future.complete(result);
      } catch (Throwable bug) {
        future.completeExceptionally(bug);
      }
    }

    void refuse(Throwable problem) {
      try {
        future.completeExceptionally(problem);
      } catch (Throwable ignored) {
        // a bug in a callback, which must not end the only thread that writes
      }
    }
  }

  /**
   * Submits work of a client, which is refused if too much is waiting.
   *
   * @param size the approximate memory that the work takes while it waits, in bytes
   * @param committed called with the result in the order of submission, before the future completes
   */
  <T> CompletableFuture<T> submit(long size, Work<T> work, Consumer<T> committed) {
    return offer(new Job<>(size, true, work, committed, new CompletableFuture<>()));
  }

  /**
   * Submits work of the service itself. Its size does not count towards the limit, so that it never
   * causes a client to be refused; there is at most one such piece of work per model.
   *
   * @param committed called with the result in the order of submission, before the future completes
   */
  <T> CompletableFuture<T> submitOwn(long size, Work<T> work, Consumer<T> committed) {
    return offer(new Job<>(size, false, work, committed, new CompletableFuture<>()));
  }

  private <T> CompletableFuture<T> offer(Job<T> job) {
    long counted = job.isCounted ? job.bytes : 0;
    if (bytes.addAndGet(counted) > Math.max(counted, maxBytes) && job.isCounted
        || !queue.offer(job)) {
      bytes.addAndGet(-counted);
      job.refuse(
          Problem.busy("requests arrive faster than they can be written to disk; try again later"));
    } else if (!isScheduled.getAndSet(true)) {
      try {
        writer.execute(this::commitWaiting);
      } catch (RejectedExecutionException closing) {
        isScheduled.set(false);
        refuse(job);
      }
    }
    if (isClosed) {
      refuse(job);
    }
    return job.future;
  }

  private void refuse(Job<?> late) {
    if (queue.remove(late)) { // else the last commit has taken it
      bytes.addAndGet(late.isCounted() ? -late.bytes() : 0);
      late.refuse(new Problem(503, "the service is shutting down"));
    }
  }

  /** Commits all waiting work, group by group. Later work schedules another run. */
  private void commitWaiting() {
    isScheduled.set(false);
    while (!queue.isEmpty()) {
      commitGroup();
    }
  }

  private void commitGroup() {
    List<Job<?>> group = new ArrayList<>();
    try {
      collect(group);
      commit(group);
    } catch (Throwable bug) {
      group.forEach(job -> job.refuse(bug));
    } finally {
      group.forEach(job -> bytes.addAndGet(job.isCounted() ? -job.bytes() : 0));
    }
  }

  private void collect(List<Job<?>> group) {
    long size = 0;
    while (group.size() < GROUP && size < GROUP_BYTES) {
      Job<?> next = queue.poll();
      if (next == null) {
        break;
      }
      group.add(next);
      size += next.bytes();
    }
  }

  private void commit(List<Job<?>> group) {
    if (!tryCommit(group) && group.size() > 1) {
      for (Job<?> job : group) {
        tryCommit(List.of(job));
      }
    }
  }

  /**
   * Returns whether the transaction is on disk; the failure of a single piece of work is reported
   * to its caller.
   */
  private boolean tryCommit(List<Job<?>> group) {
    List<Runnable> reports = new ArrayList<>(group.size());
    long total;
    try {
      database.execute("BEGIN IMMEDIATE");
      for (Job<?> job : group) {
        reports.add(job.run(database));
      }
      database.update("UPDATE meta SET value = value + 1 WHERE key = 'commits'");
      total = database.number("SELECT value FROM meta WHERE key = 'commits'");
      database.execute("COMMIT");
    } catch (SQLException | RuntimeException | Error wrong) {
      rollBack();
      if (group.size() == 1) {
        if (wrong instanceof SQLException sql && Database.isFull(sql)) {
          needed = group.get(0).bytes();
          isFull = true;
        } else if (wrong instanceof SQLException) {
          isFailing = true;
        }
        group.get(0).refuse(problem(wrong));
      }
      return false;
    }
    isFull &= group.stream().noneMatch(Job::isCounted);
    isFailing &= group.stream().noneMatch(Job::isCounted);
    commits++;
    mark(total);
    reports.forEach(Runnable::run);
    return true;
  }

  private void mark(long total) {
    try {
      mark.write(total);
    } catch (IOException ignored) {
      // the marker may lag behind the store
    }
  }

  private void rollBack() {
    try {
      database.execute("ROLLBACK");
    } catch (SQLException none) {
      // there was no transaction, or SQLite has rolled it back already
    }
  }

  private static Throwable problem(Throwable wrong) {
    if (wrong instanceof SQLException sql && Database.isFull(sql)) {
      return new Problem(507, "no space left on the disk; nothing in this request was learned");
    }
    if (wrong instanceof SQLException sql && Database.isDamage(sql)) {
      return new Problem(500, "the store is damaged; stop the service and run avm serve --repair");
    }
    return wrong;
  }

  int queued() {
    return queue.size();
  }

  long commits() {
    return commits;
  }

  /** Whether the last work of a client could not be written because the disk was full. */
  boolean isFull() {
    return isFull;
  }

  /** Whether the last work of a client could not be written for another reason. */
  boolean isFailing() {
    return isFailing;
  }

  /** The approximate size of the work that found the disk full, in bytes. */
  long needed() {
    return needed;
  }

  /** Commits accepted work, then closes the database. */
  @Override
  public void close() throws IOException {
    writer.shutdown();
    try {
      writer.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    isClosed = true;
    for (Job<?> late = queue.peek(); late != null; late = queue.peek()) {
      refuse(late);
    }
    try {
      database.markClosed();
    } catch (SQLException full) {
      // the next start finds the write-ahead log and recovers from it
    }
    database.close();
    mark.close();
  }
}
