package org.avm4j.lab.paper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Executes the runs of a plan, one per thread. A run is stopped at its time limit; finished runs
 * are stored and not repeated.
 */
public final class Laboratory {
  private static final long WATCH_MILLIS = 100;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Plan plan;
  private final DataFolder folder;
  private final Results results;
  private final BiConsumer<Experiment, Outcome> listener;
  private final Map<Thread, Long> running = new HashMap<>();
  private volatile boolean isStopped;

  /** A laboratory for this plan; the listener is told when a run has ended, one at a time. */
  public Laboratory(
      Plan plan, DataFolder folder, Results results, BiConsumer<Experiment, Outcome> listener) {
    this.plan = plan;
    this.folder = folder;
    this.results = results;
    this.listener = listener;
  }

  /** Stops all runs; unfinished runs are lost. May be called from any thread. */
  public void stop() {
    isStopped = true;
    synchronized (running) {
      running.keySet().forEach(Thread::interrupt);
    }
  }

  /**
   * Executes all open runs.
   *
   * @return whether all runs were completed; false if {@link #stop} was called
   */
  public boolean run(int threads) throws IOException, InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(threads, Laboratory::daemon);
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(Laboratory::daemon);
    watch.scheduleAtFixedRate(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    try {
      for (List<Experiment> round : plan.rounds()) {
        run(plan.open(round, results), workers);
      }
    } finally {
      workers.shutdownNow();
      watch.shutdownNow();
    }
    return !isStopped;
  }

  private void run(List<Experiment> round, ExecutorService workers)
      throws IOException, InterruptedException {
    List<Future<?>> started = new ArrayList<>();
    for (Experiment experiment : round) {
      started.add(workers.submit(() -> runIfWanted(experiment)));
    }
    for (Future<?> future : started) {
      finish(future);
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "laboratory");
    thread.setDaemon(true);
    return thread;
  }

  private static void finish(Future<?> future) throws IOException, InterruptedException {
    try {
      future.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UncheckedIOException unchecked) {
        throw unchecked.getCause();
      }
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failed.getCause());
    }
  }

  private void runIfWanted(Experiment experiment) {
    try {
      if (!isStopped) {
        run(experiment);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void run(Experiment experiment) throws IOException {
    Samples samples = folder.load(experiment.data());
    Thread thread = Thread.currentThread();
    synchronized (running) {
      running.put(thread, THREADS.getCurrentThreadCpuTime());
    }
    Outcome outcome = new Trial(experiment, samples, plan.rules().limit()).run();
    boolean wasInterrupted = endWatch(thread);
    boolean isLost = isStopped && (wasInterrupted || !outcome.isDone());
    if (!isLost) {
      results.put(experiment, outcome);
      report(experiment, outcome);
    }
  }

  /** Ends the watch of a thread, and returns whether it was interrupted. */
  private boolean endWatch(Thread thread) {
    synchronized (running) {
      running.remove(thread);
      return Thread.interrupted();
    }
  }

  private synchronized void report(Experiment experiment, Outcome outcome) {
    listener.accept(experiment, outcome);
  }

  private void watch() {
    synchronized (running) {
      running.forEach(
          (thread, start) -> {
            long used = THREADS.getThreadCpuTime(thread.getId()) - start;
            if (used > plan.rules().limit() * 1e9) {
              thread.interrupt();
            }
          });
    }
  }
}
