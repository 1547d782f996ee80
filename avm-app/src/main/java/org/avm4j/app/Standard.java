package org.avm4j.app;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.avm4j.run.LiveOutput;
import org.avm4j.run.ScoreFile;

/** Standard output, and the file name "-" that stands for it. */
final class Standard {
  private Standard() {}

  /** A stream that is flushed within milliseconds; closing it leaves standard output open. */
  static OutputStream out() {
    return new LiveOutput(new StandardOutput());
  }

  /** Opens a file with a line for each row; "-" is standard output. */
  static ScoreFile lines(Path file) throws IOException {
    try {
      return isMeant(file) ? new ScoreFile(new StandardOutput()) : new ScoreFile(file);
    } catch (NoSuchFileException | AccessDeniedException denied) {
      throw new Failure(Failure.CANNOT_CREATE, file + ": cannot be created");
    }
  }

  /** Throws an exception if anything written to standard output was lost. */
  static void check() throws IOException {
    StandardOutput.check();
  }

  /** Whether a command ended because its output is no longer read, as with {@code | head}. */
  static boolean isClosed(Throwable why) {
    Throwable cause = why instanceof UncheckedIOException ? why.getCause() : why;
    return cause instanceof StandardOutput.ClosedException;
  }

  /** Whether a file name stands for standard output; false for null. */
  static boolean isMeant(Path file) {
    return file != null && file.equals(Path.of("-"));
  }

  /** Where the report goes: standard error if one of these outputs goes to standard output. */
  static PrintStream besides(Path... outputs) {
    long meant = Arrays.stream(outputs).filter(Objects::nonNull).filter(Standard::isMeant).count();
    if (meant > 1) {
      throw Failure.usage("only one output can go to standard output (-)");
    }
    return meant == 0 ? System.out : System.err;
  }
}
