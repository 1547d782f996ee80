package org.avm4j.serve;

import java.util.concurrent.CompletableFuture;

/**
 * A task that reads a learner, after the rows that were queued before it are learned.
 *
 * @param work must not change the learner
 */
record ReadTask<T>(Work<T> work, CompletableFuture<T> done) implements ModelTask {
  /** Computes a result from a learner. */
  interface Work<T> {
    T run(Learning learning);
  }

  @Override
  public void run(LearningActor actor, long end) {
    actor.run(this);
  }

  void run(Learning learning) {
    try {
      done.complete(work.run(learning));
    } catch (Throwable wrong) {
      done.completeExceptionally(wrong);
    }
  }

  @Override
  public boolean abort(Problem problem) {
    done.completeExceptionally(problem);
    return true;
  }
}
