package org.avm4j.app;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.avm4j.codec.AtomicFile;

/**
 * Output files that appear when they are complete; a run that fails or is interrupted leaves an
 * older one alone, and nothing beside it.
 */
final class WholeFile {
  private WholeFile() {}

  /** Work that writes a file and returns a result. */
  interface Content<T> {
    /** Writes the file; the stream may be closed or not. */
    T writeTo(OutputStream out) throws IOException;
  }

  /** Writes a file and returns the result of the work. */
  static <T> T write(Path file, Content<T> content) throws IOException {
    AtomicReference<T> result = new AtomicReference<>();
    Set<PosixFilePermission> permissions = permissions(file);
    Thread hook = new Thread(() -> discard(file));
    addHook(hook);
    try {
      AtomicFile.write(file, out -> result.set(written(content, new Named(file, out))));
    } catch (UncheckedIOException ofContent) {
      throw ofContent.getCause();
    } catch (NoSuchFileException | AccessDeniedException denied) {
      throw cannotBeCreated(file);
    } finally {
      removeHook(hook);
    }
    if (permissions != null) {
      Files.setPosixFilePermissions(file, permissions);
    }
    return result.get();
  }

  private static void discard(Path file) {
    if (AtomicFile.discard(file)) {
      System.err.println("avm: interrupted; " + file + " was not written");
    }
  }

  private static void addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException ending) {
      throw new Failure(Failure.INTERRUPTED, "interrupted");
    }
  }

  /** Takes a hook back; a process that is ending has nothing more to say. */
  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      LockSupport.park();
    }
  }

  /** The failure of a command whose output file cannot be created. */
  static Failure cannotBeCreated(Path file) {
    return new Failure(Failure.CANNOT_CREATE, file + ": cannot be created");
  }

  /** The permissions of a file that is replaced; null if there is none, or the system has none. */
  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    boolean hasPermissions = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return hasPermissions && Files.isRegularFile(file) ? Files.getPosixFilePermissions(file) : null;
  }

  /** Lets exceptions pass as they are, which the writing of the file would name after it. */
  private static <T> T written(Content<T> content, OutputStream out) {
    try {
      return content.writeTo(out);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Names the file when writing fails, and stays open, so that the file can be synced. */
  private static final class Named extends FilterOutputStream {
    private final Path file;

    Named(Path file, OutputStream out) {
      super(out);
      this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException failed) {
        throw new FileSystemException(file.toString(), null, failed.getMessage());
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException failed) {
        throw new FileSystemException(file.toString(), null, failed.getMessage());
      }
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
