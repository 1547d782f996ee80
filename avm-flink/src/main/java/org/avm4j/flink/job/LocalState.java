package org.avm4j.flink.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;

/**
 * The folder for checkpoints while Flink runs inside this process; it is deleted at the end.
 * Flink's default holds at most 5 MB per subtask, which learners soon exceed.
 */
final class LocalState {
  private LocalState() {}

  /** Whether the command was started by {@code ./avm flink}, and not on a cluster. */
  static boolean isLocal() {
    return System.getProperty("avm.flink.local") != null;
  }

  /** Adds the folder of checkpoints to a configuration. */
  static Configuration into(Configuration config) {
    try {
      Path folder = Files.createTempDirectory("avm-flink");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
      return config;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException | UncheckedIOException gone) {
      // a checkpoint was still being written; the folder is temporary
    }
  }
}
