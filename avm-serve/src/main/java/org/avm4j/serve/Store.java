package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * All that must survive: models, rows in order, predictions that wait for their label, snapshots.
 * One SQLite file in a folder that one process owns. Requests that come together share a commit
 * ({@link Committer}); a future completes when the commit is on disk.
 */
final class Store implements Closeable {
  static final String FILE = "avm.db";
  static final String MARK = "avm.mark";
  static final String LOCK = "avm.lock";

  private static final long CHECKED_BELOW = 256L << 20;

  private final Path file;
  private final StoreLimits limits;
  private final Clock clock;
  private final FileChannel lockFile;
  private final Database reading;
  private final Committer committer;
  private long lastTime;

  /**
   * A model that is stored.
   *
   * @param next the sequence number of its next row
   */
  record Entry(long id, String name, String spec, long created, long next) {}

  /** A snapshot of a model that has learned all rows up to a sequence number. */
  record Snapshot(long sequence, long at, byte[] body) {}

  /**
   * Rows that are on disk.
   *
   * @param first the sequence number of the first
   * @param bytes how many bytes they are on disk
   */
  record Batch(long first, List<Row> rows, long bytes) {
    long last() {
      return first + rows.size() - 1;
    }
  }

  /**
   * What became of rows.
   *
   * @param batch those that are new and on disk
   * @param sequence the last sequence number of the model
   * @param duplicates how many had an id that was known
   * @param unknown ids of labels that belong to no prediction
   * @param isRepeated whether the request had come before
   */
  record Receipt(
      Batch batch, long sequence, int duplicates, List<String> unknown, boolean isRepeated) {}

  /** A label for a prediction that was given earlier. */
  record Labelled(String id, Object label, double weight) {}

  private Store(
      Path file, StoreLimits limits, Clock clock, FileChannel lock, Database writing, Mark mark)
      throws IOException {
    this.file = file;
    this.limits = limits;
    this.clock = clock;
    lockFile = lock;
    reading = Database.openToRead(file);
    committer = new Committer(writing, mark);
  }

