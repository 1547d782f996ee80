package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

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
  private final RowStore rows = new RowStore(this);
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
      StoreFolder.deleteCopies(folder);
      Path file = folder.resolve(StoreFolder.FILE);
      StoreFolder.checkPresent(file);
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

  RowStore rows() {
    return rows;
  }

  /** The learners of models and their versions. */
  VersionStore versions() {
    return versions;
  }

  synchronized <T> T read(Committer.Work<T> work) throws IOException {
    try {
      return work.run(reading);
    } catch (SQLException wrong) {
      throw Database.failure(file, wrong);
    }
  }

  /** Limits on how much the store keeps. */
  StoreLimits limits() {
    return limits;
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

  /**
   * Deletes a model with all its data.
   *
   * @param committed called when that is on disk, before any later work is
   */
  CompletableFuture<Boolean> delete(long model, Runnable committed) {
    return committer.submit(
        0,
        database -> {
          for (String table :
              List.of("batch", "snapshot", "learner", "pending", "waiting", "known", "request")) {
            database.update("DELETE FROM " + table + " WHERE model = ?", model);
          }
          return database.update("DELETE FROM model WHERE id = ?", model) > 0;
        },
        done -> committed.run());
  }

  /** The writer, which commits work. */
  Committer committer() {
    return committer;
  }

  Path file() {
    return file;
  }

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

  /** Tries to write again, if the disk was full and has space now, or writing failed. */
  void probe() {
    boolean hasSpace = diskFree() > PROBE_SPACE + PROBE_FACTOR * committer.needed();
    if (committer.queued() == 0 && (committer.isFull() ? hasSpace : committer.isFailing())) {
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
