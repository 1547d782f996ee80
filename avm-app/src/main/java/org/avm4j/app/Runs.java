package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.avm4j.data.Instance;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;

/** Several runs over the same rows, each shuffled by a seed of its own, on all cores. */
final class Runs {
  private final Prepared prepared;
  private final LearnerOptions learner;

  Runs(Prepared prepared, LearnerOptions learner) {
    this.prepared = prepared;
    this.learner = learner;
  }

  /** The finished runs, the i-th with seed + i. */
  List<Prequential> of(List<Instance> rows, int runs, boolean quiet) {
    List<Instance> scaled = prepared.scaled(rows);
    ExecutorService cores =
        Executors.newFixedThreadPool(
            Math.min(runs, Runtime.getRuntime().availableProcessors()), Runs::daemon);
    AtomicLong done = new AtomicLong();
    try (Progress progress = new Progress(System.err, quiet, "runs", (long) runs * rows.size())) {
      List<Future<Prequential>> started = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        long seed = learner.seed + i;
        started.add(cores.submit(() -> run(scaled, seed, done, progress)));
      }
      return finished(started);
    } finally {
      cores.shutdownNow();
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "run");
    thread.setDaemon(true);
    return thread;
  }

  private Prequential run(List<Instance> rows, long seed, AtomicLong done, Progress progress) {
    Pipeline pipeline = prepared.pipelineOfScaled(learner);
    Prequential run = new Prequential(pipeline, Learners.metrics(pipeline));
    for (Instance row : LearningCommand.shuffled(rows, seed)) {
      run.step(row.features(), row.label());
      progress.step(done.incrementAndGet());
    }
    run.finish();
    return run;
  }

  private static List<Prequential> finished(List<Future<Prequential>> started) {
    List<Prequential> runs = new ArrayList<>();
    try {
      for (Future<Prequential> future : started) {
        runs.add(future.get());
      }
    } catch (InterruptedException stopped) {
      throw new Failure(Failure.INTERRUPTED, "interrupted");
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failed.getCause());
    }
    return runs;
  }
}
