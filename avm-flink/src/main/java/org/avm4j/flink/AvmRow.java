package org.avm4j.flink;

import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.Features;

/**
 * A row of a stream.
 *
 * @param key says which learner is meant
 * @param id what the row is called, so that a label can follow later; null for nothing
 * @param values what it holds
 * @param label a {@link Double}, a {@link String}, or null where there is none
 * @param weight how much its loss counts
 */
@TypeInfo(ValueTypeFactory.class)
public record AvmRow(String key, String id, RowValues values, Object label, double weight) {
  public AvmRow {
    Objects.requireNonNull(key, "a row must have a key");
    Objects.requireNonNull(values, "a row must have values");
    label = label instanceof Number number ? (Object) number.doubleValue() : label;
  }

  /** A row by index with a label, or null for none. */
  public static AvmRow of(String key, Features x, Object label) {
    return new AvmRow(key, null, new RowValues.Indexed(x), label, 1);
  }

  /** A row by column name with a label, or null for none. */
  public static AvmRow of(String key, Map<String, Object> columns, Object label) {
    return new AvmRow(key, null, new RowValues.Named(columns), label, 1);
  }

  /** The same row by another key. */
  public AvmRow withKey(String other) {
    return new AvmRow(other, id, values, label, weight);
  }

  /** The same row with an id. */
  public AvmRow withId(String other) {
    return new AvmRow(key, other, values, label, weight);
  }

  /** The same row with a label and its weight. */
  public AvmRow withLabel(Object other, double itsWeight) {
    return new AvmRow(key, id, values, other, itsWeight);
  }
}
