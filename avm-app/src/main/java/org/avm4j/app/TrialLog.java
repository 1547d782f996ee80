package org.avm4j.app;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.spec.GridSearch.Trial;

/**
 * A file of finished trials, so that a killed search can resume: first the command, then a line for
 * each trial.
 */
final class TrialLog {
  private final Path file;
  private final String heading;

  /** The log of a command; nothing is logged if the file is null. */
  TrialLog(Path file, String command) {
    this.file = file;
    heading = "# " + command;
  }

  /**
   * The trials that an earlier run of the same command finished; an incomplete last line is
   * dropped.
   */
  List<Trial> finished() throws IOException {
    if (file == null) {
      return List.of();
    }
    if (!Files.exists(file)) {
      Files.writeString(file, heading + "\n");
      return List.of();
    }
    String text = Files.readString(file);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    Files.writeString(file, whole);
    List<String> lines = whole.lines().toList();
    if (lines.isEmpty() || !lines.get(0).equals(heading)) {
      throw Failure.usage(file + ": belongs to another run, expected the first line " + heading);
    }
    try {
      return lines.stream().skip(1).map(Trial::parse).toList();
    } catch (IllegalArgumentException damaged) {
      throw new Failure(Failure.BAD_DATA, file + ": is not a file of finished trials");
    }
  }

  void append(Trial trial) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, trial.line() + "\n", CREATE, APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
