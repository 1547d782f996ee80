package org.avm4j.serve;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The part of the store that holds rows: those of models in order, and answered ones that wait for
 * their label.
 */
final class RowStore {
  private final Store store;

  /**
   * Rows that are on disk.
   *
   * @param first the sequence number of the first row
   * @param bytes the size of the rows on disk
   */
  record Batch(long first, List<ServedRow> rows, long bytes) {
    long last() {
      return first + rows.size() - 1;
    }
  }

  /**
   * The result of a write.
   *
   * @param batch the new rows
   * @param sequence the last sequence number of the model
   * @param duplicates the number of rows or labels whose id was known already
   * @param unknown ids of labels for which no prediction waits
   * @param isRepeated whether a request with this key was stored before
   */
  record Receipt(
      Batch batch, long sequence, int duplicates, List<String> unknown, boolean isRepeated) {}

  /**
   * A request with an idempotency key.
   *
   * @param owner the caller whose key it is; empty if no tokens are required
   * @param key the client's key, which has no line break because headers have none
   * @param digest the {@link Fingerprint} of its content
   */
  record Request(String owner, String key, byte[] digest) {
    /** The key in the store, which is different for each owner. */
    String storedKey() {
      return owner.isEmpty() ? key : owner + "\n" + key;
    }
  }

  /** A label for a prediction that was given earlier. */
  record Labelled(String id, Object label, double weight) {}

  RowStore(Store store) {
    this.store = store;
  }

