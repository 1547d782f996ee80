package org.avm4j.flink.table;

import java.io.Serializable;
import java.util.Objects;

/**
 * The columns of a table that are not features.
 *
 * @param label what is learned
 * @param key says which learner is meant; null for one learner for all rows
 * @param id goes into the answer, and names the row of a late label; null for none
 * @param time when the row happened, for labels that expire by event time; null for none
 */
public record TableColumns(String label, String key, String id, String time)
    implements Serializable {
  public TableColumns {
    Objects.requireNonNull(label, "a table to learn from must have a column of labels");
  }

  /** One learner for all rows. */
  public static TableColumns ofLabel(String label) {
    return new TableColumns(label, null, null, null);
  }

  /** The same with a learner for each key. */
  public TableColumns withKey(String column) {
    return new TableColumns(label, column, id, time);
  }

  /** The same with ids in the answers. */
  public TableColumns withId(String column) {
    return new TableColumns(label, key, column, time);
  }

  /** The same with a column of time, which has a watermark. */
  public TableColumns withTime(String column) {
    return new TableColumns(label, key, id, column);
  }
}
