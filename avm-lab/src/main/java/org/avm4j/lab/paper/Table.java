package org.avm4j.lab.paper;

import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table that can be shown as Markdown, HTML and CSV.
 *
 * @param header the names of the columns
 * @param rows the rows, each with a cell for each column
 */
record Table(List<String> header, List<List<String>> rows) {
  String markdown() {
    StringBuilder text = new StringBuilder(line(header));
    text.append("|---").append("|--:".repeat(header.size() - 1)).append("|\n");
    rows.forEach(row -> text.append(line(row)));
    return text.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** The table as CSV, without Markdown for bold. */
  String csv() {
    StringBuilder text = new StringBuilder();
    Stream.concat(Stream.of(header), rows.stream())
        .forEach(row -> text.append(row.stream().map(Table::quoted).collect(joined())));
    return text.toString().replace("**", "");
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(",", "", "\n");
  }

  private static String quoted(String cell) {
    return cell.contains(",") || cell.contains("\"")
        ? '"' + cell.replace("\"", "\"\"") + '"'
        : cell;
  }

  String html() {
    StringBuilder text =
        new StringBuilder("<div class=\"scroll\"><table class=\"sortable\">\n<thead><tr>");
    header.forEach(
        cell ->
            text.append("<th scope=\"col\"><button type=\"button\">")
                .append(escaped(cell))
                .append("</button></th>"));
    text.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      text.append("<tr>");
      for (String cell : row) {
        text.append("<td>").append(escaped(cell)).append("</td>");
      }
      text.append("</tr>\n");
    }
    return text.append("</tbody></table></div>\n").toString();
  }

  /** Escapes a text for HTML, and converts bold, italic and code from Markdown. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("\\*\\*(.+?)\\*\\*", "<strong>$1</strong>")
        .replaceAll("\\*(.+?)\\*", "<em>$1</em>")
        .replaceAll("`(.+?)`", "<code>$1</code>");
  }
}
