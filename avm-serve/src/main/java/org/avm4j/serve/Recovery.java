package org.avm4j.serve;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.avm4j.codec.ModelFileException;

/**
 * Rebuilds the learner of a model from the store: loads its latest readable snapshot and replays
 * the rows after it.
 */
final class Recovery {
  private final Store store;
  private final ServeLog log;

  Recovery(Store store, ServeLog log) {
    this.store = store;
    this.log = log;
  }

  /**
   * A recovered learner.
   *
   * @param snapshot the last row in the snapshot that it was loaded from
   * @param at when the snapshot was taken, in milliseconds since 1970
   */
  record Recovered(Learning learning, long snapshot, long at) {}

  /**
   * Recovers a model.
   *
   * @param last the last row to learn
   * @param progress called with the last sequence number after each batch
   */
  Recovered recover(Store.Entry entry, ModelSpec spec, long last, LongConsumer progress)
      throws IOException {
    Version from = new Version(0, entry.begun(), entry.created(), "{}");
    Learning learning = null;
    List<Version> versions = store.versions().list(entry);
    for (int i = 0; i < versions.size() && learning == null; i++) {
      try {
        learning = read(entry, spec, versions.get(i).number());
        from = versions.get(i);
      } catch (ModelFileException unreadable) {
        checkNotLater(entry, unreadable);
        logDamage(entry, versions.get(i).sequence());
      }
    }
    if (learning == null && !versions.isEmpty()) {
      throw damaged(entry, "snapshot");
    }
    Learning begun =
        learning == null ? Learning.of(spec, entry.learner(), entry.begun()) : learning;
    store
        .rows()
        .replay(
            entry.id(),
            from.sequence(),
            last,
            batch -> {
              batch.rows().forEach(begun::take);
              progress.accept(batch.last());
            });
    return new Recovered(begun, from.sequence(), from.at());
  }

  private Learning read(Store.Entry entry, ModelSpec spec, long version)
      throws IOException, ModelFileException {
    byte[] body = store.versions().body(entry, version);
    if (body == null) {
      throw VersionStore.notKept(version);
    }
    return Learning.fromBytes(body, spec, entry.learner());
  }

  /** Throws an exception for a snapshot of a later version of the library, which is no damage. */
  static void checkNotLater(Store.Entry entry, ModelFileException unreadable)
      throws DamageException {
    if (unreadable.isOfLaterVersion()) {
      throw new DamageException(
          "a snapshot of model '"
              + entry.name()
              + "' was written by a later version of avm: "
              + unreadable.getMessage()
              + "; use that version, or restore a backup");
    }
  }

  private DamageException damaged(Store.Entry entry, String what) {
    return DamageException.repairable(
        store.folder() + ": the " + what + " of model '" + entry.name() + "' is damaged");
  }

  /** Loads a stored version of a learner for answering. */
  Published version(Store.Entry entry, ModelSpec spec, long version) throws IOException {
    try {
      return Published.of(read(entry, spec, version), spec, version);
    } catch (ModelFileException unreadable) {
      checkNotLater(entry, unreadable);
      throw damaged(entry, "version " + version);
    }
  }

  private void logDamage(Store.Entry entry, long sequence) {
    log.write(
        "damage",
        Map.of(
            "model",
            entry.isChallenger() ? entry.name() + ServedModel.CHALLENGER : entry.name(),
            "detail",
            "the snapshot at row "
                + sequence
                + " is damaged; an earlier one is used if there is one"));
  }
}
