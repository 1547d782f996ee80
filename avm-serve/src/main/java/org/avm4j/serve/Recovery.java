package org.avm4j.serve;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.avm4j.codec.ModelFileException;

/** Makes the learner of a model from the store: its latest snapshot, and the rows after it. */
final class Recovery {
  private final Store store;
  private final ServeLog log;

  Recovery(Store store, ServeLog log) {
    this.store = store;
    this.log = log;
  }

  /**
   * A learner that has learned all rows up to a sequence number.
   *
   * @param snapshot the last row that the latest snapshot holds
   * @param at when that was taken, in milliseconds since 1970
   * @param nanos how long it took to learn the rows after it
   */
  record Recovered(Learning learning, long snapshot, long at, long nanos) {}

  /**
   * Recovers a model.
   *
   * @param last the last row to learn
   * @param progress is told the sequence number that is reached
   */
  Recovered recover(Store.Entry entry, ModelSpec spec, long last, LongConsumer progress)
      throws IOException {
    Store.Snapshot from = new Store.Snapshot(0, entry.created(), null);
    Learning learning = null;
    boolean isDamaged = false;
    List<Store.Snapshot> snapshots = store.snapshots(entry.id());
    for (int i = 0; i < snapshots.size() && learning == null; i++) {
      try {
        learning = Learning.fromBytes(snapshots.get(i).body(), spec.limits());
        from = snapshots.get(i);
      } catch (ModelFileException damage) {
        isDamaged = true;
        tellDamage(entry, snapshots.get(i).sequence());
      }
    }
    if (learning == null && isDamaged) {
      throw new DamageException(
          store.folder()
              + ": the snapshot of model '"
              + entry.name()
              + "' is damaged; avm serve --repair saves what can be read");
    }
    Learning begun = learning == null ? Learning.of(spec.pipeline(), spec.limits()) : learning;
    long start = System.nanoTime();
    store.replay(
        entry.id(),
        from.sequence(),
        last,
        batch -> {
          batch.rows().forEach(begun::take);
          progress.accept(batch.last());
        });
    return new Recovered(begun, from.sequence(), from.at(), System.nanoTime() - start);
  }

  private void tellDamage(Store.Entry entry, long sequence) {
    log.write(
        "damage",
        Map.of(
            "model",
            entry.name(),
            "detail",
            "the snapshot at row " + sequence + " is damaged; the one before it is used"));
  }
}
