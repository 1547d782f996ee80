package org.avm4j.pipeline;

import java.util.Locale;
import org.avm4j.FeatureException;
import org.avm4j.data.Schema;

/** A row that may not be learned. The message says why in one sentence; nothing has changed. */
public final class RefusedRowException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with a row; the name in lower case is its name in figures. */
  public enum Reason {
    /** The label is missing or does not fit the task. */
    LABEL,
    /** A value does not fit its column. */
    VALUE,
    /** The columns are not those of the model. */
    COLUMNS,
    /** The weight is no positive number. */
    WEIGHT,
    /** The row would make the model larger than it may be. */
    LIMIT;

    /** The name in figures. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;
  private final int row;

  /** A row that is refused for this reason. */
  public RefusedRowException(Reason reason, String message) {
    this(reason, message, 0, null);
  }

  private RefusedRowException(Reason reason, String message, int row, Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.row = row;
  }

  /** The place of the row among those that were handed over with it, counted from 0. */
  public int row() {
    return row;
  }

  /** The same refusal of a row at another place. */
  RefusedRowException at(int place) {
    return new RefusedRowException(reason, getMessage(), place, getCause());
  }

  /** What is wrong with the row. */
  public Reason reason() {
    return reason;
  }

  /** A refusal that names the column instead of the feature. */
  static RefusedRowException of(IllegalArgumentException refused, Reason reason, Schema schema) {
    if (refused instanceof RefusedRowException known) {
      return known;
    }
    String message =
        refused instanceof FeatureException feature
            ? feature.message(schema::featureName)
            : refused.getMessage();
    return new RefusedRowException(reason, message, 0, refused);
  }
}
