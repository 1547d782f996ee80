package org.avm4j.serve;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.avm4j.codec.ModelFileException;

/**
 * Copies what can be read from a damaged store into a new one, and reports what is lost. The
 * damaged file stays beside it. A model keeps what it learned from unreadable rows if a snapshot
 * holds them; otherwise it continues without them, and later rows are renumbered.
 */
final class Repair {
  private final Database from;
  private final Database to;
  private final Consumer<String> report;

  private Repair(Database from, Database to, Consumer<String> report) {
    this.from = from;
    this.to = to;
    this.report = report;
  }

  static void run(Path folder, Consumer<String> report) throws IOException {
    Path file = folder.resolve(StoreFolder.FILE);
    if (!Files.exists(file)) {
      throw new IOException(folder + ": contains no store");
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
      long missing = mark.read() - database.number("SELECT value FROM meta WHERE key = 'commits'");
      if (missing > 0) {
        report.accept(
            missing
                + " acknowledged transactions at the end are missing with their log; their rows"
                + " are lost unless clients send them again");
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
      new Repair(from, to, report).save(file);
    }
  }

  private void save(Path file) throws IOException {
    List<Store.Entry> models;
    try {
      models =
          from.all(
              Store.Entry::of,
              isBefore(3)
                  ? "SELECT id, name, created, next, 0, 0, spec, 0, 0 FROM model ORDER BY id"
                  : Store.Entry.SELECT + " ORDER BY id, challenges");
    } catch (SQLException gone) {
      throw new DamageException(
          file + ": the list of models cannot be read, so nothing can be recovered");
    }
    try {
      to.execute("BEGIN");
      for (Store.Entry model : models) {
        if (model.isChallenger()) {
          report(model, "its challenger is lost");
        } else {
          save(model);
        }
      }
      to.execute("COMMIT");
      to.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  private void report(Store.Entry model, String loss) {
    report.accept("model '" + model.name() + "': " + loss);
  }

  private boolean isBefore(int format) throws SQLException {
    return from.number("PRAGMA user_version") < format;
  }

  private void save(Store.Entry model) throws SQLException {
    long latest = snapshots(model);
    TreeMap<Long, RowStore.Batch> found = new TreeMap<>();
    boolean isWhole = rows(model, found, true) || rows(model, found, false);
    long next = number(model, found, latest);
    to.update(
        "INSERT INTO model (id, name, created, next, learners) VALUES (?, ?, ?, ?, ?)",
        model.id(),
        model.name(),
        model.created(),
        next,
        isBefore(3) ? 1 : from.number("SELECT learners FROM model WHERE id = ?", model.id()));
    to.update(
        "INSERT INTO learner VALUES (?, ?, ?, ?, ?, 0)",
        model.id(),
        model.learner(),
        model.spec(),
        model.created(),
        model.begun());
    pin(model);
    int others = others(model);
    if (!isWhole) {
      report(model, "some of its rows cannot be read");
    }
    to.update("UPDATE model SET pending = ? WHERE id = ?", others, model.id());
  }

  /** Sets the number of the last version, and keeps the pin if the pinned version was saved. */
  private void pin(Store.Entry model) throws SQLException {
    to.update(
        "UPDATE model SET versions = (SELECT coalesce(max(version), 0) FROM snapshot WHERE"
            + " snapshot.model = model.id), champion = (SELECT coalesce(max(version), 0) FROM"
            + " snapshot WHERE snapshot.model = model.id AND version = ?) WHERE id = ?",
        model.champion(),
        model.id());
    if (model.champion() > 0
        && to.number("SELECT champion FROM model WHERE id = ?", model.id()) == 0) {
      report(model, "the pinned version is lost; the latest version is used for predictions again");
    }
  }

  /** Copies readable snapshots; returns the last row that they hold, {@code begun} for none. */
  private long snapshots(Store.Entry model) {
    long latest = model.begun();
    try {
      List<Version> all =
          from.all(
              row -> new Version(row.getLong(1), row.getLong(2), row.getLong(3), row.getString(4)),
              isBefore(3)
                  ? "SELECT row_number() OVER (ORDER BY seq), seq, at, '{}' FROM snapshot WHERE model"
                      + " = ? AND 0 = ? ORDER BY seq"
                  : "SELECT version, seq, at, figures FROM snapshot WHERE model = ? AND learner = ?"
                      + " ORDER BY version",
              model.id(),
              model.learner());
      for (Version version : all) {
        if (copy(model, version)) {
          latest = version.sequence();
        } else {
          report(model, "the snapshot at row " + version.sequence() + " is damaged and lost");
        }
      }
    } catch (SQLException gone) {
      report(model, "its snapshots cannot be read and are lost");
    }
    return latest;
  }

  /** Copies a snapshot; returns whether it could be read. */
  private boolean copy(Store.Entry model, Version version) throws SQLException {
    byte[] body =
        from.first(
            row -> row.getBytes(1),
            "SELECT body FROM snapshot WHERE model = ? AND seq = ? AND "
                + (isBefore(3) ? "0 < ?" : "version = ?"),
            model.id(),
            version.sequence(),
            version.number());
    if (!isReadable(body)) {
      return false;
    }
    to.update(
        "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?)",
        model.id(),
        version.number(),
        model.learner(),
        version.sequence(),
        version.at(),
        version.figures(),
        body);
    return true;
  }

  private static boolean isReadable(byte[] body) {
    try {
      Learning.fromBytes(body, ModelSpec.parse("{}"), 0);
      return true;
    } catch (ModelFileException | RuntimeException damage) {
      return false;
    }
  }

  /** Reads rows in one direction until damage stops it; returns whether it was not stopped. */
  private boolean rows(Store.Entry model, TreeMap<Long, RowStore.Batch> found, boolean isForward) {
    try (PreparedStatement statement =
        from.prepare(
            "SELECT first, last, body FROM batch WHERE model = ? ORDER BY first "
                + (isForward ? "ASC" : "DESC"))) {
      statement.setLong(1, model.id());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          long first = rows.getLong(1);
          if (found.containsKey(first)) {
            return true;
          }
          keep(first, rows.getBytes(3), found);
        }
      }
      return true;
    } catch (SQLException damage) {
      return false;
    }
  }

  private static void keep(long first, byte[] body, TreeMap<Long, RowStore.Batch> found) {
    try {
      found.put(first, new RowStore.Batch(first, RowCodec.decode(body), body.length));
    } catch (DamageException damage) {
      // leaves a gap, which is reported when rows are numbered
    }
  }

  /** Writes the rows; closes gaps after the latest snapshot. Returns the next sequence number. */
  private long number(Store.Entry model, TreeMap<Long, RowStore.Batch> found, long latest)
      throws SQLException {
    long expected = found.isEmpty() ? latest + 1 : Math.min(found.firstKey(), latest + 1);
    long written = expected;
    for (RowStore.Batch batch : found.values()) {
      if (batch.first() > expected) {
        reportGap(model, expected, batch.first() - 1, latest);
      }
      long first = batch.first() <= latest ? batch.first() : Math.max(written, latest + 1);
      long last = first + batch.rows().size() - 1;
      to.update(
          "INSERT INTO batch VALUES (?, ?, ?, ?, ?)",
          model.id(),
          first,
          last,
          0,
          RowCodec.encode(batch.rows()));
      expected = batch.last() + 1;
      written = last + 1;
    }
    long end = Math.max(expected, latest + 1);
    if (model.next() > end) {
      reportGap(model, end, model.next() - 1, latest);
    }
    return Math.max(written, latest + 1);
  }

  private void reportGap(Store.Entry model, long first, long last, long latest) {
    String fate =
        last <= latest ? ", but a snapshot includes them" : "; the model continues without them";
    report(model, "rows " + first + " to " + last + " are lost" + fate);
  }

  /**
   * Copies waiting predictions and known ids and keys, as far as they can be read. Returns the
   * number of predictions.
   */
  private int others(Store.Entry model) {
    int waiting = 0;
    try {
      boolean isOld = isBefore(2);
      String owner = isOld ? ", ''" : ", owner";
      String digest = isOld ? ", NULL" : ", digest";
      waiting =
          copy(
              model,
              "SELECT model, id, at, body, n" + owner + " FROM pending WHERE model = ?",
              "INSERT OR IGNORE INTO pending (model, id, at, body, n, owner) VALUES (?, ?, ?, ?, ?, ?)",
              true);
      to.update(
          "INSERT INTO waiting SELECT model, owner, count(*) FROM pending WHERE model = ? GROUP BY"
              + " owner",
          model.id());
      copy(
          model,
          "SELECT model, id, at, n FROM known WHERE model = ?",
          "INSERT OR IGNORE INTO known (model, id, at, n) VALUES (?, ?, ?, ?)",
          false);
      copy(
          model,
          "SELECT model, key, at, reply, n" + digest + " FROM request WHERE model = ?",
          "INSERT OR IGNORE INTO request (model, key, at, reply, n, digest) VALUES (?, ?, ?, ?, ?, ?)",
          false);
    } catch (SQLException damage) {
      report(
          model, "some pending predictions, ids and idempotency keys cannot be read and are lost");
    }
    return waiting;
  }

  private int copy(Store.Entry model, String select, String insert, boolean hasBody)
      throws SQLException {
    List<Object[]> rows =
        from.all(
            row -> {
              int n = row.getMetaData().getColumnCount();
              Object[] values = new Object[n];
              for (int i = 0; i < n; i++) {
                values[i] = hasBody && i == 3 ? row.getBytes(4) : row.getObject(i + 1);
              }
              values[0] = row.getLong(1);
              values[2] = row.getLong(3);
              return values;
            },
            select,
            model.id());
    for (Object[] values : rows) {
      to.update(insert, values);
    }
    return rows.size();
  }
}