  /** Opens the store of a folder, which is made if it does not exist. */
  static Store open(Path folder, StoreLimits limits, Clock clock) throws IOException {
    FileChannel lock = own(folder);
    try {
      Path file = folder.resolve(FILE);
      Mark mark = new Mark(folder.resolve(MARK));
      Database writing = Database.open(file);
      check(file, writing, mark);
      return new Store(file, limits, clock, lock, writing, mark);
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /** Takes the folder for this process, until the channel is closed. */
  static FileChannel own(Path folder) throws IOException {
    FileChannel channel = null;
    try {
      Files.createDirectories(folder);
      channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new OverlappingFileLockException();
      }
      return channel;
    } catch (OverlappingFileLockException taken) {
      channel.close();
      throw new FileSystemException(
          folder.toString(), null, "another avm serve works in this folder");
    } catch (AccessDeniedException denied) {
      throw new FileSystemException(folder.toString(), null, "no permission to write there");
    } catch (FileSystemException wrong) {
      throw wrong.getReason() == null
          ? new FileSystemException(folder.toString(), null, "cannot be written to")
          : wrong;
    }
  }

  private static void check(Path file, Database database, Mark mark) throws IOException {
    try {
      if (Files.size(file) < CHECKED_BELOW) {
        String found = database.first(row -> row.getString(1), "PRAGMA quick_check(1)");
        if (!"ok".equals(found)) {
          throw new DamageException(
              file + ": is damaged; avm serve --repair saves what can be read");
        }
      }
      long commits = database.number("SELECT value FROM meta WHERE key = 'commits'");
      if (commits < mark.read()) {
        throw new DamageException(
            file
                + ": "
                + (mark.read() - commits)
                + " acknowledged transactions are missing, its write-ahead log was cut short or"
                + " damaged; avm serve --repair goes on without them");
      }
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  /** Milliseconds since 1970 that never go back, whatever the clock does. */
  synchronized long now() {
    lastTime = Math.max(lastTime, clock.millis());
    return lastTime;
  }

  /** All models. */
  List<Entry> models() throws IOException {
    return read(
        database ->
            database.all(
                row ->
                    new Entry(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getLong(5)),
                "SELECT id, name, spec, created, next FROM model ORDER BY name"));
  }

  /** The snapshots of a model, the latest first. */
  List<Snapshot> snapshots(long model) throws IOException {
    return read(
        database ->
            database.all(
                row -> new Snapshot(row.getLong(1), row.getLong(2), row.getBytes(3)),
                "SELECT seq, at, body FROM snapshot WHERE model = ? ORDER BY seq DESC",
                model));
  }

  /** Reads. */
  private interface Reading<T> {
    T read(Database database) throws SQLException;
  }

  private synchronized <T> T read(Reading<T> work) throws IOException {
    try {
      return work.read(reading);
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  /** Hands over all rows after a sequence number, in order; a gap or damage is refused. */
  void replay(long model, long after, Consumer<Batch> into) throws IOException {
    try (Database database = Database.openToRead(file);
        PreparedStatement statement =
            database.prepare(
                "SELECT first, last, body FROM batch WHERE model = ? AND first > ? ORDER BY"
                    + " first")) {
      statement.setLong(1, model);
      statement.setLong(2, after);
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
      if (next != next(model)) {
        throw damagedRows(next);
      }
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  private long next(long model) throws IOException {
    return read(database -> database.number("SELECT next FROM model WHERE id = ?", model));
  }

  private List<Row> rows(byte[] body, long first) throws IOException {
    try {
      return RowCodec.decode(body);
    } catch (DamageException damage) {
      throw damagedRows(first);
    }
  }

  private DamageException damagedRows(long first) {
    return new DamageException(
        file
            + ": the rows from number "
            + first
            + " on are damaged; avm serve --repair saves what can be read");
  }

  /** How many predictions of a model wait for their label. */
  long pending(long model) throws IOException {
    return read(database -> database.number("SELECT pending FROM model WHERE id = ?", model));
  }

  /** Adds a model, with a snapshot to begin with if there is one. */
  CompletableFuture<Entry> create(String name, String spec, byte[] snapshot) {
    return committer.submit(
        spec.length(),
        database -> {
          if (database.number("SELECT count(*) FROM model WHERE name = ?", name) > 0) {
            throw new Problem(409, "there is a model '" + name + "' already");
          }
          long now = now();
          database.update(
              "INSERT INTO model (name, spec, created, next) VALUES (?, ?, ?, 1)", name, spec, now);
          long id = database.number("SELECT id FROM model WHERE name = ?", name);
          if (snapshot != null) {
            database.update("INSERT INTO snapshot VALUES (?, 0, ?, ?)", id, now, snapshot);
          }
          return new Entry(id, name, spec, now, 1);
        },
        entry -> {});
  }

  /** Takes a model away with all that belongs to it. */
  CompletableFuture<Boolean> delete(long model) {
    return committer.submit(
        0,
        database -> {
          for (String table : List.of("batch", "snapshot", "pending", "known", "request")) {
            database.update("DELETE FROM " + table + " WHERE model = ?", model);
          }
          return database.update("DELETE FROM model WHERE id = ?", model) > 0;
        },
        done -> {});
  }

  /**
   * Appends rows. Those whose id is known are left out; a request whose key is known changes
   * nothing.
   *
   * @param key what the client calls the request, null for nothing
   * @param committed is told in the order of sequence numbers, before the future completes
   */
  CompletableFuture<Receipt> append(
      long model, String key, List<Row> rows, Consumer<Batch> committed) {
    byte[] all = RowCodec.encode(rows);
    return committer.submit(
        all.length,
        database -> {
          Receipt before = repeated(database, model, key);
          if (before != null) {
            return before;
          }
          List<Row> fresh = fresh(database, model, rows);
          byte[] body = fresh.size() == rows.size() ? all : RowCodec.encode(fresh);
          Batch batch = write(database, model, fresh, body);
          return noted(database, model, key, batch, rows.size() - fresh.size(), List.of());
        },
        receipt -> tell(receipt, committed));
  }

  private static void tell(Receipt receipt, Consumer<Batch> committed) {
    if (!receipt.isRepeated() && !receipt.batch().rows().isEmpty()) {
      committed.accept(receipt.batch());
    }
  }

  private Receipt repeated(Database database, long model, String key) throws SQLException {
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
    List<Row> none = Collections.nCopies((int) (last - first + 1), null);
    return new Receipt(
        new Batch(first, none, 0), last, Integer.parseInt(parts[2]), List.of(), true);
  }

  private Receipt noted(
      Database database, long model, String key, Batch batch, int duplicates, List<String> unknown)
      throws SQLException {
    if (key != null) {
      database.update(
          "INSERT INTO request (model, key, at, reply) VALUES (?, ?, ?, ?)",
          model,
          key,
          now(),
          batch.first() + " " + batch.last() + " " + duplicates);
    }
    return new Receipt(batch, batch.last(), duplicates, unknown, false);
  }

  /** The rows whose id is new; their ids are known from now on. */
  private List<Row> fresh(Database database, long model, List<Row> rows) throws SQLException {
    if (rows.stream().allMatch(row -> row.id() == null)) {
      return rows;
    }
    List<Row> fresh = new ArrayList<>();
    for (Row row : rows) {
      if (row.id() == null || know(database, model, row.id())) {
        fresh.add(row);
      }
    }
    return fresh;
  }

  private boolean know(Database database, long model, String id) throws SQLException {
    return database.update(
            "INSERT OR IGNORE INTO known (model, id, at) VALUES (?, ?, ?)", model, id, now())
        > 0;
  }

  private Batch write(Database database, long model, List<Row> rows, byte[] body)
      throws SQLException {
    long first = database.number("SELECT next FROM model WHERE id = ?", model);
    if (first == 0) {
      throw new Problem(404, "the model was deleted");
    }
    Batch batch = new Batch(first, rows, body.length);
    if (!rows.isEmpty()) {
      database.update(
          "INSERT INTO batch VALUES (?, ?, ?, ?, ?)", model, first, batch.last(), now(), body);
      database.update("UPDATE model SET next = ? WHERE id = ?", batch.last() + 1, model);
    }
    return batch;
  }

  /**
   * Keeps rows that were answered until their labels come. The answer that was given first to an id
   * stays.
   *
   * @return for each id the row with the answer that is kept
   */
  CompletableFuture<Map<String, Row>> keep(long model, List<Row> answered) {
    List<byte[]> bodies = answered.stream().map(row -> RowCodec.encode(List.of(row))).toList();
    long bytes = bodies.stream().mapToLong(body -> body.length).sum();
    return committer.submit(
        bytes,
        database -> {
          Map<String, Row> kept = new LinkedHashMap<>();
          for (int i = 0; i < bodies.size(); i++) {
            keep(database, model, answered.get(i), bodies.get(i), kept);
          }
          long excess =
              database.number("SELECT pending FROM model WHERE id = ?", model) - limits.pending();
          if (excess > 0) {
            drop(
                database,
                model,
                "DELETE FROM pending WHERE n IN (SELECT n FROM pending WHERE model = ? ORDER BY n"
                    + " LIMIT ?)",
                excess);
          }
          return kept;
        },
        done -> {});
  }

  private void keep(Database database, long model, Row row, byte[] body, Map<String, Row> kept)
      throws SQLException {
    long isKnown =
        database.number("SELECT count(*) FROM known WHERE model = ? AND id = ?", model, row.id());
    if (isKnown > 0) {
      return;
    }
    int added =
        database.update(
            "INSERT OR IGNORE INTO pending (model, id, at, body) VALUES (?, ?, ?, ?)",
            model,
            row.id(),
            now(),
            body);
    database.update("UPDATE model SET pending = pending + ? WHERE id = ?", added, model);
    kept.put(row.id(), added > 0 ? row : waiting(database, model, row.id()));
  }

  /** Takes predictions away that wait, and counts them. */
  private static int drop(Database database, long model, String sql, Object value)
      throws SQLException {
    int dropped = database.update(sql, model, value);
    database.update("UPDATE model SET pending = pending - ? WHERE id = ?", dropped, model);
    return dropped;
  }

  private Row waiting(Database database, long model, String id) throws SQLException {
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

  /** Completes predictions by their labels, and appends them. */
  CompletableFuture<Receipt> label(
      long model, String key, List<Labelled> labels, Consumer<Batch> committed) {
    return committer.submit(
        64L * labels.size(),
        database -> {
          Receipt before = repeated(database, model, key);
          if (before != null) {
            return before;
          }
          List<Row> rows = new ArrayList<>();
          List<String> unknown = new ArrayList<>();
          Set<String> done = new HashSet<>();
          int duplicates = 0;
          for (Labelled labelled : labels) {
            Row row = waiting(database, model, labelled.id());
            if (row != null && done.add(labelled.id())) {
              rows.add(row.labelled(labelled.label(), labelled.weight()));
            } else if (row != null || isKnown(database, model, labelled.id())) {
              duplicates++;
            } else {
              unknown.add(labelled.id());
            }
          }
          for (String id : done) {
            drop(database, model, "DELETE FROM pending WHERE model = ? AND id = ?", id);
            know(database, model, id);
          }
          Batch batch = write(database, model, rows, RowCodec.encode(rows));
          return noted(database, model, key, batch, duplicates, unknown);
        },
        receipt -> tell(receipt, committed));
  }

  private static boolean isKnown(Database database, long model, String id) throws SQLException {
    return database.number("SELECT count(*) FROM known WHERE model = ? AND id = ?", model, id) > 0;
  }

  /**
   * Adds a snapshot, keeps the one before it, and takes away what is older than the limits say.
   * Rows stay at least until two snapshots hold them.
   */
  CompletableFuture<Snapshot> snapshot(long model, long sequence, byte[] body) {
    return committer.submit(
        body.length,
        database -> {
          long now = now();
          database.update(
              "INSERT OR REPLACE INTO snapshot SELECT id, ?, ?, ? FROM model WHERE id = ?",
              sequence,
              now,
              body,
              model);
          long oldest =
              database.number(
                  "SELECT seq FROM snapshot WHERE model = ? ORDER BY seq DESC LIMIT 1 OFFSET 1",
                  model);
          database.update("DELETE FROM snapshot WHERE model = ? AND seq < ?", model, oldest);
          database.update(
              "DELETE FROM batch WHERE model = ? AND last <= ? AND at <= ?",
              model,
              oldest,
              now - limits.rows().toMillis());
          return new Snapshot(sequence, now, null);
        },
        done -> {});
  }

  /** Forgets predictions, ids and keys that are too old or too many. */
  CompletableFuture<Integer> prune(long model) {
    return committer.submit(
        0,
        database -> {
          long now = now();
          long ids = now - limits.idAge().toMillis();
          return drop(
                  database,
                  model,
                  "DELETE FROM pending WHERE model = ? AND at < ?",
                  now - limits.pendingAge().toMillis())
              + prune(database, "known", model, ids)
              + prune(database, "request", model, ids);
        },
        done -> {});
  }

  private int prune(Database database, String table, long model, long before) throws SQLException {
    long newest =
        database.number("SELECT coalesce(max(n), 0) FROM " + table + " WHERE model = ?", model);
    return database.update(
        "DELETE FROM " + table + " WHERE model = ? AND (n <= ? OR at < ?)",
        model,
        newest - limits.ids(),
        before);
  }

  /** Writes a copy of the store as it is now, while it is in use, to a file that does not exist. */
  static void backup(Path folder, Path copy) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw new IOException(folder + ": holds no store");
    }
    if (Files.exists(copy)) {
      throw new IOException(copy + ": exists already");
    }
    try (Database database = Database.openToRead(file)) {
      database.execute("VACUUM INTO '" + copy.toAbsolutePath().toString().replace("'", "''") + "'");
    } catch (SQLException wrong) {
      Files.deleteIfExists(copy);
      throw Database.failure(file, wrong);
    }
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
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

  /** How many requests wait for their commit. */
  int queued() {
    return committer.queued();
  }

  /** How many commits there were since the store was opened. */
  long commits() {
    return committer.commits();
  }

  /** Commits what was accepted, and closes. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      reading.close();
    }
    committer.close();
    lockFile.close();
  }
}
