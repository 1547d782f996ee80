package org.avm4j.run;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for tasks of other threads. */
final class Joined {
  private Joined() {}

  /** The results of all tasks; what one of them threw is thrown here as it was. */
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
