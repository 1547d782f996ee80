package org.avm4j.pipeline;

/**
 * Limits on new names in rows, and on the size of a model.
 *
 * @param features the most features; a row that would exceed them is refused
 * @param classes the most classes; a row of a further class is refused
 * @param isOpen whether rows may have new columns
 * @param takesUnlabelled whether rows without a label are {@linkplain Pipeline#observe observed};
 *     else they are refused
 */
public record RowLimits(int features, int classes, boolean isOpen, boolean takesUnlabelled) {
  /** No limits but those of the learner. */
  public static final RowLimits NONE =
      new RowLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, true, false);

  /** Limits for rows from untrusted sources: 65,536 features and 1,000 classes. */
  public static final RowLimits SHARED = new RowLimits(1 << 16, 1000, true, false);

  /** The same limits for columns that were declared: a row with any other is refused. */
  public RowLimits declared() {
    return new RowLimits(features, classes, false, takesUnlabelled);
  }

  /** The same limits where rows without a label are observed. */
  public RowLimits withUnlabelled() {
    return new RowLimits(features, classes, isOpen, true);
  }
}
