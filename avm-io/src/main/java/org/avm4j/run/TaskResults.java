package org.avm4j.run;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the results of tasks in other threads. */
final class TaskResults {
  private TaskResults() {}

  /** The results of all tasks; an exception of a task is thrown without a wrapper. */
  static <T> List<T> all(List<CompletableFuture<T>> tasks) {
    try {
      return tasks.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }
}
