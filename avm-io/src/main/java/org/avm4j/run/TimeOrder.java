package org.avm4j.run;

import java.util.Locale;
import org.avm4j.io.TableProfile;
import org.avm4j.io.TimeColumn;

/**
 * Whether rows of files are in the order of time, how that was noticed, and which of them are the
 * latest. A model for future rows is measured on the latest rows: if neighbouring rows are similar,
 * rows held out at random give too low an error.
 */
public final class TimeOrder {
  /** No order was noticed. */
  static final TimeOrder NONE = new TimeOrder(null, null);

  /** The latest fifth of the rows is held out. */
  private static final int PART = 5;

  private final String reason;
  private final TimeColumn column;
  private long rows;
  private long late;

  private TimeOrder(String reason, TimeColumn column) {
    this.reason = reason;
    this.column = column;
  }

  /** The order that a look at the columns shows. */
  static TimeOrder of(TableProfile look) {
    return look.time().map(TimeOrder::of).orElse(NONE);
  }

  private static TimeOrder of(TimeColumn column) {
    String way = column.goesUp() ? " goes up from row to row" : " goes down from row to row";
    String given = " tells when rows were made";
    return new TimeOrder(
        "column '" + column.name() + "'" + (column.late() == null ? way : given), column);
  }

  /** The order that is known, or the one that the labels show. */
  TimeOrder or(LabelOrder labels, boolean hasCounter) {
    return isKnown() || !labels.isGradual(hasCounter)
        ? this
        : new TimeOrder(labels.gradualText(), null);
  }

  /** The order that is known, or the one that the user says. */
  TimeOrder orGiven(String flag) {
    return isKnown() ? this : new TimeOrder(flag + " takes them so", null);
  }

  /** Takes a row into account, in the order of the files. */
  void add(String file, long line) {
    rows++;
    late += hasMarks() && column.late().isLate(file, line) ? 1 : 0;
  }

  /** The same for files with this number of rows; none where no row is late. */
  TimeOrder ofRows(long count) {
    rows = count;
    return late() == 0 ? NONE : this;
  }

  private boolean hasMarks() {
    return column != null && column.late() != null;
  }

  /** Whether rows have an order in time. */
  public boolean isKnown() {
    return reason != null;
  }

  /** How many rows are the latest. */
  public long late() {
    return hasMarks() ? late : rows / PART;
  }

  /**
   * Whether a row is one of the latest.
   *
   * @param place its place among all rows, counted from 0
   */
  boolean isLate(long place, String file, long line) {
    if (hasMarks()) {
      return column.late().isLate(file, line);
    }
    return isLatestFirst() ? place < late() : place >= rows - late();
  }

  /** Whether the first row is the latest. */
  boolean isLatestFirst() {
    return column != null && column.goesDown();
  }

  /** How the order was noticed; null if there is none. */
  public String reason() {
    return reason;
  }

  /** The finding as a text for people. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "rows are in the order of time: %s; the latest %,d are held out to measure what comes next,"
            + " --shuffle holds out any",
        reason,
        late());
  }
}
