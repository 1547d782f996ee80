package org.avm4j.flink;

import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A label that arrives separately from its row.
 *
 * @param key the key of the row
 * @param id the id of the row
 * @param label a {@link Double} or a {@link String}
 * @param weight the weight of the loss of the row
 */
@TypeInfo(ValueTypeFactory.class)
public record LateLabel(String key, String id, Object label, double weight) {
  public LateLabel {
    Objects.requireNonNull(key, "a label must have a key");
    Objects.requireNonNull(id, "a label must have the id of its row");
    Objects.requireNonNull(label, "a label must not be null");
    Canonical.check("the key of a label", key);
    Canonical.check("the id of a label", id);
    label = Canonical.label(label);
  }

  /** A label for the row with this id, a text or a number; 677, 677.0 and "677" are equal. */
  public static LateLabel of(String key, Object id, Object label, double weight) {
    return new LateLabel(key, Canonical.id(id), label, weight);
  }
}
