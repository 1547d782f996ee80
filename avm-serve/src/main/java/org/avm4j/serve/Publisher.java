package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Publishes immutable states of a learner, which answer requests. The thread that learns publishes;
 * other threads read the latest state, or wait for one that has learned a given row.
 */
final class Publisher {
  private static final long MIN_NANOS = 20_000_000;
  private static final long MAX_NANOS = 50_000_000;
  private static final int MAX_WAITERS = 1000;

  private final ModelSpec spec;
  private final LongSupplier nanoTime;
  private final List<Waiter> waiters = new ArrayList<>();

  /** The latest publication; null until {@link #now} or {@link #publish} is called. */
  private volatile Published now;

  private volatile boolean isDirty;
  private long publishedAt;
  private long publishing;

  private record Waiter(long sequence, CompletableFuture<Published> future) {}

  /** A publisher whose first state is an untrained learner. */
  Publisher(ModelSpec spec, LongSupplier nanoTime) {
    this.spec = spec;
    this.nanoTime = nanoTime;
    publishedAt = nanoTime.getAsLong();
  }

  Published now() {
    Published known = now;
    return known == null ? first() : known;
  }

  /**
   * The state of an untrained learner, made on first use so that a service with many models starts
   * faster.
   */
  private synchronized Published first() {
    if (now == null) {
      now = Published.of(Learning.of(spec), spec);
    }
    return now;
  }

  private synchronized void set(Published published) {
    now = published;
  }

  /** Whether rows were learned since the last publication. */
  boolean isDirty() {
    return isDirty;
  }

  /** Records that rows were learned since the last publication. */
  void markDirty() {
    isDirty = true;
  }

  void publish(Learning learning) {
    long start = nanoTime.getAsLong();
    set(Published.of(learning, spec));
    isDirty = false;
    publishedAt = nanoTime.getAsLong();
    publishing = publishedAt - start;
    wake();
  }

  /**
   * Publishes what was learned, if it is time: the first rows at once, then after a gap of ten
   * times the duration of the last publication, but at least 20 ms and at most 50 ms. If a caller
   * waits for a row, or if a publication takes more than a third of 50 ms, the gap is three times
   * its duration.
   */
  void publishIfDue(Learning learning) {
    long shortest = 3 * publishing;
    long gap = Math.min(Math.max(MIN_NANOS, 10 * publishing), Math.max(MAX_NANOS, shortest));
    boolean isFirst = now().sequence() == 0;
    long elapsed = nanoTime.getAsLong() - publishedAt;
    if (isDirty
        && (isFirst || elapsed > gap || elapsed > shortest && isAwaited(learning.sequence()))) {
      publish(learning);
    }
  }

  /** Whether a caller waits for this row or an earlier one. */
  private boolean isAwaited(long sequence) {
    synchronized (waiters) {
      return waiters.stream()
          .anyMatch(waiter -> waiter.sequence <= sequence && !waiter.future.isDone());
    }
  }

  /**
   * Completes with a published state that has learned this row. A caller that no longer waits must
   * cancel the future.
   */
  CompletableFuture<Published> atLeast(long sequence) {
    CompletableFuture<Published> future = new CompletableFuture<>();
    synchronized (waiters) {
      waiters.removeIf(waiter -> waiter.future.isDone());
      if (waiters.size() >= MAX_WAITERS) {
        throw Problem.busy(
            "too many requests are waiting for this model to learn; try again later");
      }
      waiters.add(new Waiter(sequence, future));
    }
    wake();
    return future;
  }

  private void wake() {
    Published published = now();
    List<CompletableFuture<Published>> ready = new ArrayList<>();
    synchronized (waiters) {
      for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
        Waiter waiter = all.next();
        if (published.sequence() >= waiter.sequence) {
          ready.add(waiter.future);
          all.remove();
        }
      }
    }
    ready.forEach(future -> future.complete(published));
  }
}
