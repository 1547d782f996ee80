package org.avm4j.serve;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.serve.Store.Batch;
import org.avm4j.serve.Store.Labelled;
import org.avm4j.serve.Store.Receipt;
import org.avm4j.serve.Store.Snapshot;

/**
 * What a transaction does for one model: its rows in order, the ids and keys that are known, the
 * predictions that wait for their label, and its snapshots.
 */
final class Ledger {
  private final Database database;
  private final long model;
  private final long now;

  Ledger(Database database, long model, long now) {
    this.database = database;
    this.model = model;
    this.now = now;
  }

  /** The receipt of a request whose key is known, null if it is new. */
  Receipt repeated(String key) throws SQLException {
    String reply =
        key == null
            ? null
            : database.first(
                row -> row.getString(1),
                "SELECT reply FROM request WHERE model = ? AND key = ?",
                model,
                key);
    if (reply == null) {
      return null;
    }
    String[] parts = reply.split(" ");
    long first = Long.parseLong(parts[0]);
    long last = Long.parseLong(parts[1]);
    List<ServedRow> none = Collections.nCopies((int) (last - first + 1), null);
    return new Receipt(
        new Batch(first, none, 0), last, Integer.parseInt(parts[2]), List.of(), true);
  }

  /** The receipt of a request, which is remembered if it has a key. */
  Receipt noted(String key, Batch batch, int duplicates, List<String> unknown) throws SQLException {
    if (key != null) {
      database.update(
          "INSERT INTO request (model, key, at, reply) VALUES (?, ?, ?, ?)",
          model,
          key,
          now,
          batch.first() + " " + batch.last() + " " + duplicates);
    }
    return new Receipt(batch, batch.last(), duplicates, unknown, false);
  }

  /** The rows whose id is new; their ids are known from now on. */
  List<ServedRow> fresh(List<ServedRow> rows) throws SQLException {
    if (rows.stream().allMatch(row -> row.id() == null)) {
      return rows;
    }
    List<ServedRow> fresh = new ArrayList<>();
    for (ServedRow row : rows) {
      if (row.id() == null || know(row.id())) {
        fresh.add(row);
      }
    }
    return fresh;
  }

  /** Remembers an id; whether it is new. */
  private boolean know(String id) throws SQLException {
    return database.update(
            "INSERT OR IGNORE INTO known (model, id, at) VALUES (?, ?, ?)", model, id, now)
        > 0;
  }

  private boolean isKnown(String id) throws SQLException {
    return database.number("SELECT count(*) FROM known WHERE model = ? AND id = ?", model, id) > 0;
  }

  /** Writes rows after those that are there. */
  Batch write(List<ServedRow> rows, byte[] body) throws SQLException {
    long first = database.number("SELECT next FROM model WHERE id = ?", model);
    if (first == 0) {
      throw new Problem(404, "the model was deleted");
    }
    Batch batch = new Batch(first, rows, body.length);
    if (!rows.isEmpty()) {
      database.update(
          "INSERT INTO batch VALUES (?, ?, ?, ?, ?)", model, first, batch.last(), now, body);
      database.update("UPDATE model SET next = ? WHERE id = ?", batch.last() + 1, model);
    }
    return batch;
  }

  /** Keeps a row that was answered, unless its id is known; tells the row that is kept. */
  void keep(ServedRow row, byte[] body, Map<String, ServedRow> kept) throws SQLException {
    if (isKnown(row.id())) {
      return;
    }
    int added =
        database.update(
            "INSERT OR IGNORE INTO pending (model, id, at, body) VALUES (?, ?, ?, ?)",
            model,
            row.id(),
            now,
            body);
    database.update("UPDATE model SET pending = pending + ? WHERE id = ?", added, model);
    kept.put(row.id(), added > 0 ? row : waiting(row.id()));
  }

  /** Takes the oldest predictions away where more wait than may. */
  void dropExcess(int most) throws SQLException {
    long excess = database.number("SELECT pending FROM model WHERE id = ?", model) - most;
    if (excess > 0) {
      drop(
          "DELETE FROM pending WHERE n IN (SELECT n FROM pending WHERE model = ? ORDER BY n LIMIT ?)",
          excess);
    }
  }

  /** Takes predictions away that wait, and counts them. */
  private int drop(String sql, Object value) throws SQLException {
    int dropped = database.update(sql, model, value);
    database.update("UPDATE model SET pending = pending - ? WHERE id = ?", dropped, model);
    return dropped;
  }

  /** The prediction of this id that waits, null where there is none. */
  private ServedRow waiting(String id) throws SQLException {
    byte[] body =
        database.first(
            row -> row.getBytes(1),
            "SELECT body FROM pending WHERE model = ? AND id = ?",
            model,
            id);
    try {
      return body == null ? null : RowCodec.decode(body).get(0);
    } catch (DamageException damage) {
      throw new Problem(500, "a prediction that was kept is damaged: id " + id);
    }
  }

  /** Completes predictions by their labels, and writes them. */
  Receipt label(String key, List<Labelled> labels) throws SQLException {
    List<ServedRow> rows = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    Set<String> done = new HashSet<>();
    int duplicates = 0;
    for (Labelled labelled : labels) {
      ServedRow row = waiting(labelled.id());
      if (row != null && done.add(labelled.id())) {
        rows.add(row.labelled(labelled.label(), labelled.weight()));
      } else if (row != null || isKnown(labelled.id())) {
        duplicates++;
      } else {
        unknown.add(labelled.id());
      }
    }
    for (String id : done) {
      drop("DELETE FROM pending WHERE model = ? AND id = ?", id);
      know(id);
    }
    return noted(key, write(rows, RowCodec.encode(rows)), duplicates, unknown);
  }

  /** Adds a snapshot, keeps the one before it, and takes away the rows that both hold. */
  Snapshot snapshot(long sequence, byte[] body, StoreLimits limits) throws SQLException {
    database.update(
        "INSERT OR REPLACE INTO snapshot SELECT id, ?, ?, ? FROM model WHERE id = ?",
        sequence,
        now,
        body,
        model);
    long oldest =
        database.number(
            "SELECT seq FROM snapshot WHERE model = ? ORDER BY seq DESC LIMIT 1 OFFSET 1", model);
    database.update("DELETE FROM snapshot WHERE model = ? AND seq < ?", model, oldest);
    database.update(
        "DELETE FROM batch WHERE model = ? AND last <= ? AND at <= ?",
        model,
        oldest,
        now - limits.rows().toMillis());
    return new Snapshot(sequence, now, null);
  }

  /** Forgets predictions, ids and keys that are too old or too many. */
  int prune(StoreLimits limits) throws SQLException {
    long oldest = now - limits.pendingAge().toMillis();
    return drop("DELETE FROM pending WHERE model = ? AND at < ?", oldest)
        + prune("known", limits)
        + prune("request", limits);
  }

  private int prune(String table, StoreLimits limits) throws SQLException {
    long newest =
        database.number("SELECT coalesce(max(n), 0) FROM " + table + " WHERE model = ?", model);
    return database.update(
        "DELETE FROM " + table + " WHERE model = ? AND (n <= ? OR at < ?)",
        model,
        newest - limits.ids(),
        now - limits.idAge().toMillis());
  }
}
