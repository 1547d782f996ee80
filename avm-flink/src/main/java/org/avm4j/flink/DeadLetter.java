package org.avm4j.flink;

import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A row that could not be used, and why. Nothing was learned from it.
 *
 * @param row the original row, truncated if it is very long
 * @param kind the kind of error, as in the metrics: {@code label}, {@code value}, {@code columns},
 *     {@code weight}, {@code limit}, {@code id}, {@code malformed}, {@code model} or {@code size}
 * @param reason the reason, in one sentence
 */
@TypeInfo(ValueTypeFactory.class)
public record DeadLetter(String row, String kind, String reason) {
  private static final int LONGEST_ROW = 10_000;
  private static final int LONGEST_REASON = 1000;

  /** The kind of letters in the first version of the format, which did not store it. */
  static final String UNKNOWN = "unknown";

  /** A row with the id of another row that still waits for its label. */
  static final String ID = "id";

  /** A line or table row that is not a valid row, label or model. */
  public static final String MALFORMED = "malformed";

  /** A row without a model to score it, or an update that is not a model. */
  static final String MODEL = "model";

  /** An answer or a model that is too large for its sink. */
  public static final String SIZE = "size";

  public DeadLetter {
    row = cut(row, LONGEST_ROW);
    reason = cut(reason, LONGEST_REASON);
  }

  private static String cut(String text, int longest) {
    return text.length() > longest ? text.substring(0, longest) + "…" : text;
  }
}
