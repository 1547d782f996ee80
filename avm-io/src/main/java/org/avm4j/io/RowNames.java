package org.avm4j.io;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.avm4j.data.Decimal;

/** Finds the row names of R, whose header has one name less than the rows have fields. */
final class RowNames {
  private RowNames() {}

  /**
   * The first record with an empty field before it if all others have one field more and begin with
   * a row name, as in the tables of R, whose column of row names has no name.
   */
  static String[] withIndex(String[] record, List<String[]> rest) {
    int width = record.length + 1;
    boolean isShort =
        !rest.isEmpty()
            && rest.stream().allMatch(row -> row.length == width && !row[width - 1].isEmpty())
            && areRowNames(rest);
    if (!isShort) {
      return record;
    }
    String[] titles = new String[width];
    titles[0] = "";
    System.arraycopy(record, 0, titles, 1, record.length);
    return titles;
  }

  /** Whether the first fields are all different: texts, or whole numbers in ascending order. */
  private static boolean areRowNames(List<String[]> rows) {
    Set<String> seen = new HashSet<>();
    double last = Double.NEGATIVE_INFINITY;
    for (String[] row : rows) {
      double number = Decimal.parse(row[0]);
      if (!seen.add(row[0]) || number <= last || Math.abs(number - Math.rint(number)) > 0) {
        return false;
      }
      last = Double.isNaN(number) ? last : number;
    }
    return true;
  }
}
