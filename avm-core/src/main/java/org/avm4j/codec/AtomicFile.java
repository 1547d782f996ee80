package org.avm4j.codec;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Replaces a file so that a crash at any moment leaves the old one or the new one, whole.
 *
 * <p>The bytes are written beside the file, to {@code .NAME.PID.tmp}, synced, and renamed over it.
 * If a process is killed on the way, the next write of the same file removes what it left behind.
 * Several threads or processes may write the same file, and the last one wins; processes that do
 * not see each other (in containers, or on hosts that share a disk) should not. A link keeps
 * pointing to its file, and what is no file at all, such as a device, is written to directly.
 */
public final class AtomicFile {
  private static final int BUFFER = 1 << 16;

  /** Writes the whole content of a file. */
  public interface Content {
    /** Writes it to a buffered stream, which need not be flushed or closed. */
    void writeTo(OutputStream out) throws IOException;
  }

  private AtomicFile() {}

  /** Writes {@code bytes} as the whole content of {@code file}. */
  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, out -> out.write(bytes));
  }

  /**
   * Writes the whole content of {@code file} as it is produced.
   *
   * <p>If producing or writing fails, the old file stays as it was.
   *
   * @throws IOException if the file cannot be written; the message names it
   */
  public static void write(Path file, Content content) throws IOException {
    try {
      if (!Files.exists(file) || Files.isRegularFile(file)) {
        replace(realPath(file), content);
      } else if (Files.isDirectory(file)) {
        throw new IOException("is a folder, expected a file to write");
      } else {
        writeDirectly(file, content);
      }
    } catch (FileSystemException named) {
      throw named;
    } catch (IOException unnamed) {
      throw named(file, unnamed);
    }
  }

  /**
   * Deletes what killed processes left beside a file while they wrote it; {@link #write} does so
   * too. What cannot be deleted stays.
   */
  public static void removeLeftovers(Path file) {
    try {
      TemporaryFile.removeLeftovers(realPath(file));
    } catch (IOException notThere) {
      // A folder that is not there has no leftovers.
    }
  }

  /**
   * Deletes the unfinished content that this process is writing for a file, because the process
   * ends; a write under way then fails. An older file stays as it was.
   *
   * @return whether there was any
   */
  public static boolean discard(Path file) {
    try {
      return TemporaryFile.discard(realPath(file));
    } catch (IOException notThere) {
      return false; // what cannot be deleted stays until the next write
    }
  }

  /**
   * The real path of a file, the same for all links to it, so that its writers notice each other.
   */
  private static Path realPath(Path file) throws IOException {
    return Files.exists(file)
        ? file.toRealPath()
        : file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
  }

  private static void replace(Path file, Content content) throws IOException {
    TemporaryFile.removeLeftovers(file);
    try (TemporaryFile beside = TemporaryFile.beside(file)) {
      writeSynced(beside.path(), content);
      Files.move(beside.path(), file, ATOMIC_MOVE);
    }
    syncFolder(file);
  }

  private static void writeDirectly(Path device, Content content) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(device), BUFFER)) {
      content.writeTo(out);
    }
  }

  private static void writeSynced(Path file, Content content) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, TRUNCATE_EXISTING)) {
      OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
      content.writeTo(out);
      out.flush();
      channel.force(true);
    }
  }

  /**
   * Adds the name of the file, which the system leaves out of some messages, such as that of a full
   * disk.
   */
  private static IOException named(Path file, IOException unnamed) {
    String reason = unnamed.getMessage() == null ? unnamed.toString() : unnamed.getMessage();
    IOException named = new FileSystemException(file.toString(), null, reason);
    named.initCause(unnamed);
    return named;
  }

  /** Makes the rename itself durable, except on systems that cannot open a folder. */
  private static void syncFolder(Path file) {
    try (FileChannel folder = FileChannel.open(file.getParent(), READ)) {
      folder.force(true);
    } catch (IOException notSupported) {
      // The content is safe; only the moment at which the new name survives a power cut is later.
    }
  }
}
