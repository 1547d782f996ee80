package org.avm4j.flink;

import java.math.BigDecimal;
import org.avm4j.data.Decimal;
import org.avm4j.data.UnicodeText;

/** Converts ids and labels to a canonical form, so that equal ones compare as equal. */
final class Canonical {
  private Canonical() {}

  /** The text of an id: 677, 677.0 and "677" are "677"; null stays null. */
  static String id(Object id) {
    if (id instanceof BigDecimal exact) {
      return exact.stripTrailingZeros().toPlainString();
    }
    if (id instanceof Number number) {
      return Decimal.text(number);
    }
    return id == null ? null : id.toString();
  }

  /** A number as a {@link Double}, true as 1 and false as 0; anything else unchanged. */
  static Object label(Object label) {
    if (label instanceof Boolean bit) {
      return bit ? 1.0 : 0.0;
    }
    return label instanceof Number number ? (Object) Decimal.value(number) : label;
  }

  /** Throws an exception for a text that cannot be encoded in UTF-8 without loss. */
  static void check(String what, String text) {
    if (text != null) {
      UnicodeText.check(what, text);
    }
  }
}
