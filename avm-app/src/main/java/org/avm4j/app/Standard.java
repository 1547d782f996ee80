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

  /** Work that writes a line for each row and returns a result. */
  interface LineWork<T> {
    T with(ScoreFile lines) throws IOException;
  }

  /**
   * Does work that writes lines to a file; "-" is standard output, and null no output.
   *
   * @param isLive whether each line must be visible at once; otherwise the file appears when all
   *     lines are written
   */
  static <T> T lines(Path file, boolean isLive, LineWork<T> work) throws IOException {
    if (file == null) {
      return work.with(null);
    }
    if (!isMeant(file) && !isLive) {
      return WholeFile.write(file, out -> with(new ScoreFile(out), work));
    }
    return with(isMeant(file) ? new ScoreFile(new StandardOutput()) : created(file), work);
  }

  private static ScoreFile created(Path file) throws IOException {
    try {
      return new ScoreFile(file);
    } catch (NoSuchFileException | AccessDeniedException denied) {
      throw WholeFile.cannotBeCreated(file);
    }
  }

  private static <T> T with(ScoreFile lines, LineWork<T> work) throws IOException {
    try (lines) {
      return work.with(lines);
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