  /**
   * Passes on all rows after a sequence number up to another, in order; both must end a request.
   *
   * @throws DamageException if rows are missing or damaged
   */
  void replay(long model, long after, long last, Consumer<Batch> into) throws IOException {
    try (Database database = Database.openToRead(store.file());
        PreparedStatement statement =
            database.prepare(
                "SELECT first, last, body FROM batch WHERE model = ? AND first > ? AND first"
                    + " <= ? ORDER BY first")) {
      statement.setLong(1, model);
      statement.setLong(2, after);
      statement.setLong(3, last);
      long next = after + 1;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          byte[] body = rows.getBytes(3);
          Batch batch = new Batch(rows.getLong(1), rows(body, rows.getLong(1)), body.length);
          if (batch.first() != next || batch.last() != rows.getLong(2)) {
            throw damagedRows(next);
          }
          into.accept(batch);
          next = batch.last() + 1;
        }
      }
      if (next != last + 1) {
        throw damagedRows(next);
      }
    } catch (SQLException wrong) {
      throw Database.failure(store.file(), wrong);
    }
  }

  /** The batch that begins with this row; null if it is not in the store. */
  Batch batch(long model, long first) throws IOException {
    byte[] body =
        store.read(
            database ->
                database.first(
                    row -> row.getBytes(1),
                    "SELECT body FROM batch WHERE model = ? AND first = ?",
                    model,
                    first));
    return body == null ? null : new Batch(first, rows(body, first), body.length);
  }

  /** Seconds since a row was written; NaN if the store cannot be read. */
  double secondsSinceWritten(long model, long row) {
    try {
      Long at =
          store.read(
              database ->
                  database.first(
                      found -> found.getLong(1),
                      "SELECT at FROM batch WHERE model = ? AND first <= ? ORDER BY first DESC LIMIT 1",
                      model,
                      row));
      return at == null ? Double.NaN : Math.max(0, store.now() - at) / 1e3;
    } catch (IOException unknown) {
      return Double.NaN;
    }
  }

  private List<ServedRow> rows(byte[] body, long first) throws IOException {
    try {
      return RowCodec.decode(body);
    } catch (DamageException damage) {
      throw damagedRows(first);
    }
  }

  private DamageException damagedRows(long first) {
    return DamageException.repairable(
        store.file() + ": the rows from number " + first + " on are damaged");
  }

  /** The number of predictions of a model that wait for their label. */
  long pending(long model) throws IOException {
    return store.read(database -> database.number("SELECT pending FROM model WHERE id = ?", model));
  }

  /** The number of waiting predictions by model; empty if the store cannot be read. */
  Map<Long, Long> pending() {
    Map<Long, Long> all = new HashMap<>();
    try {
      store.read(
          database ->
              database.all(
                  row -> all.put(row.getLong(1), row.getLong(2)), "SELECT id, pending FROM model"));
    } catch (IOException unknown) {
      // a missing figure does no harm
    }
    return all;
  }

  /**
   * Appends rows. Rows whose id is known are left out; a request whose key is known changes
   * nothing.
   *
   * @param request the key and digest of the request; null if it has no key
   * @param committed called with the new rows, in the order of sequence numbers, before the future
   *     completes
   */
  CompletableFuture<Receipt> append(
      long model, Request request, List<ServedRow> rows, Consumer<Batch> committed) {
    byte[] all = RowCodec.encode(rows);
    return commitOnce(
        model,
        request,
        all.length,
        transaction -> {
          List<ServedRow> fresh = transaction.withNewIds(rows);
          byte[] body = fresh.size() == rows.size() ? all : RowCodec.encode(fresh);
          Batch batch = transaction.write(fresh, body);
          return transaction.receipt(request, batch, rows.size() - fresh.size(), List.of());
        },
        committed);
  }

  /**
   * Keeps answered rows until their labels come. If a row with the same id waits already, it stays,
   * with its answer.
   *
   * @param owner the caller whose rows they are
   * @param quota the number of rows of this owner that may wait; beyond it the oldest are dropped
   * @param observed receives the dropped rows, which are learned without a label; null if the model
   *     does not take such rows
   * @return by id, the row that waits
   */
  CompletableFuture<Map<String, ServedRow>> keep(
      long model, String owner, int quota, List<ServedRow> answered, Consumer<Batch> observed) {
    List<byte[]> bodies = answered.stream().map(row -> RowCodec.encode(List.of(row))).toList();
    long bytes = bodies.stream().mapToLong(body -> body.length).sum();
    return commit(
            model,
            bytes,
            transaction -> {
              Map<String, ServedRow> kept = new LinkedHashMap<>();
              for (int i = 0; i < bodies.size(); i++) {
                transaction.keep(answered.get(i), bodies.get(i), owner, kept);
              }
              return new Kept(kept, transaction.dropExcess(owner, quota, observed != null));
            },
            kept -> deliver(kept.dropped, observed))
        .thenApply(Kept::rows);
  }

  /** Rows that wait for their label, and dropped rows that are learned without one. */
  private record Kept(Map<String, ServedRow> rows, Batch dropped) {}

  /** Appends the rows of waiting predictions with the labels that arrived for them. */
  CompletableFuture<Receipt> label(
      long model, Request request, List<Labelled> labels, Consumer<Batch> committed) {
    return commitOnce(
        model,
        request,
        64L * labels.size(),
        transaction -> transaction.label(request, labels),
        committed);
  }

  /**
   * Deletes waiting predictions that are too old, and ids and keys that are too old or too many.
   *
   * @param observed receives predictions whose label never came, which are learned without one;
   *     null if the model does not take such rows
   */
  CompletableFuture<Batch> prune(long model, Consumer<Batch> observed) {
    return store
        .committer()
        .submitOwn(
            0,
            database ->
                new ModelTransaction(database, model, store.now())
                    .prune(store.limits(), observed != null),
            dropped -> deliver(dropped, observed));
  }

  /** Part of a transaction on one model. */
  private interface Operation<T> {
    T run(ModelTransaction transaction) throws SQLException;
  }

  /** Commits the work of a request, unless a request with its key was stored before. */
  private CompletableFuture<Receipt> commitOnce(
      long model, Request request, long bytes, Operation<Receipt> work, Consumer<Batch> committed) {
    return commit(
        model,
        bytes,
        transaction -> {
          Receipt before = transaction.repeated(request);
          return before == null ? work.run(transaction) : before;
        },
        receipt -> deliver(receipt.isRepeated() ? null : receipt.batch(), committed));
  }

  private <T> CompletableFuture<T> commit(
      long model, long bytes, Operation<T> work, Consumer<T> committed) {
    return store
        .committer()
        .submit(
            bytes,
            database -> work.run(new ModelTransaction(database, model, store.now())),
            committed);
  }

  /** Passes on new rows; null for none. */
  private static void deliver(Batch batch, Consumer<Batch> committed) {
    if (batch != null && !batch.rows().isEmpty()) {
      committed.accept(batch);
    }
  }
}
