package org.avm4j.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and a polite kill into a flag that a run looks at between two instances, so that it
 * ends with what it knows. A run that is waiting for input does not look; it is ended from here.
 */
final class Interrupt implements AutoCloseable {
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop);
  private final Runnable end;
  private final Runnable ask;
  private volatile boolean requested;
  private boolean ended;

  /** The action ends a run, once. */
  Interrupt(Runnable end) {
    this(end, () -> {});
  }

  /** Adds an action that asks a run to end. */
  Interrupt(Runnable end, Runnable ask) {
    this.end = end;
    this.ask = ask;
    Runtime.getRuntime().addShutdownHook(hook);
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
