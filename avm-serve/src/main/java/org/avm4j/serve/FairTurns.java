package org.avm4j.serve;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * A few threads that work for many members in short turns. The next turn belongs to the member that
 * has had the least time so far, so that a busy one cannot keep the others waiting. A member that
 * had nothing to do for a while starts with the least time of those that wait, and not with what it
 * did not use.
 */
final class FairTurns implements Closeable {
  /** A turn: long enough to learn dozens of rows, so short that ten busy members share 0.05 s. */
  private static final long TURN_NANOS = 5_000_000;

  private final Consumer<Throwable> bugs;
  private final List<Thread> threads = new ArrayList<>();
  private final PriorityQueue<Seat> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((Seat seat) -> seat.used).thenComparing(seat -> seat.number));
  private long numbers;
  private long floor;
  private boolean isClosed;

  /** Works in turns. */
  interface Member {
    /**
     * Works until there is nothing to do or a time is reached.
     *
     * @param end in the time of {@link System#nanoTime}
     * @return whether there is more to do
     */
    boolean turn(long end);
  }

  /** The place of a member. */
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
          line();
        }
      }
    }

    private void line() {
      isWaiting = true;
      used = Math.max(used, floor);
      number = ++numbers;
      waiting.add(this);
      FairTurns.this.notify();
    }
  }

  /**
   * Starts threads.
   *
   * @param bugs is told what a turn throws, which it should not
   */
  FairTurns(int count, Consumer<Throwable> bugs) {
    this.bugs = bugs;
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(this::work, "avm-learn");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  Seat join(Member member) {
    return new Seat(member);
  }

  private void work() {
    for (Seat seat = next(); seat != null; seat = next()) {
      long start = System.nanoTime();
      boolean hasMore = false;
      try {
        hasMore = seat.member.turn(start + TURN_NANOS);
      } catch (Throwable bug) {
        bugs.accept(bug);
      }
      end(seat, System.nanoTime() - start, hasMore);
    }
  }

  private synchronized Seat next() {
    try {
      while (waiting.isEmpty() && !isClosed) {
        wait();
      }
    } catch (InterruptedException stopped) {
      isClosed = true;
    }
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
      seat.line();
    }
  }

  /** Ends after the turns that are under way. */
  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
