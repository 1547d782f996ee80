package org.avm4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The flags for when a run is saved, and whether it resumes. */
final class CheckpointFlags {
  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "Save the whole run there every now and then.")
  Path file;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "N",
      description = "Instances between two checkpoints. Default: 10000.")
  long every = 10_000;

  @Option(
      names = "--resume",
      description =
          "Go on from the checkpoint, if there is one; the run ends as if it had never stopped.")
  boolean resume;

  void check() {
    if (resume && file == null) {
      throw new Failure(Failure.USAGE, "--resume needs --checkpoint FILE");
    }
    if (file != null && Files.exists(file) && !resume) {
      throw new Failure(
          Failure.USAGE, file + ": is there already; --resume goes on from it, or remove it first");
    }
  }
}
