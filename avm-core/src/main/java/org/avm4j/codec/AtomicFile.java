package org.avm4j.codec;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Replaces a file so that a crash at any moment leaves the old one or the new one, whole: the bytes
 * are written beside it, synced, and renamed over it. A link keeps pointing to the file, and what
 * is no file at all, such as a device, is written to directly.
 */
public final class AtomicFile {
  private AtomicFile() {}

  /** Writes {@code bytes} as the whole content of {@code file}. */
  public static void write(Path name, byte[] bytes) throws IOException {
    if (Files.exists(name) && !Files.isRegularFile(name) && !Files.isDirectory(name)) {
      Files.write(name, bytes);
      return;
    }
    Path file = Files.isSymbolicLink(name) && Files.exists(name) ? name.toRealPath() : name;
    Path beside = beside(file);
    try {
      writeSynced(beside, bytes);
      Files.move(beside, file, ATOMIC_MOVE);
    } catch (IOException failure) {
      Files.deleteIfExists(beside);
      throw failure;
    }
    syncFolder(file);
  }

  private static Path beside(Path file) {
    String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
    return file.resolveSibling(name);
  }

  private static void writeSynced(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, TRUNCATE_EXISTING)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
  }

  /**
   * Makes the rename itself durable; some systems cannot open a folder, and there we go without.
   */
  private static void syncFolder(Path file) {
    try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), READ)) {
      folder.force(true);
    } catch (IOException notSupported) {
      // The content is safe; only the moment at which the new name survives a power cut is later.
    }
  }
}
