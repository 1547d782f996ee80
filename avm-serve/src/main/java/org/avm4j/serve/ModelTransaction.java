package org.avm4j.serve;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.serve.RowStore.Batch;
import org.avm4j.serve.RowStore.Labelled;
import org.avm4j.serve.RowStore.Receipt;
import org.avm4j.serve.RowStore.Request;

/**
 * The reads and writes of one database transaction on one model: its rows in order, the known ids
 * and keys, and the predictions that wait for their label.
 */
final class ModelTransaction {
  /** Maximum number of predictions that become rows without a label in one transaction. */
  private static final int MOST_OBSERVED = 500;

  private static final long MOST_BYTES_OBSERVED = 1 << 20;

  private final Database database;
  private final long model;
  private final long now;

  ModelTransaction(Database database, long model, long now) {
    this.database = database;
    this.model = model;
    this.now = now;
  }

  /** A stored request; the digest is null if an earlier version wrote it. */
  private record StoredRequest(String reply, byte[] digest) {
    boolean isOf(Request request) {
      return digest == null || Arrays.equals(digest, request.digest());
    }
  }

  /** The receipt of an earlier request with the same key; null if the key is new or null. */
  Receipt repeated(Request request) throws SQLException {
    if (request == null) {
      return null;
    }
    StoredRequest own = stored(request.storedKey());
    if (own != null && !own.isOf(request)) {
      throw Problem.refused(
          "this Idempotency-Key was already used for a different request; nothing in this one was"
              + " learned");
    }
    StoredRequest stored = own == null ? withoutOwner(request) : own;
    return stored == null ? null : receipt(stored);
  }

  private StoredRequest stored(String key) throws SQLException {
    return database.first(
        row -> new StoredRequest(row.getString(1), row.getBytes(2)),
        "SELECT reply, digest FROM request WHERE model = ? AND key = ?",
        model,
        key);
  }

  /**
   * The same request without an owner: from a time without tokens, or from an earlier version,
   * which shared keys among all callers. Null if there is none.
   */
  private StoredRequest withoutOwner(Request request) throws SQLException {
    StoredRequest found = request.owner().isEmpty() ? null : stored(request.key());
    return found != null && found.isOf(request) ? found : null;
  }

  private static Receipt receipt(StoredRequest stored) {
    String[] parts = stored.reply.split(" ");
    long first = Long.parseLong(parts[0]);
    long last = Long.parseLong(parts[1]);
    List<ServedRow> none = Collections.nCopies((int) (last - first + 1), null);
    return new Receipt(
        new Batch(first, none, 0), last, Integer.parseInt(parts[2]), List.of(), true);
  }

  /** Makes the receipt of a request, and stores it if the request has a key. */
  Receipt receipt(Request request, Batch batch, int duplicates, List<String> unknown)
      throws SQLException {
    if (request != null) {
      database.update(
          "INSERT INTO request (model, key, at, reply, digest) VALUES (?, ?, ?, ?, ?)",
          model,
          request.storedKey(),
          now,
          batch.first() + " " + batch.last() + " " + duplicates,
          request.digest());
    }
    return new Receipt(batch, batch.last(), duplicates, unknown, false);
  }

  /** The rows that have no id or a new one; new ids are recorded. */
  List<ServedRow> withNewIds(List<ServedRow> rows) throws SQLException {
    if (rows.stream().allMatch(row -> row.id() == null)) {
      return rows;
    }
    List<ServedRow> fresh = new ArrayList<>();
    for (ServedRow row : rows) {
      if (row.id() == null || recordId(row.id())) {
        fresh.add(row);
      }
    }
    return fresh;
  }

  /** Records an id; returns whether it is new. */
  private boolean recordId(String id) throws SQLException {
    return database.update(
            "INSERT OR IGNORE INTO known (model, id, at) VALUES (?, ?, ?)", model, id, now)
        > 0;
  }

  private boolean isKnown(String id) throws SQLException {
    return database.number("SELECT count(*) FROM known WHERE model = ? AND id = ?", model, id) > 0;
  }

  /** Appends rows to the model, and returns them with their sequence numbers. */
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

  /**
   * Stores an answered row until its label arrives, unless a row with its id was learned before.
   * Puts the stored row into {@code kept}; if a row with this id waits already, that one stays. It
   * is an error if that row belongs to another owner, so that nobody gets the answer to the row of
   * another caller.
   */
  void keep(ServedRow row, byte[] body, String owner, Map<String, ServedRow> kept)
      throws SQLException {
    if (isKnown(row.id())) {
      return;
    }
    Waiting before = waiting(row.id());
    if (before == null) {
      database.update(
          "INSERT INTO pending (model, id, at, body, owner) VALUES (?, ?, ?, ?, ?)",
          model,
          row.id(),
          now,
          body,
          owner);
      count(owner, 1);
    } else if (!before.owner.isEmpty() && !owner.isEmpty() && !before.owner.equals(owner)) {
      throw new Problem(
              409, "a row with this id, sent with another token, is waiting for its label")
          .with("id", row.id());
    }
    kept.put(row.id(), before == null ? row : before.row);
  }

  /**
   * Drops the oldest predictions of an owner if more of them wait than are allowed.
   *
   * @param isObserved whether dropped predictions are written as rows without a label
   * @return the rows that were written; null if none
   */
  Batch dropExcess(String owner, int most, boolean isObserved) throws SQLException {
    long waiting =
        database.number("SELECT n FROM waiting WHERE model = ? AND owner = ?", model, owner);
    if (waiting <= most) {
      return null;
    }
    String oldest = "FROM pending WHERE model = ? AND owner = ? ORDER BY n LIMIT ?";
    Batch written = isObserved ? observe(oldest, model, owner, waiting - most) : null;
    int dropped =
        database.update(
            "DELETE FROM pending WHERE n IN (SELECT n " + oldest + ")",
            model,
            owner,
            waiting - most);
    count(owner, -dropped);
    return written;
  }

