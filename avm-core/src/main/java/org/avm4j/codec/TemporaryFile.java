package org.avm4j.codec;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file beside another one in which its new content is prepared: {@code .NAME.PID.tmp}, or
 * {@code .NAME.PID-1.tmp} and so on while other threads of this process write the same file. Files
 * are given by their real paths.
 */
record TemporaryFile(Path path) implements AutoCloseable {
  private static final long OWN = ProcessHandle.current().pid();
  private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

  /** A name that no other thread or process uses until it is closed. */
  static TemporaryFile beside(Path file) {
    Path path = numbered(file, "");
    for (int i = 1; !IN_USE.add(path); i++) {
      path = numbered(file, "-" + i);
    }
    return new TemporaryFile(path);
  }

  /** Deletes the file if it is still there, and frees its name. */
  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      IN_USE.remove(path);
    }
  }

  /** Deletes what this process is writing beside a file; true if there was something. */
  static boolean discard(Path file) throws IOException {
    boolean isFound = false;
    Pattern pattern = pattern(file);
    for (Path path : IN_USE) {
      boolean isBeside = path.getParent().equals(file.getParent());
      if (isBeside && pattern.matcher(path.getFileName().toString()).matches()) {
        isFound |= Files.deleteIfExists(path);
      }
    }
    return isFound;
  }

  private static Pattern pattern(Path file) {
    return Pattern.compile(
        Pattern.quote("." + file.getFileName() + ".") + "(\\d{1,18})(-\\d+)?\\.tmp");
  }

  /** Deletes what killed processes left beside a file; what cannot be deleted stays. */
  static void removeLeftovers(Path file) {
    Pattern pattern = pattern(file);
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(file.getParent(), path -> isLeftover(path, pattern))) {
      for (Path leftover : found) {
        Files.deleteIfExists(leftover);
      }
    } catch (IOException | DirectoryIteratorException notNow) {
      // Harmless: it only takes space, and if the folder is unusable, the write will say so.
    }
  }

  private static boolean isLeftover(Path path, Pattern pattern) {
    Matcher name = pattern.matcher(path.getFileName().toString());
    return name.matches() && !IN_USE.contains(path) && !isOther(Long.parseLong(name.group(1)));
  }

  /** Whether another process of this number is running. A restart may have been given ours. */
  private static boolean isOther(long pid) {
    return pid != OWN && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static Path numbered(Path file, String number) {
    String name = "." + file.getFileName() + "." + OWN + number + ".tmp";
    return file.resolveSibling(name);
  }
}
