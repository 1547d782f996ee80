package org.avm4j.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and a polite kill into a flag that a run looks at, so that it ends with what it
 * knows.
 */
final class Interrupt implements AutoCloseable {
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::await);
  private volatile boolean requested;

  Interrupt() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  boolean isRequested() {
    return requested;
  }

  private void await() {
    requested = true;
    try {
      done.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
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
