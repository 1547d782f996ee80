package org.avm4j.app;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An executor with a fixed number of daemon threads, at least one. */
final class WorkerPool implements Executor, AutoCloseable {
  private final ExecutorService threads;

  WorkerPool(int most) {
    threads = Executors.newFixedThreadPool(Math.max(1, most), WorkerPool::daemon);
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

  /** Interrupts all threads, also those at work. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
