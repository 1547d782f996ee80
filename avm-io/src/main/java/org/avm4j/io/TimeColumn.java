package org.avm4j.io;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.avm4j.data.ColumnKind;

/**
 * A column with the time of a row.
 *
 * @param name its name
 * @param goesUp whether it ascends from row to row, as in a log file
 * @param goesDown whether it descends from row to row, as in a file with the latest row first
 * @param late the latest rows, if the user gave the column and it is not sorted; else null
 */
public record TimeColumn(String name, boolean goesUp, boolean goesDown, LateRows late) {
  /** The first column of times in ascending or descending order; null if there is none. */
  static TimeColumn ordered(Collection<ColumnProfile> columns) {
    for (ColumnProfile column : columns) {
      Trend trend = column.timeTrend();
      if (trend != null && isOrdered(trend)) {
        return of(column.name(), trend, null);
      }
    }
    return null;
  }

  /**
   * The column that the user gave.
   *
   * @param column its profile; null for one that is no feature
   * @param files the files in which late rows can be found; empty for other formats than CSV
   */
  static TimeColumn of(
      String name, ColumnProfile column, List<String> files, LateRows.TableFiles tables)
      throws IOException {
    ColumnKind kind = column == null ? ColumnKind.IGNORED : column.kind();
    if (!kind.isDate() && !kind.isNumeric() || kind == ColumnKind.UNITS) {
      throw new IllegalArgumentException(
          "--time-column needs dates or numbers, but column '" + name + "' holds something else");
    }
    Trend trend = column.trend();
    if (isOrdered(trend)) {
      return of(name, trend, null);
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "--time-column needs CSV where the rows are not in the order of that column");
    }
    return of(name, trend, LateRows.of(files, name, kind, tables));
  }

  private static boolean isOrdered(Trend trend) {
    return trend.isAscending() || trend.isDescending();
  }

  private static TimeColumn of(String name, Trend trend, LateRows late) {
    return new TimeColumn(name, trend.isAscending(), trend.isDescending(), late);
  }
}
