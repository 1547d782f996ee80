package org.avm4j.flink;

import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.RowEncoder;

/** What a row holds: numbers by index, or values by column name. Not to be changed once sent. */
public sealed interface RowValues {
  /** The features, by a schema that learns from them unless it is frozen. */
  Features encode(RowEncoder rows);

  /** An upper bound of the features that the row could add to a model. */
  int width();

  /**
   * Numbers by index.
   *
   * @param features immutable
   */
  record Indexed(Features features) implements RowValues {
    @Override
    public Features encode(RowEncoder rows) {
      return features;
    }

    @Override
    public int width() {
      return features.dimension();
    }
  }

  /**
   * Numbers, texts, booleans and nulls by column name, as JSON has them.
   *
   * @param columns new columns are numbered in the order of the map
   */
  record Named(Map<String, Object> columns) implements RowValues {
    @Override
    public Features encode(RowEncoder rows) {
      return rows.encode(columns);
    }

    @Override
    public int width() {
      return columns.size();
    }
  }

  /**
   * Texts by column name, as CSV has them: a text that looks like a number is one.
   *
   * @param columns new columns are numbered in the order of the map
   */
  record Texts(Map<String, String> columns) implements RowValues {
    @Override
    public Features encode(RowEncoder rows) {
      return rows.encodeText(columns);
    }

    @Override
    public int width() {
      return columns.size();
    }
  }
}
