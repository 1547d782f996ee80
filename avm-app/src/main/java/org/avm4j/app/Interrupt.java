package org.avm4j.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into a flag that a run checks between two instances, so that it can save
 * and report what it has learned. A run that waits for input does not check the flag; the shutdown
 * hook ends it after one second.
 */
final class Interrupt implements AutoCloseable {
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop);
  private final Runnable end;
  private final Runnable ask;
  private volatile boolean requested;
  private boolean ended;

  /** Takes an action that ends a run; it is called at most once. */
  Interrupt(Runnable end) {
    this(end, () -> {});
  }

  /** The same with an action that asks a run to end, called first. */
  Interrupt(Runnable end, Runnable ask) {
    this.end = end;
    this.ask = ask;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException ending) {
      throw new Failure(Failure.INTERRUPTED, "interrupted");
    }
    EarlyInterrupt.end();
  }

  boolean isRequested() {
    return requested;
  }

  /** Ends the run, unless it was ended already. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      end.run();
    }
  }

  private void stop() {
    requested = true;
    ask.run();
    try {
      if (!done.await(1, TimeUnit.SECONDS)) {
        endIfStuck();
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void endIfStuck() {
    if (done.getCount() > 0) {
      end();
    }
  }

  @Override
  public void close() {
    if (!requested) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
    done.countDown();
  }
}
