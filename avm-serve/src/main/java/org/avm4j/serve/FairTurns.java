package org.avm4j.serve;

import java.io.Closeable;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A fair scheduler: a few threads work for many members in short turns. The next turn goes to the
 * member that has used the least time so far, so that a busy one cannot starve the others. A member
 * that was idle is treated as if it had used at least as much time as the last one that got a turn,
 * so that it cannot save up unused time.
 */
final class FairTurns implements Closeable {
  /**
   * Length of a turn in nanoseconds: long enough to learn dozens of rows, and short enough that
   * other threads do not wait for a core. With turns of 5 ms and without giving way, the 99th
   * percentile of requests to other models beside a busy one was up to twice as long ({@code
   * long-test load hot}).
   */
  private static final long TURN_NANOS = 500_000;

  private final ExecutorService threads;
  private final LongSupplier nanoTime;
  private final Consumer<Throwable> bugs;
  private final PriorityQueue<Seat> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((Seat seat) -> seat.used).thenComparing(seat -> seat.number));
  private long numbers;
  private long floor;
  private boolean isClosed;

  /** Has work that is done in turns. */
  interface Member {
    /**
     * Works until there is nothing to do or the turn is over.
     *
     * @param end when the turn is over, by the clock of the scheduler
     * @return whether there is more to do
     */
    boolean turn(long end);
  }

  /** The state of a member in the schedule. */
  final class Seat {
    private final Member member;
    private long used;
    private long number;
    private boolean isWaiting;
    private boolean isWorking;
    private boolean isWanted;

    private Seat(Member member) {
      this.member = member;
    }

    /** Gives the member a turn soon; called when there is something to do. */
    void wake() {
      synchronized (FairTurns.this) {
        if (isWorking) {
          isWanted = true;
        } else if (!isWaiting) {
          enqueue();
        }
      }
    }

    private void enqueue() {
      isWaiting = true;
      used = Math.max(used, floor);
      number = ++numbers;
      waiting.add(this);
      try {
        threads.execute(FairTurns.this::work);
      } catch (RejectedExecutionException closing) {
        // closed: there are no more turns
      }
    }
  }

  /**
   * A scheduler without members.
   *
   * @param threads the threads that work; shut down with this scheduler
   * @param nanoTime the clock that measures turns
   * @param bugs receives exceptions that escape from a turn
   */
  FairTurns(ExecutorService threads, LongSupplier nanoTime, Consumer<Throwable> bugs) {
    this.threads = threads;
    this.nanoTime = nanoTime;
    this.bugs = bugs;
  }

  Seat join(Member member) {
    return new Seat(member);
  }

  /** Runs one turn, then gives way; submitted to the threads once for each waiting seat. */
  private void work() {
    Seat seat = next();
    if (seat == null) {
      return;
    }
    long start = nanoTime.getAsLong();
    boolean hasMore = false;
    try {
      hasMore = seat.member.turn(start + TURN_NANOS);
    } catch (Throwable bug) {
      bugs.accept(bug);
    }
    end(seat, nanoTime.getAsLong() - start, hasMore);
    Thread.yield();
  }

  /** The waiting member with the least time; null if the scheduler is closed. */
  private synchronized Seat next() {
    if (isClosed) {
      return null;
    }
    Seat seat = waiting.remove();
    floor = Math.max(floor, seat.used);
    seat.isWaiting = false;
    seat.isWorking = true;
    return seat;
  }

  private synchronized void end(Seat seat, long nanos, boolean hasMore) {
    seat.used += nanos;
    seat.isWorking = false;
    if (hasMore || seat.isWanted) {
      seat.isWanted = false;
      seat.enqueue();
    }
  }

  /** Starts no more turns; those in progress end by themselves. */
  @Override
  public synchronized void close() {
    isClosed = true;
    threads.shutdown();
  }
}
