package org.avm4j.app;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A fixed number of threads, at least one. */
final class Cores implements Executor, AutoCloseable {
  private final ExecutorService threads;

  Cores(int most) {
    threads = Executors.newFixedThreadPool(Math.max(1, most), Cores::daemon);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "worker");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /** Ends the threads, also those at work. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
