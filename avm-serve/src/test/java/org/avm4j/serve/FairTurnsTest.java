package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FairTurnsTest {
  private static void spinUntil(long end) {
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aMemberWithLittleToDoIsServedBeforeBusyOnesGoOn() throws InterruptedException {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(1);
    AtomicReference<FairTurns.Seat> small = new AtomicReference<>();
    try (FairTurns turns =
        new FairTurns(Executors.newSingleThreadExecutor(), System::nanoTime, bug -> {})) {
      small.set(
          turns.join(
              end -> {
                order.add("small");
                done.countDown();
                return false;
              }));
      List<FairTurns.Seat> busy = new ArrayList<>();
      AtomicInteger turnsOfBusy = new AtomicInteger();
      for (int i = 0; i < 5; i++) {
        busy.add(
            turns.join(
                end -> {
                  order.add("busy");
                  if (turnsOfBusy.incrementAndGet() == 20) {
                    small.get().wake();
                  }
                  spinUntil(end);
                  return done.getCount() > 0;
                }));
      }
      busy.forEach(FairTurns.Seat::wake);
      done.await();
    }
    int asked = 19;
    assertThat(order.indexOf("small") - asked).isBetween(1, 7);
  }

  @Test
  void aMemberThatThrowsKeepsItsSeatAndItsThread() throws InterruptedException {
    AtomicInteger bugs = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch again = new CountDownLatch(2);
    try (FairTurns turns =
        new FairTurns(
            Executors.newSingleThreadExecutor(), System::nanoTime, bug -> bugs.incrementAndGet())) {
      FairTurns.Seat seat =
          turns.join(
              end -> {
                again.countDown();
                if (calls.incrementAndGet() == 1) {
                  throw new OutOfMemoryError("injected");
                }
                return false;
              });
      seat.wake();
      while (bugs.get() == 0) {
        Thread.sleep(1);
      }
      seat.wake();
      again.await();
    }
    assertThat(bugs.get()).isEqualTo(1);
  }

  @Test
  void aWakeDuringATurnIsNotLost() throws InterruptedException {
    AtomicReference<FairTurns.Seat> seat = new AtomicReference<>();
    CountDownLatch twice = new CountDownLatch(2);
    try (FairTurns turns =
        new FairTurns(Executors.newSingleThreadExecutor(), System::nanoTime, bug -> {})) {
      seat.set(
          turns.join(
              end -> {
                if (twice.getCount() == 2) {
                  seat.get().wake();
                }
                twice.countDown();
                return false;
              }));
      seat.get().wake();
      twice.await();
    }
    assertThat(twice.getCount()).isZero();
  }
}
