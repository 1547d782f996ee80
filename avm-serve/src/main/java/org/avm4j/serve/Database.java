package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** One connection to the store's file, with its statements. It belongs to one thread at a time. */
final class Database implements Closeable {
  /** The version of the tables; stores of later versions are rejected. */
  static final int FORMAT = 3;

  private static final int APPLICATION = 0x41564d53;

  /** Steps of SQLite's machine, a few for each row, between two checks of a long statement. */
  private static final int STEPS = 100;

  /** The learners of a model: the one that answers, and perhaps a challenger. */
  private static final String LEARNER_TABLE =
      "CREATE TABLE IF NOT EXISTS learner (model INTEGER NOT NULL, number INTEGER NOT NULL, spec TEXT"
          + " NOT NULL, created INTEGER NOT NULL, begun INTEGER NOT NULL, challenges INTEGER NOT NULL,"
          + " PRIMARY KEY (model, number)) WITHOUT ROWID";

  private static final String SNAPSHOT_TABLE =
      "CREATE TABLE IF NOT EXISTS snapshot (model INTEGER NOT NULL, version INTEGER NOT NULL, learner"
          + " INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, figures TEXT NOT NULL, body"
          + " BLOB NOT NULL, PRIMARY KEY (model, version)) WITHOUT ROWID";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID",
          "INSERT OR IGNORE INTO meta VALUES ('commits', 0)",
          "CREATE TABLE IF NOT EXISTS model (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL"
              + " UNIQUE, created INTEGER NOT NULL, next INTEGER NOT NULL, pending INTEGER NOT NULL DEFAULT"
              + " 0, learners INTEGER NOT NULL DEFAULT 1, versions INTEGER NOT NULL DEFAULT 0, champion"
              + " INTEGER NOT NULL DEFAULT 0)",
          LEARNER_TABLE,
          "CREATE TABLE IF NOT EXISTS batch (model INTEGER NOT NULL, first INTEGER NOT NULL, last"
              + " INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (model,"
              + " first)) WITHOUT ROWID",
          SNAPSHOT_TABLE,
          "CREATE TABLE IF NOT EXISTS pending (n INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT"
              + " NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL, owner TEXT NOT NULL"
              + " DEFAULT '', UNIQUE (model, id))",
          "CREATE TABLE IF NOT EXISTS known (n INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT"
              + " NULL, id TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (model, id))",
          "CREATE TABLE IF NOT EXISTS request (n INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT"
              + " NULL, key TEXT NOT NULL, at INTEGER NOT NULL, reply TEXT NOT NULL, digest BLOB,"
              + " UNIQUE (model, key))",
          "CREATE TABLE IF NOT EXISTS waiting (model INTEGER NOT NULL, owner TEXT NOT NULL, n INTEGER"
              + " NOT NULL, PRIMARY KEY (model, owner)) WITHOUT ROWID",
          "CREATE INDEX IF NOT EXISTS pending_of ON pending (model, owner, n)",
          "CREATE INDEX IF NOT EXISTS known_of ON known (model, n)",
          "CREATE INDEX IF NOT EXISTS request_of ON request (model, n)");

  /** Migration from format 1 to format 2; {@link #TABLES} then adds new tables. */
  private static final List<String> FROM_FORMAT_1 =
      List.of(
          "ALTER TABLE pending ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
          "ALTER TABLE request ADD COLUMN digest BLOB",
          "DROP INDEX pending_of",
          "CREATE TABLE waiting (model INTEGER NOT NULL, owner TEXT NOT NULL, n INTEGER NOT NULL,"
              + " PRIMARY KEY (model, owner)) WITHOUT ROWID",
          "INSERT INTO waiting SELECT model, '', count(*) FROM pending GROUP BY model");

  /** Migration from format 2 to format 3, in which snapshots have numbers and a learner. */
  private static final List<String> FROM_FORMAT_2 =
      List.of(
          LEARNER_TABLE,
          "INSERT INTO learner SELECT id, 0, spec, created, 0, 0 FROM model",
          "ALTER TABLE snapshot RENAME TO unnumbered",
          SNAPSHOT_TABLE,
          "INSERT INTO snapshot SELECT model, row_number() OVER (PARTITION BY model ORDER BY seq), 0,"
              + " seq, at, '{}', body FROM unnumbered",
          "DROP TABLE unnumbered",
          "ALTER TABLE model DROP COLUMN spec",
          "ALTER TABLE model ADD COLUMN learners INTEGER NOT NULL DEFAULT 1",
          "ALTER TABLE model ADD COLUMN versions INTEGER NOT NULL DEFAULT 0",
          "ALTER TABLE model ADD COLUMN champion INTEGER NOT NULL DEFAULT 0",
          "UPDATE model SET versions = (SELECT count(*) FROM snapshot WHERE snapshot.model = model.id)");

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private Database(Connection connection) {
    this.connection = connection;
  }

  /** Opens the file for writing; creates its tables or migrates them from an older format. */
  static Database open(Path file) throws IOException {
    try {
      Database database = connect(file, false);
      database.prepareTables(file);
      return database;
    } catch (SQLException wrong) {
      throw failure(file, wrong);
    }
  }

  /** Whether a service has opened the store and not closed it. */
  boolean isInUse() throws SQLException {
    return number("SELECT value FROM meta WHERE key = 'open'") != 0;
  }

  /** Records in the file itself, not only in its log, that a service has opened the store. */
  void markOpen() throws SQLException {
    update("INSERT OR REPLACE INTO meta VALUES ('open', 1)");
    execute("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Records that the store is closed. */
  void markClosed() throws SQLException {
    update("INSERT OR REPLACE INTO meta VALUES ('open', 0)");
  }

  /** Records in a copy of the store that no service has it open. */
  static void markClosed(Path copy) throws IOException {
    SQLiteConfig config = new SQLiteConfig();
    try (Connection connection = config.createConnection("jdbc:sqlite:" + copy.toAbsolutePath())) {
      new Database(connection).execute("UPDATE meta SET value = 0 WHERE key = 'open'");
    } catch (SQLException wrong) {
      throw failure(copy, wrong);
    }
  }

  /** Opens an existing file for reading. */
  static Database openToRead(Path file) throws IOException {
    try {
      return connect(file, true);
    } catch (SQLException wrong) {
      throw failure(file, wrong);
    }
  }

  private static Database connect(Path file, boolean toRead) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(10_000);
    config.setReadOnly(toRead);
    if (!toRead) {
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      config.setJournalSizeLimit(64 << 20);
    }
    Connection connection = config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
    return new Database(connection);
  }

  private void prepareTables(Path file) throws SQLException, IOException {
    long format = number("PRAGMA user_version");
    boolean isNew = number("SELECT count(*) FROM sqlite_master") == 0;
    if (!isNew && !isOurs()) {
      throw new DamageException(file + ": is a database, but not a store of avm serve");
    }
    checkFormat(file);
    if (isNew) {
      execute("PRAGMA application_id = " + APPLICATION);
    }
    execute("BEGIN IMMEDIATE");
    if (!isNew && format < 2) {
      executeAll(FROM_FORMAT_1);
    }
    if (!isNew && format < 3) {
      executeAll(FROM_FORMAT_2);
    }
    executeAll(TABLES);
    execute("PRAGMA user_version = " + FORMAT);
    execute("COMMIT");
  }

  /** Whether the header of the file identifies it as a store. */
  boolean isOurs() throws SQLException {
    return number("PRAGMA application_id") == APPLICATION;
  }

  /** Throws an exception for a store of a later version, whose tables may have another meaning. */
  void checkFormat(Path file) throws SQLException, DamageException {
    long format = number("PRAGMA user_version");
    if (format > FORMAT) {
      throw new DamageException(
          file
              + ": has format "
              + format
              + ", but this version of avm reads formats up to "
              + FORMAT);
    }
  }

  /** An exception for users from an error of the database. */
  static IOException failure(Path file, SQLException wrong) {
    if (isDamage(wrong)) {
      return DamageException.repairable(file + ": is damaged");
    }
    if (isFull(wrong)) {
      return new IOException(file + ": no space left on the disk");
    }
    return new IOException(file + ": cannot be used: " + wrong.getMessage());
  }

  /** Whether an error means that the file is damaged. */
  static boolean isDamage(SQLException wrong) {
    SQLiteErrorCode code = code(wrong);
    return code == SQLiteErrorCode.SQLITE_CORRUPT
        || code == SQLiteErrorCode.SQLITE_NOTADB
        || code == SQLiteErrorCode.SQLITE_CORRUPT_INDEX
        || code == SQLiteErrorCode.SQLITE_CORRUPT_VTAB
        || code == SQLiteErrorCode.SQLITE_IOERR_SHORT_READ;
  }

  /** Whether an error means that the disk is full. */
  static boolean isFull(SQLException wrong) {
    SQLiteErrorCode code = code(wrong);
    return code == SQLiteErrorCode.SQLITE_FULL
        || code == SQLiteErrorCode.SQLITE_IOERR_WRITE
        || code == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE
        || code == SQLiteErrorCode.SQLITE_IOERR_SHMMAP
        || code == SQLiteErrorCode.SQLITE_IOERR_TRUNCATE
        || code == SQLiteErrorCode.SQLITE_IOERR_FSYNC;
  }

  private static SQLiteErrorCode code(SQLException wrong) {
    return wrong instanceof SQLiteException known ? known.getResultCode() : null;
  }

  private void executeAll(List<String> statements) throws SQLException {
    for (String sql : statements) {
      execute(sql);
    }
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Executes an update, and returns the number of changed rows. */
  int update(String sql, Object... values) throws SQLException {
    return bound(sql, values).executeUpdate();
  }

  /** The number in the first column of the first row; 0 if there is no row. */
  long number(String sql, Object... values) throws SQLException {
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /** Converts one row of a result. */
  interface RowMapper<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The first row; null if there is none. */
  <T> T first(RowMapper<T> reader, String sql, Object... values) throws SQLException {
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      return rows.next() ? reader.read(rows) : null;
    }
  }

  <T> List<T> all(RowMapper<T> reader, String sql, Object... values) throws SQLException {
    List<T> all = new ArrayList<>();
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      while (rows.next()) {
        all.add(reader.read(rows));
      }
    }
    return all;
  }

  /** Makes statements fail as soon as a condition holds, which is checked while they run. */
  void interruptIf(BooleanSupplier condition) throws SQLException {
    ProgressHandler.setHandler(
        connection,
        STEPS,
        new ProgressHandler() {
          @Override
          protected int progress() {
            return condition.getAsBoolean() ? 1 : 0;
          }
        });
  }

  /** A statement that is not cached, for a long read. */
  PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  private PreparedStatement bound(String sql, Object... values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < values.length; i++) {
      bind(statement, i + 1, values[i]);
    }
    return statement;
  }

  private static void bind(PreparedStatement statement, int at, Object value) throws SQLException {
    if (value instanceof Long number) {
      statement.setLong(at, number);
    } else if (value instanceof Integer number) {
      statement.setLong(at, number);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(at, bytes);
    } else {
      statement.setString(at, (String) value);
    }
  }

  @Override
  public void close() {
    try {
      for (PreparedStatement statement : statements.values()) {
        statement.close();
      }
      connection.close();
    } catch (SQLException ignored) {
      // all commits are on disk already
    }
  }
}
