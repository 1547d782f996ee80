package org.avm4j.serve;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.avm4j.codec.ModelFileException;

/**
 * Copies what can be read of one model from a damaged store into a new one. The model keeps what it
 * learned from unreadable rows if a snapshot holds them; otherwise it continues without them, and
 * later rows are renumbered.
 *
 * @param format the version of the tables in the damaged store
 * @param report receives a sentence for each loss, and the last row
 */
record ModelRepair(
    Database from, Database to, long format, Store.Entry model, Consumer<String> report) {
  /** Copies the model, unless it is a challenger. */
  void run() throws SQLException, DamageException {
    if (model.isChallenger()) {
      tell("its challenger is lost");
      return;
    }
    long latest = snapshots();
    TreeMap<Long, RowStore.Batch> found = new TreeMap<>();
    boolean isWhole = rows(found, true) || rows(found, false);
    long next = number(found, latest);
    to.update(
        "INSERT INTO model (id, name, created, next, learners) VALUES (?, ?, ?, ?, ?)",
        model.id(),
        model.name(),
        model.created(),
        next,
        format < 3 ? 1 : from.number("SELECT learners FROM model WHERE id = ?", model.id()));
    to.update(
        "INSERT INTO learner VALUES (?, ?, ?, ?, ?, 0)",
        model.id(),
        model.learner(),
        model.spec(),
        model.created(),
        model.begun());
    pin();
    int others = others();
    if (!isWhole) {
      tell("some of its rows cannot be read");
    }
    tell("its last row is number " + (next - 1));
    to.update("UPDATE model SET pending = ? WHERE id = ?", others, model.id());
  }

  private void tell(String fact) {
    report.accept("model '" + model.name() + "': " + fact);
  }

  /** Sets the number of the last version, and keeps the pin if the pinned version was saved. */
  private void pin() throws SQLException {
    to.update(
        "UPDATE model SET versions = (SELECT coalesce(max(version), 0) FROM snapshot WHERE"
            + " snapshot.model = model.id), champion = (SELECT coalesce(max(version), 0) FROM"
            + " snapshot WHERE snapshot.model = model.id AND version = ?) WHERE id = ?",
        model.champion(),
        model.id());
    if (model.champion() > 0
        && to.number("SELECT champion FROM model WHERE id = ?", model.id()) == 0) {
      tell("the pinned version is lost; the latest version is used for predictions again");
    }
  }

  /** Copies readable snapshots; returns the last row that they hold, {@code begun} for none. */
  private long snapshots() throws DamageException {
    long latest = model.begun();
    try {
      List<Version> all =
          from.all(
              row -> new Version(row.getLong(1), row.getLong(2), row.getLong(3), row.getString(4)),
              format < 3
                  ? "SELECT row_number() OVER (ORDER BY seq), seq, at, '{}' FROM snapshot WHERE model"
                      + " = ? AND 0 = ? ORDER BY seq"
                  : "SELECT version, seq, at, figures FROM snapshot WHERE model = ? AND learner = ?"
                      + " ORDER BY version",
              model.id(),
              model.learner());
      for (Version version : all) {
        if (copy(version)) {
          latest = version.sequence();
        } else {
          tell("the snapshot at row " + version.sequence() + " is damaged and lost");
        }
      }
    } catch (SQLException gone) {
      tell("its snapshots cannot be read and are lost");
    }
    return latest;
  }

  /** Copies a snapshot; returns whether it could be read. */
  private boolean copy(Version version) throws SQLException, DamageException {
    byte[] body =
        from.first(
            row -> row.getBytes(1),
            "SELECT body FROM snapshot WHERE model = ? AND seq = ? AND "
                + (format < 3 ? "0 < ?" : "version = ?"),
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

  private boolean isReadable(byte[] body) throws DamageException {
    try {
      Learning.fromBytes(body, ModelSpec.parse("{}"), 0);
      return true;
    } catch (ModelFileException unreadable) {
      Recovery.checkNotLater(model, unreadable);
      return false;
    } catch (RuntimeException damage) {
      return false;
    }
  }

  /** Reads rows in one direction until damage stops it; returns whether it was not stopped. */
  private boolean rows(TreeMap<Long, RowStore.Batch> found, boolean isForward) {
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
  private long number(TreeMap<Long, RowStore.Batch> found, long latest) throws SQLException {
    long expected = found.isEmpty() ? latest + 1 : Math.min(found.firstKey(), latest + 1);
    long written = expected;
    for (RowStore.Batch batch : found.values()) {
      if (batch.first() > expected) {
        reportGap(expected, batch.first() - 1, latest);
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
      reportGap(end, model.next() - 1, latest);
    }
    return Math.max(written, latest + 1);
  }

  private void reportGap(long first, long last, long latest) {
    String fate =
        last <= latest ? ", but a snapshot includes them" : "; the model continues without them";
    tell("rows " + first + " to " + last + " are lost" + fate);
  }

  /**
   * Copies waiting predictions and known ids and keys, as far as they can be read. Returns the
   * number of predictions.
   */
  private int others() {
    int waiting = 0;
    try {
      boolean isOld = format < 2;
      String owner = isOld ? ", ''" : ", owner";
      String digest = isOld ? ", NULL" : ", digest";
      waiting =
          copy(
              "SELECT model, id, at, body, n" + owner + " FROM pending WHERE model = ?",
              "INSERT OR IGNORE INTO pending (model, id, at, body, n, owner) VALUES (?, ?, ?, ?, ?, ?)",
              true);
      to.update(
          "INSERT INTO waiting SELECT model, owner, count(*) FROM pending WHERE model = ? GROUP BY"
              + " owner",
          model.id());
      copy(
          "SELECT model, id, at, n FROM known WHERE model = ?",
          "INSERT OR IGNORE INTO known (model, id, at, n) VALUES (?, ?, ?, ?)",
          false);
      copy(
          "SELECT model, key, at, reply, n" + digest + " FROM request WHERE model = ?",
          "INSERT OR IGNORE INTO request (model, key, at, reply, n, digest) VALUES (?, ?, ?, ?, ?, ?)",
          false);
    } catch (SQLException damage) {
      tell("some pending predictions, ids and idempotency keys cannot be read and are lost");
    }
    return waiting;
  }

  private int copy(String select, String insert, boolean hasBody) throws SQLException {
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
