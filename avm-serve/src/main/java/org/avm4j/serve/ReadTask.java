package org.avm4j.serve;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A task that reads a learner, after the rows that were queued before it are learned.
 *
 * @param work must not change the learner
 */
record ReadTask<T>(Function<Learning, T> work, CompletableFuture<T> done) implements ModelTask {
  @Override
  public void run(LearningActor actor, long end) {
    actor.run(this);
  }

  void run(Learning learning) {
    try {
      done.complete(work.apply(learning));
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
