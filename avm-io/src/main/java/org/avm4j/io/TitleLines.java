package org.avm4j.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * Finds the lines above the header of a table, such as the title that spreadsheets and statistical
 * offices write: they have fewer fields than the header and the rows.
 */
final class TitleLines {
  /** Maximum number of lines above a header. */
  private static final int MOST = 10;

  /** Share of the lines from the header on that have the same number of fields. */
  private static final double REGULAR = 0.8;

  private static final Pattern YEAR = Pattern.compile("(19|20)\\d{2}");

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
    int wide = commonWidth(delimiter);
    CsvFields fields = new CsvFields(delimiter);
    if (lines.isEmpty() || !isShort(split(lines.get(0), fields), wide)) {
      return 0;
    }
    List<String[]> all = lines.stream().map(line -> split(line, fields)).toList();
    int width = filledWidth(all, wide);
    List<String[]> records = all.stream().map(record -> cut(record, width)).toList();
    int titles = 0;
    while (titles < records.size() && isTitle(records, titles, width)) {
      titles++;
    }
    boolean isQuoted = lines.subList(0, titles).stream().anyMatch(fields::isOpen);
    if (titles == 0 || isQuoted || titles > MOST || titles == records.size()) {
      return 0;
    }
    List<String[]> table = records.subList(titles, records.size());
    List<String[]> rest = table.subList(1, table.size());
    long regular = 1 + rest.stream().filter(record -> record.length == width).count();
    return regular >= REGULAR * table.size() && isHeader(table, width) ? titles : 0;
  }

  /** Whether the first of these records is a header, perhaps without a name for the row names. */
  private boolean isHeader(List<String[]> table, int width) {
    List<String[]> rest = table.subList(1, table.size());
    String[] header = RowNames.withIndex(table.get(0), rest);
    return header.length == width && isHeader.test(header, rest);
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

  /** The width without fields at the end of the rows that are always empty. */
  private static int filledWidth(List<String[]> records, int width) {
    int filled = width;
    while (filled > 1 && isEmptyAt(filled - 1, records)) {
      filled--;
    }
    return filled;
  }

  private static boolean isEmptyAt(int column, List<String[]> records) {
    return records.stream().allMatch(row -> row.length <= column || row[column].isEmpty());
  }

  /** A record without empty fields beyond the width of the table. */
  private static String[] cut(String[] record, int width) {
    int count = record.length;
    while (count > width && record[count - 1].isEmpty()) {
      count--;
    }
    return count == record.length ? record : Arrays.copyOf(record, count);
  }

  /** Whether a record is short and no header over rows that begin with a row name. */
  private boolean isTitle(List<String[]> records, int index, int width) {
    return isShort(records.get(index), width)
        && !isOverRowNames(records.subList(index, records.size()), width);
  }

  /** Whether a record has fewer fields than the table, or most of those at its end are empty. */
  private static boolean isShort(String[] record, int width) {
    int filled = record.length;
    while (filled > 0 && record[filled - 1].isEmpty()) {
      filled--;
    }
    return record.length < width || 2 * filled <= width;
  }

  /**
   * Whether the first of these records is a header that lacks only a name for the row names. A
   * single field, or a line above one of years, is rather a title.
   */
  private boolean isOverRowNames(List<String[]> table, int width) {
    return width > 2
        && table.size() > 1
        && table.get(0).length == width - 1
        && Arrays.stream(table.get(1)).noneMatch(field -> YEAR.matcher(field).matches())
        && isHeader(table, width);
  }
}
