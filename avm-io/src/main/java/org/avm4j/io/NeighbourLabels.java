package org.avm4j.io;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.avm4j.data.Decimal;
import org.avm4j.data.Note;

/**
 * Finds columns that hold the label of the next or of the previous row. Most columns are excluded
 * by the first rows.
 */
final class NeighbourLabels {
  /** Minimum number of rows whose label differs from that of the previous row. */
  private static final int FEWEST_CHANGES = 50;

  /** Number of rows per exception, and number of exceptions at the borders of files. */
  private static final int ROWS_PER_MISS = 100;

  private static final int MOST_MISSES = 2;

  private final Comparison next = new Comparison();
  private final Comparison previous = new Comparison();
  private String[] last;
  private long rows;
  private long changes;

  /** Adds the next row; null where a value is missing. */
  void add(String[] fields, int label) {
    if (last != null && fields[label] != null && last[label] != null) {
      boolean isChange = !fields[label].equals(last[label]);
      rows++;
      changes += isChange ? 1 : 0;
      next.add(last, fields[label], isChange);
      previous.add(fields, last[label], isChange);
    }
    last = fields;
  }

  /**
   * Notes for users on the columns that were found.
   *
   * @param names the names of all columns
   * @param used those that may be found
   */
  List<Note> notes(List<String> names, Set<String> used) {
    List<Note> notes = new ArrayList<>();
    for (String name : changes < FEWEST_CHANGES ? Set.<String>of() : used) {
      String column = "column '" + name + "' is the label of the ";
      if (next.candidates.get(names.indexOf(name))) {
        notes.add(
            Note.warning(
                column + "next row: is it known when you predict? --ignore leaves it out"));
      }
      if (previous.candidates.get(names.indexOf(name))) {
        notes.add(Note.of(column + "previous row, which must be known when you predict"));
      }
    }
    return notes;
  }

  /** Counts, for each column, the rows in which it differs from a label. */
  private final class Comparison {
    private BitSet candidates;
    private int[] misses;
    private int[] missedChanges;

    void add(String[] fields, String wanted, boolean isChange) {
      if (candidates == null) {
        candidates = new BitSet();
        candidates.set(0, fields.length);
        misses = new int[fields.length];
        missedChanges = new int[fields.length];
      }
      for (int i = candidates.nextSetBit(0); i >= 0; i = candidates.nextSetBit(i + 1)) {
        if (i >= fields.length || !isSame(fields[i], wanted)) {
          misses[i]++;
          missedChanges[i] += isChange ? 1 : 0;
          boolean isOut = isTooMany(misses[i], rows) || isTooMany(missedChanges[i], changes);
          candidates.set(i, !isOut);
        }
      }
    }

    private static boolean isTooMany(int missed, long all) {
      return missed > MOST_MISSES + all / ROWS_PER_MISS;
    }

    private static boolean isSame(String text, String wanted) {
      return wanted.equals(text)
          || text != null && Decimal.isNumber(text) && Decimal.parse(text) == Decimal.parse(wanted);
    }
  }
}
