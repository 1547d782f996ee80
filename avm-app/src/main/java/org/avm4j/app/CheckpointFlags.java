package org.avm4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The flags for when a run is saved, and whether it resumes. */
final class CheckpointFlags {
  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "Save the state of the run to this file at regular intervals.")
  Path file;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "N",
      description = "Number of instances between two checkpoints. Default: 10000.")
  long every = 10_000;

  @Option(
      names = "--resume",
      description =
          "Continue from the checkpoint, if it exists. The result is the same as that of an"
              + " uninterrupted run.")
  boolean resume;

  void check() {
    if (resume && file == null) {
      throw Failure.usage("--resume needs --checkpoint FILE");
    }
    if (file != null && Files.exists(file) && !resume) {
      throw Failure.usage(
          file + ": exists already; use --resume to continue from it, or remove it first");
    }
  }
}
