package org.avm4j.run;

import java.util.Locale;
import java.util.Optional;
import org.avm4j.io.TableProfile;
import org.avm4j.io.TimeColumn;

/**
 * Whether the rows of files are in order of time, how this was detected, and which rows are the
 * latest. A model for future rows is measured on the latest rows: if neighbouring rows are similar,
 * rows held out at random would give too low an error.
 */
public final class TimeOrder {
  /** No order was detected. */
  static final TimeOrder NONE = new TimeOrder(null, null, null);

  /** The latest rows, which are held out, are one part in this number. */
  private static final int PART = 5;

  private final String reason;
  private final TimeColumn column;
  private final String other;
  private long rows;
  private long late;

  private TimeOrder(String reason, TimeColumn column, String other) {
    this.reason = reason;
    this.column = column;
    this.other = other;
  }

  /** The order by the time column of a table, if there is one. */
  static TimeOrder of(TableProfile look) {
    return look.time().map(TimeOrder::of).orElse(NONE);
  }

  private static TimeOrder of(TimeColumn column) {
    String way = column.goesUp() ? " increases from row to row" : " decreases from row to row";
    String given = " holds the time of each row";
    return new TimeOrder(
        "column '" + column.name() + "'" + (column.late() == null ? way : given), column, null);
  }

  /**
   * This order if it is known, else the one that the labels suggest, unless the table shows that
   * neighbouring rows are similar for another reason.
   */
  TimeOrder or(LabelOrder labels, TableProfile table) {
    if (isKnown() || !labels.isGradual(table.counter().isPresent())) {
      return this;
    }
    return table
        .otherOrder()
        .map(found -> new TimeOrder(null, null, found))
        .orElseGet(() -> new TimeOrder(labels.gradualText(), null, null));
  }

  /** This order if it is known, else the one that a flag demands. */
  TimeOrder orGiven(String flag) {
    return isKnown() ? this : new TimeOrder(flag + " says so", null, null);
  }

  /** Counts the next row of the files. */
  void add(String file, long line) {
    rows++;
    late += hasMarks() && column.late().isLate(file, line) ? 1 : 0;
  }

  /** Sets the number of rows; returns {@link #NONE} if no row is late. */
  TimeOrder ofRows(long count) {
    rows = count;
    return isKnown() && late() == 0 ? NONE : this;
  }

  private boolean hasMarks() {
    return column != null && column.late() != null;
  }

  /** Whether rows have an order in time. */
  public boolean isKnown() {
    return reason != null;
  }

  /** The number of latest rows, which are held out. */
  public long late() {
    return hasMarks() ? late : rows / PART;
  }

  /**
   * Whether a row is one of the latest.
   *
   * @param place its index among all rows
   */
  boolean isLate(long place, String file, long line) {
    if (hasMarks()) {
      return column.late().isLate(file, line);
    }
    return isLatestFirst() ? place < late() : place >= rows - late();
  }

  boolean isLatestFirst() {
    return column != null && column.goesDown();
  }

  /** How the order was detected; null if there is none. */
  public String reason() {
    return reason;
  }

  /** A sentence for users on the order; empty if neighbouring rows are not similar. */
  public Optional<String> text() {
    return isKnown()
        ? Optional.of(ofTime())
        : Optional.ofNullable(other)
            .map(
                why ->
                    "neighbouring rows have similar labels, but not by their time: "
                        + why
                        + ". Random rows are held out to estimate the error");
  }

  private String ofTime() {
    boolean areEnough = late() >= Estimate.FEWEST;
    return String.format(
        Locale.ROOT,
        "the rows are in chronological order: %s. The latest %,d are held out%s to estimate the"
            + " error on future rows; use --shuffle to hold out random rows",
        reason,
        late(),
        areEnough ? "" : ", too few");
  }
}
