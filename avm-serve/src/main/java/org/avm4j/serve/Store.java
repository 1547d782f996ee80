package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * The durable state: models, rows in order, predictions that wait for their label, and snapshots,
 * in one SQLite file in a folder that one process owns. Requests that come together share a commit
 * ({@link Committer}); a future completes when the commit is on disk.
 */
final class Store implements Closeable {
  /** Free bytes required, beside those of the failed work, before a full disk is tried again. */
  private static final long PROBE_SPACE = 1 << 20;

  private static final long PROBE_FACTOR = 4;

  private final Path file;
  private final StoreLimits limits;
  private final Clock clock;
  private final FileChannel lockFile;
  private final Database reading;
  private final Committer committer;
  private final VersionStore versions = new VersionStore(this);
  private long lastTime;

  /**
   * A stored learner of a model.
   *
   * @param id the number of the model
   * @param next the sequence number of the model's next row
   * @param champion the pinned version; 0 if the latest state answers
   * @param learner the number of the learner within the model; 0 for the first one
   * @param begun the sequence number before the first row that the learner learns
   * @param isChallenger whether the learner is a challenger, which does not answer
   */
  record Entry(
      long id,
      String name,
      long created,
      long next,
      long champion,
      long learner,
      String spec,
      long begun,
      boolean isChallenger) {
    static final String SELECT =
        "SELECT id, name, learner.created, next, champion, number, spec, begun, challenges FROM"
            + " learner JOIN model ON learner.model = model.id";

    static Entry of(ResultSet row) throws SQLException {
      return new Entry(
          row.getLong(1),
          row.getString(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getString(7),
          row.getLong(8),
          row.getLong(9) != 0);
    }
  }

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

  private Store(
      Path file,
      StoreLimits limits,
      Clock clock,
      FileChannel lock,
      Database writing,
      CommitMarker mark,
      ExecutorService writer)
      throws IOException {
    this.file = file;
    this.limits = limits;
    this.clock = clock;
    lockFile = lock;
    reading = Database.openToRead(file);
    committer = new Committer(writing, mark, writer);
  }

  /** Opens the store of a folder; creates both if they do not exist. */
  static Store open(Path folder, StoreLimits limits, Clock clock) throws IOException {
    return open(folder, limits, clock, Workers.writer());
  }

  /**
   * Opens the store of a folder.
   *
   * @param writer an executor with a single thread, which is shut down with the store
   */
  static Store open(Path folder, StoreLimits limits, Clock clock, ExecutorService writer)
      throws IOException {
    FileChannel lock = StoreFolder.lock(folder);
    try {
      Path file = folder.resolve(StoreFolder.FILE);
      StoreFolder.checkLog(file);
      CommitMarker mark = new CommitMarker(folder.resolve(StoreFolder.MARK));
      Database writing = Database.open(StoreFolder.restrictToOwner(file));
      StoreFolder.check(file, writing, mark);
      writing.markOpen();
      return new Store(file, limits, clock, lock, writing, mark, writer);
    } catch (SQLException wrong) {
      lock.close();
      throw Database.failure(folder.resolve(StoreFolder.FILE), wrong);
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /** Milliseconds since 1970, which never decrease even if the clock does. */
  synchronized long now() {
    lastTime = Math.max(lastTime, clock.millis());
    return lastTime;
  }

  /** The learners of all models by name; a challenger follows the leading learner. */
  List<Entry> models() throws IOException {
    return read(database -> database.all(Entry::of, Entry.SELECT + " ORDER BY name, challenges"));
  }

  /** The learners of models and their versions. */
  VersionStore versions() {
    return versions;
  }

  /** A query. */
  interface Reading<T> {
    T read(Database database) throws SQLException;
  }

  synchronized <T> T read(Reading<T> work) throws IOException {
    try {
      return work.read(reading);
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  /**
   * Passes on all rows after a sequence number up to another, in order; both must end a request.
   *
   * @throws DamageException if rows are missing or damaged
   */
  void replay(long model, long after, long last, Consumer<Batch> into) throws IOException {
    try (Database database = Database.openToRead(file);
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
      throw Database.failure(file, wrong);
    }
  }

  /** The batch that begins with this row; null if it is not in the store. */
  Batch batch(long model, long first) throws IOException {
    byte[] body =
        read(
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
          read(
              database ->
                  database.first(
                      found -> found.getLong(1),
                      "SELECT at FROM batch WHERE model = ? AND first <= ? ORDER BY first DESC LIMIT 1",
                      model,
                      row));
      return at == null ? Double.NaN : Math.max(0, now() - at) / 1e3;
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
    return DamageException.repairable(file + ": the rows from number " + first + " on are damaged");
  }

  /** Limits on how much the store keeps. */
  StoreLimits limits() {
    return limits;
  }

  /** The number of predictions of a model that wait for their label. */
  long pending(long model) throws IOException {
    return read(database -> database.number("SELECT pending FROM model WHERE id = ?", model));
  }

  /** The number of waiting predictions by model; empty if the store cannot be read. */
  Map<Long, Long> pending() {
    Map<Long, Long> all = new HashMap<>();
    try {
      read(
          database ->
              database.all(
                  row -> all.put(row.getLong(1), row.getLong(2)), "SELECT id, pending FROM model"));
    } catch (IOException unknown) {
      // a missing figure does no harm
    }
    return all;
  }

  /** Adds a model; a snapshot that is not null becomes its first version. */
  CompletableFuture<Entry> create(String name, String spec, byte[] snapshot) {
    return committer.submit(
        spec.length(),
        database -> {
          if (database.number("SELECT count(*) FROM model WHERE name = ?", name) > 0) {
            throw new Problem(409, "the model '" + name + "' exists already");
          }
          long now = now();
          database.update("INSERT INTO model (name, created, next) VALUES (?, ?, 1)", name, now);
          long id = database.number("SELECT id FROM model WHERE name = ?", name);
          database.update("INSERT INTO learner VALUES (?, 0, ?, ?, 0, 0)", id, spec, now);
          if (snapshot != null) {
            new VersionTransaction(database, id, now).add(0, 0, "{}", snapshot, limits);
          }
          return new Entry(id, name, now, 1, 0, 0, spec, 0, false);
        },
        entry -> {});
  }

  /** Deletes a model with all its data. */
  CompletableFuture<Boolean> delete(long model) {
    return committer.submit(
        0,
        database -> {
          for (String table :
              List.of("batch", "snapshot", "learner", "pending", "waiting", "known", "request")) {
            database.update("DELETE FROM " + table + " WHERE model = ?", model);
          }
          return database.update("DELETE FROM model WHERE id = ?", model) > 0;
        },
        done -> {});
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
    return commit(
        model,
        all.length,
        transaction -> {
          Receipt before = transaction.repeated(request);
          if (before != null) {
            return before;
          }
          List<ServedRow> fresh = transaction.withNewIds(rows);
          byte[] body = fresh.size() == rows.size() ? all : RowCodec.encode(fresh);
          Batch batch = transaction.write(fresh, body);
          return transaction.receipt(request, batch, rows.size() - fresh.size(), List.of());
        },
        receipt -> deliver(receipt, committed));
  }

  /** Part of a transaction on one model. */
  private interface Operation<T> {
    T run(ModelTransaction transaction) throws SQLException;
  }

  private <T> CompletableFuture<T> commit(
      long model, long bytes, Operation<T> work, Consumer<T> committed) {
    return commit(
        bytes, database -> work.run(new ModelTransaction(database, model, now())), committed);
  }

  /** Commits work for a client. */
  <T> CompletableFuture<T> commit(long bytes, Committer.Work<T> work, Consumer<T> committed) {
    return committer.submit(bytes, work, committed);
  }

  /** Commits work of the service itself. */
  <T> CompletableFuture<T> commitOwn(long bytes, Committer.Work<T> work) {
    return committer.submitOwn(bytes, work, done -> {});
  }

  private static void deliver(Receipt receipt, Consumer<Batch> committed) {
    if (!receipt.isRepeated()) {
      deliver(receipt.batch(), committed);
    }
  }

  private static void deliver(Batch batch, Consumer<Batch> committed) {
    if (batch != null && !batch.rows().isEmpty()) {
      committed.accept(batch);
    }
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
    return commit(
        model,
        64L * labels.size(),
        transaction -> {
          Receipt before = transaction.repeated(request);
          return before == null ? transaction.label(request, labels) : before;
        },
        receipt -> deliver(receipt, committed));
  }

  /**
   * Deletes waiting predictions that are too old, and ids and keys that are too old or too many.
   *
   * @param observed receives predictions whose label never came, which are learned without one;
   *     null if the model does not take such rows
   */
  CompletableFuture<Batch> prune(long model, Consumer<Batch> observed) {
    return committer.submitOwn(
        0,
        database -> new ModelTransaction(database, model, now()).prune(limits, observed != null),
        dropped -> deliver(dropped, observed));
  }

  /** The folder of the store. */
  Path folder() {
    return file.toAbsolutePath().getParent();
  }

  /** The bytes of the store and of its write-ahead log. */
  long bytes() {
    return size(file) + size(Path.of(file + "-wal"));
  }

  private static long size(Path path) {
    try {
      return Files.exists(path) ? Files.size(path) : 0;
    } catch (IOException unknown) {
      return 0;
    }
  }

  /** The number of pieces of work that wait to be committed. */
  int queued() {
    return committer.queued();
  }

  /** The number of commits since the store was opened. */
  long commits() {
    return committer.commits();
  }

  /** Whether the last work of a client could not be written because the disk was full. */
  boolean isFull() {
    return committer.isFull();
  }

  /** Tries to write again, if the disk was full and has space now. */
  void probeIfFull() {
    if (isFull() && diskFree() > PROBE_SPACE + PROBE_FACTOR * committer.needed()) {
      committer.submit(0, database -> null, done -> {});
    }
  }

  /** The free bytes on the disk of the store; 0 if unknown. */
  long diskFree() {
    try {
      return Files.getFileStore(folder()).getUsableSpace();
    } catch (IOException unknown) {
      return 0;
    }
  }

  /** The size of the disk of the store in bytes; 0 if unknown. */
  long diskTotal() {
    try {
      return Files.getFileStore(folder()).getTotalSpace();
    } catch (IOException unknown) {
      return 0;
    }
  }

  /** Commits accepted work, then closes the store and unlocks the folder. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      reading.close();
    }
    committer.close();
    lockFile.close();
  }
}