  /**
   * Appends waiting predictions as rows without a label. It skips predictions that cannot be read,
   * whose row was learned meanwhile, or that exceed the limits of one transaction.
   *
   * @return the rows that were written; null if none
   */
  private Batch observe(String which, Object... values) throws SQLException {
    List<byte[]> bodies =
        database.all(
            row -> row.getBytes(1),
            "SELECT body FROM pending WHERE n IN (SELECT n "
                + which
                + ") AND NOT EXISTS (SELECT 1 FROM known WHERE known.model = pending.model AND"
                + " known.id = pending.id) ORDER BY n LIMIT "
                + MOST_OBSERVED,
            values);
    List<ServedRow> rows = new ArrayList<>();
    long bytes = 0;
    for (byte[] body : bodies) {
      bytes += body.length;
      if (bytes <= MOST_BYTES_OBSERVED) {
        decodeIfReadable(body).ifPresent(rows::add);
      }
    }
    return rows.isEmpty() ? null : write(rows, RowCodec.encode(rows));
  }

  private static Optional<ServedRow> decodeIfReadable(byte[] body) {
    try {
      return Optional.of(RowCodec.decode(body).get(0));
    } catch (DamageException damage) {
      return Optional.empty();
    }
  }

  /** Changes the number of waiting predictions of an owner. */
  private void count(String owner, int change) throws SQLException {
    database.update(
        "INSERT INTO waiting VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
        model,
        owner,
        change);
    database.update("UPDATE model SET pending = pending + ? WHERE id = ?", change, model);
  }

  /** A prediction that waits for its label. */
  private record Waiting(ServedRow row, String owner) {}

  /** The waiting prediction of this id; null if there is none. */
  private Waiting waiting(String id) throws SQLException {
    return database.first(
        row -> new Waiting(decoded(row.getBytes(1), id), row.getString(2)),
        "SELECT body, owner FROM pending WHERE model = ? AND id = ?",
        model,
        id);
  }

  private static ServedRow decoded(byte[] body, String id) {
    try {
      return RowCodec.decode(body).get(0);
    } catch (DamageException damage) {
      throw new Problem(500, "a stored prediction is damaged: id " + id);
    }
  }

  /** Appends waiting predictions with the labels that arrived for them. */
  Receipt label(Request request, List<Labelled> labels) throws SQLException {
    List<ServedRow> rows = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    Map<String, String> done = new LinkedHashMap<>();
    int duplicates = 0;
    for (Labelled labelled : labels) {
      Waiting waiting = waiting(labelled.id());
      if (waiting != null && done.putIfAbsent(labelled.id(), waiting.owner) == null) {
        rows.add(waiting.row.labelled(labelled.label(), labelled.weight()));
      } else if (waiting != null || isKnown(labelled.id())) {
        duplicates++;
      } else {
        unknown.add(labelled.id());
      }
    }
    for (Map.Entry<String, String> each : done.entrySet()) {
      database.update("DELETE FROM pending WHERE model = ? AND id = ?", model, each.getKey());
      count(each.getValue(), -1);
      recordId(each.getKey());
    }
    return receipt(request, write(rows, RowCodec.encode(rows)), duplicates, unknown);
  }

  /**
   * Deletes waiting predictions that are too old, and ids and keys that are too old or too many.
   *
   * @param isObserved whether deleted predictions are written as rows without a label
   * @return the rows that were written; null if none
   */
  Batch prune(StoreLimits limits, boolean isObserved) throws SQLException {
    Batch written = dropOld(limits.pendingAge().toMillis(), isObserved);
    prune("known", limits);
    prune("request", limits);
    return written;
  }

  /** Drops predictions older than {@code age} milliseconds, and recounts the rest. */
  private Batch dropOld(long age, boolean isObserved) throws SQLException {
    long first = firstOf("FROM pending WHERE at BETWEEN ? AND ?", now - age, now + age);
    String old =
        "FROM pending WHERE n < ? AND +model = ?"; // the + keeps SQLite from using the index by
    // model
    Batch written = isObserved ? observe(old, first, model) : null;
    int dropped = database.update("DELETE " + old, first, model);
    if (dropped > 0) {
      database.update("DELETE FROM waiting WHERE model = ?", model);
      database.update(
          "INSERT INTO waiting SELECT model, owner, count(*) FROM pending WHERE model = ? GROUP BY"
              + " owner",
          model);
      database.update("UPDATE model SET pending = pending - ? WHERE id = ?", dropped, model);
    }
    return written;
  }

  private void prune(String table, StoreLimits limits) throws SQLException {
    long newest =
        database.number("SELECT coalesce(max(n), 0) FROM " + table + " WHERE model = ?", model);
    long age = limits.idAge().toMillis();
    long first =
        firstOf(
            "FROM " + table + " WHERE model = ? AND n > ? AND at BETWEEN ? AND ?",
            model,
            newest - limits.ids(),
            now - age,
            now + age);
    database.update("DELETE FROM " + table + " WHERE model = ? AND n < ?", model, first);
  }

  /**
   * The number of the first entry to keep. All later entries are kept, because they are numbered in
   * order of time. Callers exclude times too far in the future, which come from a wrong clock.
   */
  private long firstOf(String kept, Object... values) throws SQLException {
    Long first =
        database.first(row -> row.getLong(1), "SELECT n " + kept + " ORDER BY n LIMIT 1", values);
    return first == null ? Long.MAX_VALUE : first;
  }
}
