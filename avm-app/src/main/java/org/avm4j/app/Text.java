package org.avm4j.app;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats numbers and tables. */
final class Text {
  private Text() {}

  /** Formats as {@link String#format} does, in the same way on every computer. */
  static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A whole number in full, any other with four significant digits. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? whole((long) value)
        : format("%.4g", value);
  }

  static String whole(long number) {
    return format("%,d", number);
  }

  /** A duration such as "1.23 s" or "2 min 5 s". */
  static String seconds(double seconds) {
    return seconds < 120
        ? format("%.2f s", seconds)
        : format("%d min %d s", (long) seconds / 60, (long) seconds % 60);
  }

  /** The first characters of a text that has more than {@code most}. */
  static String shortened(Object whole, int most) {
    String text = whole.toString();
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  /** A line of CSV. */
  static String csv(List<?> fields) {
    return fields.stream().map(field -> quoted(field.toString())).collect(Collectors.joining(","));
  }

  private static String quoted(String text) {
    boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** Names and values in two columns. */
  static String table(Map<String, String> rows) {
    int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    rows.forEach(
        (name, value) -> text.append(String.format("%-" + width + "s  %s%n", name, value)));
    return text.toString();
  }

  /** Aligns cells in columns; each line has the same number of cells. */
  static String columns(List<List<String>> lines) {
    StringBuilder text = new StringBuilder();
    int cells = lines.get(0).size();
    int[] widths = new int[cells];
    lines.forEach(line -> Arrays.setAll(widths, i -> Math.max(widths[i], line.get(i).length())));
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < cells; i++) {
        row.append(String.format("%-" + (widths[i] + 2) + "s", line.get(i)));
      }
      text.append(row.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  /** Named values as rows of a table, without those that are maps. */
  static Map<String, String> rows(Map<String, Object> values) {
    Map<String, String> rows = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value instanceof Number number) {
            rows.put(FigureText.words(name), number(number.doubleValue()));
          } else if (!(value instanceof Map)) {
            rows.put(FigureText.words(name), String.valueOf(value));
          }
        });
    return rows;
  }
}
