package org.avm4j.run;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Runs tasks in other threads and waits for their results. */
final class TaskResults {
  private TaskResults() {}

  /** Runs all tasks and waits for them; an exception of a task is thrown without a wrapper. */
  static void run(List<Runnable> tasks, Executor executor) {
    join(tasks.stream().map(task -> CompletableFuture.runAsync(task, executor)).toList());
  }

  /** The results of all tasks; an exception of a task is thrown without a wrapper. */
  static <T> List<T> all(List<Supplier<T>> tasks, Executor executor) {
    return join(tasks.stream().map(task -> CompletableFuture.supplyAsync(task, executor)).toList());
  }

  private static <T> List<T> join(List<CompletableFuture<T>> started) {
    try {
      return started.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }
}
