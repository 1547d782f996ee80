package org.avm4j.flink;

import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A row that could not be used, and why. Nothing was learned from it.
 *
 * @param row the row as it came, cut if it is very long
 * @param kind what is wrong in one word, as in the metrics: {@code label}, {@code value}, {@code
 *     columns}, {@code weight}, {@code limit}, {@code id}, {@code malformed}, {@code model} or
 *     {@code size}
 * @param reason one sentence
 */
@TypeInfo(ValueTypeFactory.class)
public record DeadLetter(String row, String kind, String reason) {
  private static final int LONGEST_ROW = 10_000;
  private static final int LONGEST_REASON = 1000;

  /** What the first version of the format did not tell. */
  static final String UNKNOWN = "unknown";

  /** A row whose id is that of a row that waits. */
  static final String ID = "id";

  /** A text that is no row, no label or no model. */
  public static final String MALFORMED = "malformed";

  /** A row without a model to score it, or an update that is no model. */
  static final String MODEL = "model";

  /** An answer or a model that is too large for where it goes. */
  public static final String SIZE = "size";

  public DeadLetter {
    row = cut(row, LONGEST_ROW);
    reason = cut(reason, LONGEST_REASON);
  }

  private static String cut(String text, int longest) {
    return text.length() > longest ? text.substring(0, longest) + "…" : text;
  }
}
