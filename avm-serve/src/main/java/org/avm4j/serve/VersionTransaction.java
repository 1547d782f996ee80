package org.avm4j.serve;

import java.sql.SQLException;
import java.util.List;

/** The reads and writes of one transaction on the learners of a model and their versions. */
final class VersionTransaction {
  /**
   * Maximum number of versions of a learner. If the gap between two versions doubles from one to
   * the next, ten versions span about a thousand times the smallest gap.
   */
  static final int KEPT = 10;

  /** Number of newest versions that are always kept, because a recovery starts from them. */
  private static final int NEWEST = 2;

  private final Database database;
  private final long model;
  private final long now;

  VersionTransaction(Database database, long model, long now) {
    this.database = database;
    this.model = model;
    this.now = now;
  }

  /** The versions of a learner, the newest first. */
  static List<Version> list(Database database, long model, long learner) throws SQLException {
    return database.all(
        row -> new Version(row.getLong(1), row.getLong(2), row.getLong(3), row.getString(4)),
        "SELECT version, seq, at, figures FROM snapshot WHERE model = ? AND learner = ? ORDER BY"
            + " version DESC",
        model,
        learner);
  }

  /**
   * Adds a version of a learner. Deletes one version if there are too many, and old rows that two
   * versions of each learner hold.
   *
   * @return null if the learner is gone
   */
  Version add(long learner, long sequence, String figures, byte[] body, StoreLimits limits)
      throws SQLException {
    if (!hasLearner(learner)) {
      return null;
    }
    database.update("UPDATE model SET versions = versions + 1 WHERE id = ?", model);
    long number = database.number("SELECT versions FROM model WHERE id = ?", model);
    database.update(
        "INSERT INTO snapshot (model, version, learner, seq, at, figures, body) VALUES (?, ?, ?, ?,"
            + " ?, ?, ?)",
        model,
        number,
        learner,
        sequence,
        now,
        figures,
        body);
    dropExcess(list(database, model, learner));
    dropRows(heldTwice(), limits.rows().toMillis());
    return new Version(number, sequence, now, figures);
  }

  /**
   * Deletes rows from the oldest one up to the first that is still needed. A time too far in the
   * future comes from a wrong clock and does not keep a row.
   *
   * @param last the last row that may be deleted
   * @param age minimum age of deleted rows, in milliseconds
   */
  private void dropRows(long last, long age) throws SQLException {
    database.update(
        "DELETE FROM batch WHERE model = ? AND first < coalesce((SELECT first FROM batch WHERE model"
            + " = ? AND (last > ? OR at > ? AND at <= ?) ORDER BY first LIMIT 1), ?)",
        model,
        model,
        last,
        now - age,
        now + age,
        Long.MAX_VALUE);
  }

  private boolean hasLearner(long learner) throws SQLException {
    return database.number(
            "SELECT count(*) FROM learner WHERE model = ? AND number = ?", model, learner)
        > 0;
  }

  /** The last row that two versions of every learner hold; 0 for none. */
  private long heldTwice() throws SQLException {
    return database.number(
        "SELECT min(coalesce((SELECT seq FROM snapshot WHERE snapshot.model = learner.model AND"
            + " snapshot.learner = learner.number ORDER BY version DESC LIMIT 1 OFFSET 1), 0)) FROM"
            + " learner WHERE model = ?",
        model);
  }

  /**
   * Deletes a version if there are too many: the one whose removal leaves the smallest gap relative
   * to its age, both counted in rows. The two newest, the oldest and the pinned one stay.
   */
  private void dropExcess(List<Version> kept) throws SQLException {
    if (kept.size() <= KEPT) {
      return;
    }
    long champion = database.number("SELECT champion FROM model WHERE id = ?", model);
    Version least = null;
    double smallest = Double.POSITIVE_INFINITY;
    for (int i = NEWEST; i < kept.size() - 1; i++) {
      Version each = kept.get(i);
      double gap = kept.get(i - 1).sequence() - kept.get(i + 1).sequence();
      double relative = gap / Math.max(1, kept.get(0).sequence() - each.sequence());
      if (relative < smallest && each.number() != champion) {
        smallest = relative;
        least = each;
      }
    }
    database.update("DELETE FROM snapshot WHERE model = ? AND version = ?", model, least.number());
  }

  /** Adds a challenger, which begins with the oldest row in the store. */
  Store.Entry challenge(String spec) throws SQLException {
    if (database.number("SELECT count(*) FROM model WHERE id = ?", model) == 0) {
      throw new Problem(404, "the model was deleted");
    }
    if (challengers() > 0) {
      throw new Problem(409, "the model already has a challenger");
    }
    long number = database.number("SELECT learners FROM model WHERE id = ?", model);
    database.update("UPDATE model SET learners = learners + 1 WHERE id = ?", model);
    long first =
        database.number(
            "SELECT coalesce((SELECT min(first) FROM batch WHERE batch.model = model.id), next)"
                + " FROM model WHERE id = ?",
            model);
    database.update(
        "INSERT INTO learner (model, number, spec, created, begun, challenges) VALUES (?, ?, ?, ?,"
            + " ?, 1)",
        model,
        number,
        spec,
        now,
        first - 1);
    return database.first(
        Store.Entry::of, Store.Entry.SELECT + " WHERE id = ? AND challenges", model);
  }

  private long challengers() throws SQLException {
    return database.number(
        "SELECT count(*) FROM learner WHERE model = ? AND challenges = 1", model);
  }

  private void checkChallenges(long learner) throws SQLException {
    if (database.number(
            "SELECT count(*) FROM learner WHERE model = ? AND number = ? AND challenges = 1",
            model,
            learner)
        == 0) {
      throw new Problem(409, "this challenger was promoted or withdrawn in the meantime");
    }
  }

  /**
   * Swaps the roles of the challenger and the leader, and removes the pin.
   *
   * @return the last row of the model
   */
  long promote(long learner) throws SQLException {
    checkChallenges(learner);
    database.update("UPDATE learner SET challenges = 1 - challenges WHERE model = ?", model);
    database.update("UPDATE model SET champion = 0 WHERE id = ?", model);
    return database.number("SELECT next - 1 FROM model WHERE id = ?", model);
  }

  /** Deletes a challenger and its versions. */
  void withdraw(long learner) throws SQLException {
    checkChallenges(learner);
    database.update("DELETE FROM snapshot WHERE model = ? AND learner = ?", model, learner);
    database.update("DELETE FROM learner WHERE model = ? AND number = ?", model, learner);
  }

  /**
   * Pins a version of the learner that leads.
   *
   * @param version the number of the version; 0 removes the pin
   */
  void pin(long version) throws SQLException {
    boolean isKept =
        version == 0
            || database.number(
                    "SELECT count(*) FROM snapshot JOIN learner ON snapshot.model = learner.model AND"
                        + " snapshot.learner = learner.number WHERE snapshot.model = ? AND version = ?"
                        + " AND challenges = 0",
                    model,
                    version)
                > 0;
    if (!isKept) {
      throw VersionStore.notKept(version);
    }
    database.update("UPDATE model SET champion = ? WHERE id = ?", version, model);
  }
}
