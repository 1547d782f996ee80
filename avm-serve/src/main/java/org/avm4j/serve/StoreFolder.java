package org.avm4j.serve;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** The folder of a store: its files, its lock, checks and backups. */
final class StoreFolder {
  static final String FILE = "avm.db";
  static final String MARK = "avm.mark";

  private static final String LOCK = "avm.lock";

  /**
   * All pages of smaller files are checked at the start, which takes up to a quarter of a second.
   */
  private static final long CHECKED_BELOW = 64L << 20;

  private StoreFolder() {}

  /** Locks the folder for this process, until the channel is closed. */
  static FileChannel lock(Path folder) throws IOException {
    FileChannel channel = null;
    try {
      Files.createDirectories(folder);
      channel = FileChannel.open(restrictToOwner(folder.resolve(LOCK)), StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new OverlappingFileLockException();
      }
      return channel;
    } catch (OverlappingFileLockException taken) {
      channel.close();
      throw new FileSystemException(
          folder.toString(), null, "another avm serve is using this folder");
    } catch (AccessDeniedException denied) {
      throw new FileSystemException(folder.toString(), null, "permission denied");
    } catch (FileSystemException wrong) {
      throw wrong.getReason() == null
          ? new FileSystemException(folder.toString(), null, "cannot be written to")
          : wrong;
    }
  }

  /** Creates a file that only its owner may read, or restricts an existing one. */
  static Path restrictToOwner(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  /**
   * Throws an exception if the folder holds other files of a store, but not the database file. Must
   * be called before SQLite opens or creates that file: it would delete the write-ahead log, with
   * which the file, once it is put back, has all acknowledged rows.
   */
  static void checkPresent(Path file) throws IOException {
    if (isFilled(file)) {
      return;
    }
    Path other = leftOver(file);
    if (other != null) {
      throw new DamageException(
          file
              + ": is missing"
              + (Files.exists(file) ? " (it is empty)" : "")
              + ", but "
              + other.getFileName()
              + " of the same store is there; put the file back, or move the folder away to start"
              + " with an empty store");
    }
  }

  private static boolean isFilled(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) > 0;
  }

  /** A file that is only there if the store was used; null for none. */
  private static Path leftOver(Path file) throws IOException {
    for (Path each : List.of(Path.of(file + "-wal"), file.resolveSibling(MARK))) {
      if (isFilled(each)) {
        return each;
      }
    }
    Path damaged = file.resolveSibling("damaged-1.db"); // a repair was interrupted
    return isFilled(damaged) ? damaged : null;
  }

  /**
   * Throws an exception if the write-ahead log of a store is missing. Must be called before the
   * store is opened for writing.
   */
  static void checkLog(Path file) throws IOException {
    if (lacksLog(file)) {
      throw new DamageException(
          file
              + ": was not closed properly, and its write-ahead log with the rows acknowledged"
              + " last is missing; avm serve --repair continues without it");
    }
  }

  /** Whether the store was not closed properly, but has no write-ahead log. */
  static boolean lacksLog(Path file) throws IOException {
    Path log = Path.of(file + "-wal");
    if (isFilled(log) || !isFilled(file)) {
      return false;
    }
    try (Database database = Database.openToRead(file)) {
      return database.isInUse();
    } catch (SQLException unreadable) {
      return false;
    }
  }

  /** Throws an exception if a store is damaged or lacks acknowledged commits. */
  static void check(Path file, Database database, CommitMarker mark) throws IOException {
    try {
      checkPages(file, database);
      long commits = database.number("SELECT value FROM meta WHERE key = 'commits'");
      if (commits < mark.read()) {
        throw new DamageException(
            file
                + ": "
                + (mark.read() - commits)
                + " acknowledged transactions are missing because its write-ahead log was"
                + " truncated or damaged; avm serve --repair continues without them");
      }
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  private static void checkPages(Path file, Database database) throws IOException, SQLException {
    if (Files.size(file) < CHECKED_BELOW) {
      String found = database.first(row -> row.getString(1), "PRAGMA quick_check(1)");
      if (!"ok".equals(found)) {
        throw DamageException.repairable(file + ": is damaged");
      }
    }
  }

  /** A new name for a copy that is sent to a client and then deleted. */
  static Path unusedCopy(Path folder) {
    return folder.resolve("backup-" + UUID.randomUUID() + ".tmp");
  }

  /** Deletes copies that an earlier process could not delete. */
  static void deleteCopies(Path folder) throws IOException {
    try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder, "backup-*.tmp")) {
      for (Path copy : copies) {
        Files.delete(copy);
      }
    }
  }

  /**
   * Writes a copy of the store as it is now, while it is in use, to a file that does not exist.
   *
   * @param isUnwanted asked again and again; if it is true, the copy is given up with an exception
   */
  static void backup(Path folder, Path copy, BooleanSupplier isUnwanted) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (Files.exists(copy)) {
      throw new FileAlreadyExistsException(copy.toString(), null, "exists already");
    }
    restrictToOwner(copy);
    try (Database database = Database.openToRead(file)) {
      database.interruptIf(isUnwanted);
      database.execute("VACUUM INTO '" + copy.toAbsolutePath().toString().replace("'", "''") + "'");
    } catch (SQLException wrong) {
      Files.deleteIfExists(copy);
      throw Database.failure(file, wrong);
    }
    Database.markClosed(copy);
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
