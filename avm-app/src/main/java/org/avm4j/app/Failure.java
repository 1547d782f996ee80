package org.avm4j.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.BadDataException;

/** The end of a command that cannot go on: an exit code and one sentence. */
final class Failure extends RuntimeException {
  static final int USAGE = 2;
  static final int BAD_DATA = 65;
  static final int NO_INPUT = 66;
  static final int BUG = 70;
  static final int CANNOT_CREATE = 73;
  static final int IO = 74;
  static final int INTERRUPTED = 130;

  private static final long serialVersionUID = 1L;

  private final int code;

  Failure(int code, String sentence) {
    super(sentence);
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The failure that an exception means, or null if it means a bug. */
  static Failure of(Throwable why) {
    if (why instanceof Failure failure) {
      return failure;
    }
    if (why instanceof BadDataException || why instanceof ModelFileException) {
      return new Failure(BAD_DATA, why.getMessage());
    }
    if (why instanceof NoSuchFileException missing) {
      return new Failure(NO_INPUT, missing.getFile() + ": no such file");
    }
    if (why instanceof AccessDeniedException denied) {
      return new Failure(NO_INPUT, denied.getFile() + ": no permission to read");
    }
    if (why instanceof IOException) {
      return new Failure(IO, why.getMessage() == null ? why.toString() : why.getMessage());
    }
    return why instanceof IllegalArgumentException && why.getMessage() != null
        ? new Failure(USAGE, why.getMessage())
        : null;
  }

  /** Refuses, before any work is done, a file that cannot be written; null is none. */
  static void ifNotWritable(Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new Failure(CANNOT_CREATE, file + ": is a folder, expected a file to write");
    }
    if (!Files.isDirectory(folder)) {
      throw new Failure(CANNOT_CREATE, file + ": the folder " + folder + " does not exist");
    }
    if (!Files.isWritable(folder) || (Files.exists(file) && !Files.isWritable(file))) {
      throw new Failure(CANNOT_CREATE, file + ": no permission to write");
    }
  }
}
