package org.avm4j.serve;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The learners of models and their versions in the store. */
final class VersionStore {
  private final Store store;

  VersionStore(Store store) {
    this.store = store;
  }

  static Problem notKept(long version) {
    return new Problem(404, "version " + version + " is not kept; …/versions lists those that are");
  }

  /** The versions of a learner, the newest first. */
  List<Version> list(Store.Entry of) throws IOException {
    return store.read(database -> VersionLedger.list(database, of.id(), of.learner()));
  }

  /** The bytes of a version of a learner, null if it is not kept. */
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
   * @return null if the learner is gone
   */
  CompletableFuture<Version> add(Store.Entry of, long sequence, String figures, byte[] body) {
    return store.commitOwn(
        body.length,
        database ->
            new VersionLedger(database, of.id(), store.now())
                .add(of.learner(), sequence, figures, body, store.limits()));
  }

  /** Adds a challenger to a model. */
  CompletableFuture<Store.Entry> challenge(long model, String spec) {
    return commit(model, ledger -> ledger.challenge(spec), entry -> {});
  }

  /**
   * Lets a challenger lead its model.
   *
   * @param committed is told the last row that was written before, in the order of rows
   */
  CompletableFuture<Long> promote(Store.Entry challenger, Consumer<Long> committed) {
    return commit(challenger.id(), ledger -> ledger.promote(challenger.learner()), committed);
  }

  /** Deletes a challenger. */
  CompletableFuture<Void> withdraw(Store.Entry challenger) {
    return commit(
        challenger.id(),
        ledger -> {
          ledger.withdraw(challenger.learner());
          return null;
        },
        done -> {});
  }

  /**
   * Pins a version of the learner that leads a model.
   *
   * @param version 0 for none
   */
  CompletableFuture<Void> pin(long model, long version, Runnable committed) {
    return commit(
        model,
        ledger -> {
          ledger.pin(version);
          return null;
        },
        done -> committed.run());
  }

  private interface Entering<T> {
    T enter(VersionLedger ledger) throws SQLException;
  }

  private <T> CompletableFuture<T> commit(long model, Entering<T> work, Consumer<T> committed) {
    return store.commit(
        0, database -> work.enter(new VersionLedger(database, model, store.now())), committed);
  }
}
