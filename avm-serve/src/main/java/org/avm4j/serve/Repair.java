package org.avm4j.serve;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replaces a damaged store by a new one with what can be read of each model, and reports what is
 * lost. The damaged file stays beside it.
 */
final class Repair {
  private Repair() {}

  static void run(Path folder, Consumer<String> report) throws IOException {
    Path file = folder.resolve(StoreFolder.FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    FileChannel lock = StoreFolder.lock(folder);
    try {
      refuseNewer(file);
      Path fresh = folder.resolve("repaired.tmp");
      Files.deleteIfExists(fresh);
      StoreFolder.restrictToOwner(fresh);
      reportMissing(file, folder, report);
      save(file, fresh, report);
      Path kept = unused(folder);
      Files.move(file, kept);
      move(Path.of(file + "-wal"), Path.of(kept + "-wal"));
      Files.deleteIfExists(Path.of(file + "-shm"));
      Files.deleteIfExists(folder.resolve(StoreFolder.MARK));
      Files.move(fresh, file);
      report.accept("the damaged file was kept as " + kept.getFileName());
    } finally {
      lock.close();
    }
  }

  /** Refuses to repair a store of a later version, because unknown content would be lost. */
  private static void refuseNewer(Path file) throws IOException {
    try (Database database = Database.openToRead(file)) {
      if (database.isOurs()) { // if the header is damaged, the version is unknown
        database.checkFormat(file);
      }
    } catch (SQLException unreadable) {
      // this is damage, which is repaired
    }
  }

  /** Reports how many acknowledged transactions are in the commit marker but not in the store. */
  private static void reportMissing(Path file, Path folder, Consumer<String> report) {
    try (Database database = Database.openToRead(file);
        CommitMarker mark = new CommitMarker(folder.resolve(StoreFolder.MARK))) {
      long marked = mark.read();
      long missing = marked - database.number("SELECT value FROM meta WHERE key = 'commits'");
      if (missing > 0) {
        report.accept(
            missing
                + " acknowledged transactions at the end are missing with their log; their rows"
                + " are lost unless clients send them again");
      } else if (StoreFolder.lacksLog(file) && marked > 0) {
        report.accept(
            "the write-ahead log is missing, but it held no transaction that avm.mark counts");
      } else if (StoreFolder.lacksLog(file)) {
        report.accept(
            "the write-ahead log is missing; the rows acknowledged last are lost unless clients"
                + " send them again");
      }
    } catch (IOException | SQLException unreadable) {
      // losses are reported for each model
    }
  }

  private static Path unused(Path folder) {
    int n = 1;
    while (Files.exists(folder.resolve("damaged-" + n + ".db"))) {
      n++;
    }
    return folder.resolve("damaged-" + n + ".db");
  }

  private static void move(Path old, Path other) throws IOException {
    if (Files.exists(old)) {
      Files.move(old, other);
    }
  }

  private static void save(Path file, Path fresh, Consumer<String> report) throws IOException {
    try (Database from = Database.openToRead(file);
        Database to = Database.open(fresh)) {
      List<ModelRepair> models = models(file, from, to, report);
      to.execute("BEGIN");
      for (ModelRepair model : models) {
        model.run();
      }
      to.execute("COMMIT");
      to.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  private static List<ModelRepair> models(
      Path file, Database from, Database to, Consumer<String> report) throws IOException {
    try {
      long format = from.number("PRAGMA user_version");
      return from.all(
          row -> new ModelRepair(from, to, format, Store.Entry.of(row), report),
          format < 3
              ? "SELECT id, name, created, next, 0, 0, spec, 0, 0 FROM model ORDER BY id"
              : Store.Entry.SELECT + " ORDER BY id, challenges");
    } catch (SQLException gone) {
      throw new DamageException(
          file + ": the list of models cannot be read, so nothing can be recovered");
    }
  }
}
