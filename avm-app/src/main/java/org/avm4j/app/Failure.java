package org.avm4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.BadDataException;
import org.avm4j.io.DamagedDataException;
import org.avm4j.spec.SpecException;

/** Ends a command that cannot continue, with an exit code and a message for the user. */
final class Failure extends RuntimeException {
  static final int USAGE = 2;
  static final int BAD_DATA = 65;
  static final int NO_INPUT = 66;
  static final int BUG = 70;
  static final int MEMORY = 71;
  static final int CANNOT_CREATE = 73;
  static final int IO = 74;
  static final int TOO_EARLY = 75;
  static final int INTERRUPTED = 130;

  private static final long serialVersionUID = 1L;

  private final int code;

  Failure(int code, String sentence) {
    super(sentence);
    this.code = code;
  }

  /** The failure of a command that is used in a way it does not allow. */
  static Failure usage(String sentence) {
    return new Failure(USAGE, sentence);
  }

  int code() {
    return code;
  }

  /** The failure for an exception; null if the exception is a bug. */
  static Failure of(Throwable why) {
    if (why instanceof Failure failure) {
      return failure;
    }
    if (why instanceof SpecException wrong) {
      return usage(wrong.sentence(LearnerOptions::flag));
    }
    if (why instanceof BadDataException || why instanceof ModelFileException) {
      return new Failure(BAD_DATA, why.getMessage());
    }
    if (isDamaged(why)) {
      return new Failure(BAD_DATA, why.getMessage());
    }
    if (why instanceof NoSuchFileException missing) {
      return new Failure(NO_INPUT, missing.getFile() + ": no such file");
    }
    if (why instanceof AccessDeniedException denied) {
      return new Failure(NO_INPUT, denied.getFile() + ": permission denied");
    }
    if (why instanceof IOException) {
      return new Failure(IO, why.getMessage() == null ? why.toString() : why.getMessage());
    }
    if (why instanceof UncheckedIOException unchecked) {
      return of(unchecked.getCause());
    }
    return why instanceof IllegalArgumentException && why.getMessage() != null
        ? usage(why.getMessage())
        : null;
  }

  /** Whether a file could not even be created, for instance in a read-only folder. */
  static boolean isUncreatable(IOException why) {
    return why instanceof NoSuchFileException || why instanceof AccessDeniedException;
  }

  private static boolean isDamaged(Throwable why) {
    return why instanceof DamagedDataException || why.getCause() instanceof DamagedDataException;
  }

  /**
   * Checks, before any work is done, that outputs do not overwrite the input or each other and can
   * be written; null entries are ignored.
   */
  static void ifNotWritable(List<String> inputs, Path... outputs) {
    List<Path> before = new ArrayList<>();
    for (Path file : outputs) {
      ifNotWritable(file, inputs);
      if (file != null && !Standard.isMeant(file)) {
        before.forEach(other -> ifOneFile(file, other));
        before.add(file);
      }
    }
  }

  private static void ifOneFile(Path file, Path other) {
    boolean isDevice = Files.exists(file) && !Files.isRegularFile(file);
    if (!isDevice && file.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())) {
      throw usage(file + ": is given for two outputs");
    }
  }

  /**
   * Checks, before any work is done, that an output does not overwrite the input and can be
   * written; null is ignored.
   */
  static void ifNotWritable(Path file, List<String> inputs) {
    if (file == null || Standard.isMeant(file)) {
      return;
    }
    if (Files.isDirectory(file)) {
      throw new Failure(CANNOT_CREATE, file + ": is a folder, expected a file to write");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new Failure(CANNOT_CREATE, file + ": the folder " + folder + " does not exist");
    }
    boolean isDevice = Files.exists(file) && !Files.isRegularFile(file);
    boolean canReplace = isDevice || Files.isWritable(folder);
    if (canReplace && !isDevice && !takesFiles(folder)) {
      throw WholeFile.cannotBeCreated(file);
    }
    if (!canReplace || (Files.exists(file) && !Files.isWritable(file))) {
      throw new Failure(CANNOT_CREATE, file + ": permission denied");
    }
    inputs.forEach(input -> ifSame(file, input));
  }

  /** Some folders seem to be writable, but no file can be created in them, such as /proc. */
  private static boolean takesFiles(Path folder) {
    try {
      Files.delete(Files.createTempFile(folder, ".avm", null));
      return true;
    } catch (IOException none) {
      return false;
    }
  }

  private static void ifSame(Path file, String input) {
    try {
      Path other = Path.of(input);
      if (Files.isRegularFile(file) && Files.exists(other) && Files.isSameFile(file, other)) {
        throw usage(file + ": is an input and cannot also be an output");
      }
    } catch (IOException unknown) {
      throw new Failure(IO, unknown.getMessage());
    }
  }
}
