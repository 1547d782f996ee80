package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of results under fixed column names: as CSV, Markdown and HTML. */
final class PeerTable {
  private final String[] columns;
  private final List<Object[]> rows = new ArrayList<>();

  /** A table whose columns are given with commas between them. */
  PeerTable(String columns) {
    this.columns = columns.split(", ");
  }

  /** Adds a row of texts and numbers, one for each column; a sample is three. */
  PeerTable add(Object... values) {
    rows.add(Arrays.stream(values).flatMap(PeerTable::values).toArray());
    return this;
  }

  private static Stream<Object> values(Object value) {
    return value instanceof Sample sample
        ? Stream.of(sample.median(), sample.least(), sample.largest())
        : Stream.of(value);
  }

  List<Object> column(String name) {
    int at = List.of(columns).indexOf(name);
    return rows.stream().map(row -> row[at]).toList();
  }

  String markdown() {
    String rule = "|---".repeat(columns.length) + "|\n";
    return line(columns) + rule + rows.stream().map(PeerTable::line).collect(Collectors.joining());
  }

  private static String line(Object[] values) {
    return Arrays.stream(values)
        .map(PeerTable::shown)
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** A value for people. */
  static String shown(Object value) {
    if (value instanceof Double number) {
      String format = Math.abs(number) >= 1000 ? "%,.0f" : "%.4g";
      return Double.isFinite(number) ? String.format(Locale.ROOT, format, number) : "–";
    }
    return value instanceof Number number
        ? String.format(Locale.ROOT, "%,d", number.longValue())
        : String.valueOf(value);
  }

  /** RFC 4180, for values without quotes. */
  String csv() {
    StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
    for (Object[] row : rows) {
      text.append(Arrays.stream(row).map(PeerTable::field).collect(Collectors.joining(",")));
      text.append('\n');
    }
    return text.toString();
  }

  private static String field(Object value) {
    String field = String.valueOf(value);
    return field.contains(",") ? '"' + field + '"' : field;
  }

  /** A table of HTML, which may be wider than the page; the first row is the heading. */
  String html() {
    return markdown()
        .replaceAll("(?m)^\\|---.*\n", "")
        .replaceAll("(?m)^\\| (.*) \\|$", "<tr><td>$1</td></tr>")
        .replace(" | ", "</td><td>")
        .replaceAll("\\*\\*([^*]+)\\*\\*", "<b>$1</b>")
        .replace("`", "")
        .transform(body -> "<div class=\"wide\"><table>\n" + body + "</table></div>\n");
  }

  /** Prints the table and writes NAME.csv into a folder. */
  void publish(Path folder, String name) throws IOException {
    System.out.print(markdown());
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".csv"), csv());
    System.out.println("written: " + folder.resolve(name + ".csv"));
  }
}
