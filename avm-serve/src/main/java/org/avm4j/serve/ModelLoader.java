package org.avm4j.serve;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Loads models from the store in the background, and rebuilds those that failed, after a pause. */
final class ModelLoader {
  /** Pause before a failed model is rebuilt for the first time; doubles with each attempt. */
  private static final long FIRST_RESTART_MILLIS = 100;

  private static final long LAST_RESTART_MILLIS = 60_000;

  private final ExecutorService threads;
  private final ScheduledExecutorService clock;
  private final ServeLog log;
  private final Map<ServedModel, Restarts> restarts = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();

  /**
   * The restarts of a model at the same row.
   *
   * @param last the last row before the one that failed
   * @param before the number of earlier restarts at this row
   */
  private record Restarts(long last, int before) {
    Restarts again() {
      return new Restarts(last, before + 1);
    }
  }

  /**
   * A loader that has loaded nothing.
   *
   * @param threads shut down by {@link #stop}
   */
  ModelLoader(ExecutorService threads, ScheduledExecutorService clock, ServeLog log) {
    this.threads = threads;
    this.clock = clock;
    this.log = log;
  }

  /** Loads models. They are ready without their challengers, which answer no requests. */
  void load(Collection<ServedModel> models) {
    long start = System.nanoTime();
    int leaders = (int) models.stream().filter(model -> !model.isChallenger()).count();
    AtomicInteger left = new AtomicInteger(leaders);
    Runnable whenLoaded =
        () -> {
          if (left.decrementAndGet() == 0) {
            complete(models.size(), start);
          }
        };
    models.forEach(model -> load(model, model.isChallenger() ? null : whenLoaded));
    if (leaders == 0) {
      complete(models.size(), start);
    }
  }

  /** Logs that all models are loaded before anyone who waits for it goes on. */
  private void complete(int models, long start) {
    long millis = (System.nanoTime() - start) / 1_000_000;
    log.write("ready", Map.of("models", models, "ms", millis));
    loaded.complete(null);
  }

  /** Loads a model; {@code whenLoaded} is null for a challenger, for which nobody waits. */
  private void load(ServedModel model, Runnable whenLoaded) {
    threads.execute(
        () -> {
          try {
            model.load();
          } catch (Throwable wrong) {
            if (!model.isGone() && !goesOn(model, wrong, whenLoaded != null)) {
              return;
            }
          }
          if (whenLoaded != null) {
            whenLoaded.run();
          }
        });
  }

  /**
   * Returns whether the service goes on without a model that cannot be loaded. It does not if the
   * rows of a leader cannot be read. After any other failure, such as memory that has run out, the
   * model is loaded again later, and the others learn meanwhile.
   */
  private boolean goesOn(ServedModel model, Throwable wrong, boolean isAwaited) {
    if (threads.isShutdown() || isAwaited && wrong instanceof IOException) {
      loaded.completeExceptionally(wrong);
      return false;
    }
    model.failedAgain(wrong);
    restart(model, model.entry().next() - 1);
    return true;
  }

  /** Waits until all models are loaded. */
  void await() throws IOException {
    try {
      loaded.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof IOException wrong) {
        throw wrong;
      }
      throw new IOException("a model cannot be loaded: " + failed.getCause(), failed.getCause());
    }
  }

  /** Whether loading has ended, with or without a failure. */
  boolean isDone() {
    return loaded.isDone();
  }

  boolean isReady() {
    return isDone() && !loaded.isCompletedExceptionally();
  }

  /**
   * Schedules the rebuilding of a model from the store.
   *
   * @param last the last row to learn from the store; later ones wait in the queue of the model
   */
  void restart(ServedModel model, long last) {
    Restarts now =
        restarts.merge(
            model, new Restarts(last, 0), (old, fresh) -> old.last == last ? old.again() : fresh);
    long pause = Math.min(LAST_RESTART_MILLIS, FIRST_RESTART_MILLIS << Math.min(now.before, 20));
    try {
      clock.schedule(
          () -> threads.execute(() -> restartNow(model, last)), pause, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // the rows are on disk, and are learned at the next start
    }
  }

  private void restartNow(ServedModel model, long last) {
    if (model.isDeleted()) {
      return;
    }
    try {
      if (model.isLoaded()) {
        model.restart(last);
      } else {
        model.load();
      }
    } catch (Throwable wrong) {
      if (!model.isGone()) {
        model.failedAgain(wrong);
        restart(model, last);
      }
    }
  }

  void forget(ServedModel model) {
    restarts.remove(model);
  }

  /** Interrupts what is being loaded, and loads nothing more. */
  void stop() {
    threads.shutdownNow();
  }

  /** Stops, and fails for those who wait. */
  void close() {
    stop();
    loaded.completeExceptionally(new IOException("the service was closed"));
  }
}
