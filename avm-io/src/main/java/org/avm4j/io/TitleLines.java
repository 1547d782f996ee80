package org.avm4j.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Finds the lines above the header of a table, such as the title that spreadsheets and statistical
 * offices write: they have fewer fields than the header and the rows.
 */
final class TitleLines {
  /** Maximum number of lines above a header. */
  private static final int MOST = 10;

  /** Share of the lines from the header on that have the same number of fields. */
  private static final double REGULAR = 0.8;

  private final List<String> lines;
  private final BiPredicate<String[], List<String[]>> isHeader;

  /**
   * Examines the first lines of a file.
   *
   * @param isHeader whether a record is a header, given the records after it
   */
  TitleLines(List<String> lines, BiPredicate<String[], List<String[]>> isHeader) {
    this.lines = lines;
    this.isHeader = isHeader;
  }

  /** The number of lines above the header; null as delimiter means any that is usual. */
  int count(Character delimiter) {
    if (delimiter != null) {
      return count(delimiter.charValue());
    }
    for (char candidate : Delimiters.CANDIDATES) {
      int titles = count(candidate);
      if (titles > 0 && Delimiters.likely(lines.subList(titles, lines.size())) == candidate) {
        return titles;
      }
    }
    return 0;
  }

  private int count(char delimiter) {
    int width = commonWidth(delimiter);
    CsvFields fields = new CsvFields(delimiter);
    if (lines.isEmpty() || !isTitle(split(lines.get(0), fields), width)) {
      return 0;
    }
    List<String[]> records = lines.stream().map(line -> split(line, fields)).toList();
    int titles = 1;
    while (titles < records.size() && isTitle(records.get(titles), width)) {
      titles++;
    }
    boolean isQuoted = lines.subList(0, titles).stream().anyMatch(fields::isOpen);
    if (isQuoted || titles > MOST || titles == records.size()) {
      return 0;
    }
    List<String[]> table = records.subList(titles, records.size());
    long regular = table.stream().filter(record -> record.length == width).count();
    return table.get(0).length == width
            && regular >= REGULAR * table.size()
            && isHeader.test(table.get(0), table.subList(1, table.size()))
        ? titles
        : 0;
  }

  private static String[] split(String line, CsvFields fields) {
    try {
      return fields.of(line);
    } catch (CsvParseException broken) {
      return new String[] {line};
    }
  }

  /** The most common number of fields in a line that has several. */
  private int commonWidth(char delimiter) {
    Map<Integer, Integer> counts = new HashMap<>();
    lines.forEach(line -> counts.merge(1 + Delimiters.count(line, delimiter), 1, Integer::sum));
    counts.remove(1);
    return counts.entrySet().stream()
        .max(Map.Entry.<Integer, Integer>comparingByValue().thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .orElse(0);
  }

  /** Whether a record has fewer fields than the table, or most of those at its end are empty. */
  private static boolean isTitle(String[] record, int width) {
    int filled = record.length;
    while (filled > 0 && record[filled - 1].isEmpty()) {
      filled--;
    }
    return record.length < width || 2 * filled <= width;
  }
}
