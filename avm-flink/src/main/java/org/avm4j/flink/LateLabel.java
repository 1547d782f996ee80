package org.avm4j.flink;

import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A label that follows its row.
 *
 * @param key the key of the row
 * @param id the id of the row
 * @param label a {@link Double} or a {@link String}
 * @param weight how much the loss of the row counts
 */
@TypeInfo(ValueTypeFactory.class)
public record LateLabel(String key, String id, Object label, double weight) {
  public LateLabel {
    Objects.requireNonNull(key, "a label must have a key");
    Objects.requireNonNull(id, "a label must have the id of its row");
    Objects.requireNonNull(label, "a label must not be null");
    label = label instanceof Number number ? (Object) number.doubleValue() : label;
  }
}
