package org.avm4j.pipeline;

/**
 * Limits on new names in rows, and on the size of a model.
 *
 * @param features the most features; a row that would exceed them is refused
 * @param classes the most classes; a row of a further class is refused
 * @param nameLength the most characters of a new column, category or label that is a text
 * @param isOpen whether rows may have new columns
 * @param takesUnlabelled whether rows without a label are {@linkplain Pipeline#observe observed};
 *     else they are refused
 */
public record RowLimits(
    int features, int classes, int nameLength, boolean isOpen, boolean takesUnlabelled) {
  /** No limits but those of the learner. */
  public static final RowLimits NONE =
      new RowLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, true, false);

  /**
   * Limits for rows from untrusted sources: 65,536 features, 1,000 classes, and names of 1,000
   * characters.
   */
  public static final RowLimits SHARED = new RowLimits(1 << 16, 1000, 1000, true, false);

  /** The same limits for columns that were declared: a row with any other is refused. */
  public RowLimits declared() {
    return new RowLimits(features, classes, nameLength, false, takesUnlabelled);
  }

  /** The same limits where rows without a label are observed. */
  public RowLimits withUnlabelled() {
    return new RowLimits(features, classes, nameLength, isOpen, true);
  }
}
