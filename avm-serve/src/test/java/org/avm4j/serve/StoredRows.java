package org.avm4j.serve;

import java.io.IOException;
import java.util.function.Consumer;

/** The rows of a model in a store. */
final class StoredRows {
  private StoredRows() {}

  /** Passes on all rows after a sequence number, in order. */
  static void replay(Store store, long model, long after, Consumer<RowStore.Batch> into)
      throws IOException {
    String next = "SELECT next FROM model WHERE id = ?";
    store
        .rows()
        .replay(model, after, store.read(database -> database.number(next, model)) - 1, into);
  }
}
