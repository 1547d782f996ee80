package org.avm4j.flink.table;

import java.io.Serializable;
import java.util.Objects;

/**
 * The columns of a table that are no features.
 *
 * @param label what is learned
 * @param key says which learner is meant; null for one learner for all rows
 * @param id goes into the answer; null for none
 */
public record TableColumns(String label, String key, String id) implements Serializable {
  public TableColumns {
    Objects.requireNonNull(label, "a table to learn from must have a column of labels");
  }

  /** One learner for all rows. */
  public static TableColumns ofLabel(String label) {
    return new TableColumns(label, null, null);
  }

  /** The same with a learner for each key. */
  public TableColumns withKey(String column) {
    return new TableColumns(label, column, id);
  }

  /** The same with ids in the answers. */
  public TableColumns withId(String column) {
    return new TableColumns(label, key, column);
  }
}
