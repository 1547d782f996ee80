package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The executors of a service, and the clock that measures durations. A simulation supplies its own,
 * so that it decides what runs next.
 *
 * @param learners learn rows
 * @param loaders load models
 * @param clock runs periodic and delayed tasks
 * @param nanoTime like {@link System#nanoTime}
 */
record Workers(
    ExecutorService learners,
    ExecutorService loaders,
    ScheduledExecutorService clock,
    LongSupplier nanoTime) {
  /** Real threads; one core is left for writing and answering. */
  static Workers threads() {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    return new Workers(
        Executors.newFixedThreadPool(threads, task -> daemon(task, "avm-learn")),
        Executors.newFixedThreadPool(threads, task -> daemon(task, "avm-load")),
        clock("avm-clock"),
        System::nanoTime);
  }

  /** The single writing thread, which keeps the process alive until everything is written. */
  static ExecutorService writer() {
    return Executors.newSingleThreadExecutor(task -> new Thread(task, "avm-store"));
  }

  /** A thread that runs periodic and delayed tasks, and does not keep the process alive. */
  static ScheduledExecutorService clock(String name) {
    return Executors.newSingleThreadScheduledExecutor(task -> daemon(task, name));
  }

  /**
   * Runs a task periodically. Whatever it throws is logged, and the task runs again; the scheduler
   * alone would drop it.
   */
  static void every(ScheduledExecutorService clock, long millis, Runnable task, ServeLog log) {
    clock.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (Throwable wrong) {
            report(wrong, log);
          }
        },
        millis,
        millis,
        TimeUnit.MILLISECONDS);
  }

  /** Logs a failure outside the work of a model, as far as it can be logged. */
  static void report(Throwable wrong, ServeLog log) {
    try {
      log.write("failure", Map.of("detail", "a thread of the service failed: " + wrong));
    } catch (Throwable again) {
      // without memory for a line, nothing can be told
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
