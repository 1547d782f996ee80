package org.avm4j.io;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;

/** The latest fifth of the rows of an unsorted table, by the times in one of its columns. */
public final class LateRows {
  /** The latest rows are one part in this number. */
  private static final int PART = 5;

  private final Map<String, BitSet> lines = new HashMap<>();

  private LateRows() {}

  /** Reads the times of all rows; a row without one is not late. */
  static LateRows of(List<String> files, String column, ColumnKind kind, TableFiles tables)
      throws IOException {
    Map<String, double[]> times = new HashMap<>();
    for (String file : files) {
      try (CsvReader table = tables.open(file)) {
        times.put(file, times(table, column, kind));
      }
    }
    double[] all =
        times.values().stream()
            .flatMapToDouble(Arrays::stream)
            .filter(time -> !Double.isNaN(time))
            .sorted()
            .toArray();
    LateRows late = new LateRows();
    double least = all.length == 0 ? Double.NaN : threshold(all);
    times.forEach((file, of) -> late.lines.put(file, atLeast(least, of)));
    return late;
  }

  /** Opens a file as a table; null if it is not a table. */
  interface TableFiles {
    CsvReader open(String file) throws IOException;
  }

  /** The time on each line; NaN if there is none. */
  private static double[] times(CsvReader table, String column, ColumnKind kind)
      throws IOException {
    double[] times = new double[1024];
    Arrays.fill(times, Double.NaN);
    int place =
        table == null || table.header() == null ? -1 : table.header().names().indexOf(column);
    String[] fields = place < 0 ? null : table.readGoodFields();
    while (fields != null) {
      int line = (int) Math.min(table.line(), Integer.MAX_VALUE - 8);
      times = withRoom(times, line);
      boolean hasTime = place < fields.length && fields[place] != null;
      times[line] = hasTime ? time(fields[place], kind) : Double.NaN;
      fields = table.readGoodFields();
    }
    return times;
  }

  private static double[] withRoom(double[] times, int line) {
    if (line < times.length) {
      return times;
    }
    double[] larger = Arrays.copyOf(times, Math.max(line + 1, 2 * times.length));
    Arrays.fill(larger, times.length, larger.length, Double.NaN);
    return larger;
  }

  /** Converts a time to a number; later times have larger numbers. */
  static double time(String text, ColumnKind kind) {
    return kind.isDate() ? DateParts.year(text, kind) : kind.number(text);
  }

  /** The earliest late time. Rows of an equal time are late too, unless that is over half. */
  private static double threshold(double[] sorted) {
    double least = sorted[sorted.length - 1 - (sorted.length - 1) / PART];
    int from = Arrays.binarySearch(sorted, least);
    while (from > 0 && sorted[from - 1] == least) {
      from--;
    }
    return from >= sorted.length / 2 ? least : Math.nextUp(least);
  }

  private static BitSet atLeast(double least, double[] times) {
    BitSet late = new BitSet();
    for (int line = 0; line < times.length; line++) {
      late.set(line, times[line] >= least);
    }
    return late;
  }

  /** Whether the row on this line is one of the latest. */
  public boolean isLate(String file, long line) {
    BitSet late = lines.get(file);
    return late != null && late.get((int) Math.min(line, Integer.MAX_VALUE - 8));
  }
}
