package org.avm4j.flink.table;

import java.io.Serializable;
import java.util.Objects;

/**
 * The columns of a table that are not features.
 *
 * @param label the column of the label
 * @param key the column of the key of the learner; null for one learner of all rows
 * @param id the column of the id, which is repeated in the answer and identifies the row of a late
 *     label; null for none
 * @param time the column of the event time, by which labels may expire; null for none
 */
public record TableColumns(String label, String key, String id, String time)
    implements Serializable {
  public TableColumns {
    Objects.requireNonNull(label, "a table to learn from must have a column of labels");
  }

  /** One learner for all rows, with this column as label. */
  public static TableColumns ofLabel(String label) {
    return new TableColumns(label, null, null, null);
  }

  /** The same with a learner for each key. */
  public TableColumns withKey(String column) {
    return new TableColumns(label, column, id, time);
  }

  /** The same with a column of ids. */
  public TableColumns withId(String column) {
    return new TableColumns(label, key, column, time);
  }

  /** The same with a column of event time, which must have a watermark. */
  public TableColumns withTime(String column) {
    return new TableColumns(label, key, id, column);
  }
}
