package org.avm4j.flink;

import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.Features;
import org.avm4j.data.Row;

/**
 * A row of a stream. What it may contain is described in {@code docs/rows.md}.
 *
 * @param key the key of the learner for this row
 * @param id identifies the row for a label that follows later; null for none
 * @param values the columns or features
 * @param label a {@link Double}, a {@link String}, or null for none
 * @param weight the weight of its loss
 */
@TypeInfo(ValueTypeFactory.class)
public record AvmRow(String key, String id, Row.Values values, Object label, double weight) {
  public AvmRow {
    Objects.requireNonNull(key, "a row must have a key");
    Objects.requireNonNull(values, "a row must have values");
    Canonical.check("the key of a row", key);
    Canonical.check("the id of a row", id);
    label = Canonical.label(label);
  }

  /** A row by index with a label, or null for none. */
  public static AvmRow of(String key, Features x, Object label) {
    return new AvmRow(key, null, new Row.Indexed(x), label, 1);
  }

  /** A row by column name with a label, or null for none. */
  public static AvmRow of(String key, Map<String, ?> columns, Object label) {
    return new AvmRow(key, null, new Row.Named(columns), label, 1);
  }

  /** The same row with another key. */
  public AvmRow withKey(String other) {
    return new AvmRow(other, id, values, label, weight);
  }

  /** The same row with an id, a text or a number; 677, 677.0 and "677" are equal. */
  public AvmRow withId(Object other) {
    return new AvmRow(key, Canonical.id(other), values, label, weight);
  }

  /** The same row with a label and its weight. */
  public AvmRow withLabel(Object other, double itsWeight) {
    return new AvmRow(key, id, values, other, itsWeight);
  }

  /** The row as text for a dead letter. */
  String text() {
    String start = "key=" + key + (id == null ? "" : " id=" + id);
    return start + " label=" + label + " " + values.text();
  }

  Row row() {
    return new Row(values, label, weight);
  }
}
