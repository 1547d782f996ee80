package org.avm4j.serve;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The part of the store that holds the learners of models and their versions. */
final class VersionStore {
  private final Store store;

  VersionStore(Store store) {
    this.store = store;
  }

  static Problem notKept(long version) {
    return new Problem(
        404, "version " + version + " is not stored; …/versions lists those that are");
  }

  /** Whether a learner is stored; false once it was deleted. */
  boolean holds(Store.Entry learner) throws IOException {
    return store.read(
        database ->
            database.number(
                    "SELECT count(*) FROM learner WHERE model = ? AND number = ?",
                    learner.id(),
                    learner.learner())
                > 0);
  }

  /** The versions of a learner, the newest first. */
  List<Version> list(Store.Entry of) throws IOException {
    return store.read(database -> VersionTransaction.list(database, of.id(), of.learner()));
  }

  /** The bytes of a version of a learner; null if there is no such version. */
  byte[] body(Store.Entry of, long version) throws IOException {
    return store.read(
        database ->
            database.first(
                row -> row.getBytes(1),
                "SELECT body FROM snapshot WHERE model = ? AND learner = ? AND version = ?",
                of.id(),
                of.learner(),
                version));
  }

  /**
   * Adds a version of a learner, and deletes what exceeds the limits. Rows stay at least until two
   * versions of each learner hold them.
   *
   * @return the version; null if the learner was deleted
   */
  CompletableFuture<Version> add(Store.Entry of, long sequence, String figures, byte[] body) {
    return store
        .committer()
        .submitOwn(
            body.length,
            database ->
                new VersionTransaction(database, of.id(), store.now())
                    .add(of.learner(), sequence, figures, body, store.limits()),
            version -> {});
  }

  CompletableFuture<Store.Entry> challenge(long model, String spec) {
    return commit(model, transaction -> transaction.challenge(spec), entry -> {});
  }

  /**
   * Promotes a challenger.
   *
   * @param committed called with the last row of the model, after all earlier commits were reported
   */
  CompletableFuture<Long> promote(Store.Entry challenger, Consumer<Long> committed) {
    return commit(
        challenger.id(), transaction -> transaction.promote(challenger.learner()), committed);
  }

  CompletableFuture<Void> withdraw(Store.Entry challenger) {
    return commit(
        challenger.id(),
        transaction -> {
          transaction.withdraw(challenger.learner());
          return null;
        },
        done -> {});
  }

  /**
   * Pins a version of the learner that leads a model.
   *
   * @param version the number of the version; 0 removes the pin
   */
  CompletableFuture<Void> pin(long model, long version, Runnable committed) {
    return commit(
        model,
        transaction -> {
          transaction.pin(version);
          return null;
        },
        done -> committed.run());
  }

  /** Part of a transaction on one model. */
  private interface Operation<T> {
    T run(VersionTransaction transaction) throws SQLException;
  }

  private <T> CompletableFuture<T> commit(long model, Operation<T> work, Consumer<T> committed) {
    return store
        .committer()
        .submit(
            0,
            database -> work.run(new VersionTransaction(database, model, store.now())),
            committed);
  }
}
