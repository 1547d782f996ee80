package org.avm4j.table;

import java.util.Locale;

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
    /** The weight is not a positive number. */
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

  /**
   * A row among others that is refused for this reason.
   *
   * @param row its place among them, counted from 0
   * @param cause what refused it, or null
   */
  public RefusedRowException(Reason reason, String message, int row, Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.row = row;
  }

  /** The place of the row among those that were handed over with it, counted from 0. */
  public int row() {
    return row;
  }

  /** What is wrong with the row. */
  public Reason reason() {
    return reason;
  }
}
