package org.avm4j.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.AtomicFile;

/**
 * A self-contained HTML page with the text, tables and drawings of a run or an evaluation. It
 * follows the light or dark mode of the browser, and never conveys information by colour alone.
 */
final class HtmlReport {
  private final StringBuilder body = new StringBuilder();
  private final String title;

  HtmlReport(String title) {
    this.title = title;
    body.append("<h1>").append(Svg.escaped(title)).append("</h1>\n");
  }

  HtmlReport section(String heading) {
    body.append("<h2>").append(Svg.escaped(heading)).append("</h2>\n");
    return this;
  }

  HtmlReport note(String words) {
    body.append("<p class=\"note\">").append(Svg.escaped(words)).append("</p>\n");
    return this;
  }

  HtmlReport warning(String words) {
    body.append("<p class=\"warning\">Warning: ").append(Svg.escaped(words)).append("</p>\n");
    return this;
  }

  HtmlReport drawing(String svg) {
    body.append("<div class=\"wide\">").append(svg).append("</div>\n");
    return this;
  }

  HtmlReport rows(Map<String, String> rows) {
    body.append("<div class=\"wide\"><table class=\"rows\">\n");
    rows.forEach((name, value) -> row("th", List.of(name, value)));
    body.append("</table></div>\n");
    return this;
  }

  /**
   * A bar with its margin.
   *
   * @param name the name of the bar
   * @param value its length; a negative value has no bar
   * @param margin the uncertainty of the value, drawn as a line below the bar
   * @param words the value as text
   */
  record Bar(String name, double value, double margin, String words) {}

  /** Adds bars below each other, which shrink with the page. */
  HtmlReport bars(List<Bar> bars) {
    double most =
        bars.stream().mapToDouble(bar -> Math.max(bar.value, 0) + bar.margin).max().orElse(0);
    body.append("<table class=\"bars\">\n");
    for (Bar bar : bars) {
      body.append("<tr><th scope=\"row\">").append(Svg.escaped(bar.name)).append("</th>");
      body.append("<td class=\"track\">");
      part("bar", 0, Math.max(0, bar.value), most);
      double from = Math.max(0, bar.value - bar.margin);
      part("margin", from, Math.max(from, bar.value + bar.margin) - from, most);
      body.append("</td><td>").append(Svg.escaped(bar.words)).append("</td></tr>\n");
    }
    body.append("</table>\n");
    return this;
  }

  private void part(String style, double from, double length, double most) {
    double whole = most > 0 ? most : 1;
    body.append(
        Text.format(
            "<div class=\"%s\" style=\"margin-left:%.1f%%;width:%.1f%%\"></div>",
            style, 100 * from / whole, 100 * length / whole));
  }

  HtmlReport table(List<String> heads, List<List<String>> cells) {
    body.append("<div class=\"wide\"><table>\n<tr>");
    heads.forEach(
        head -> body.append("<th scope=\"col\">").append(Svg.escaped(head)).append("</th>"));
    body.append("</tr>\n");
    cells.forEach(row -> row("td", row));
    body.append("</table></div>\n");
    return this;
  }

  private void row(String first, List<String> cells) {
    body.append("<tr>");
    for (int i = 0; i < cells.size(); i++) {
      String tag = i == 0 ? first : "td";
      body.append('<').append(tag).append('>').append(Svg.escaped(cells.get(i)));
      body.append("</").append(tag).append('>');
    }
    body.append("</tr>\n");
  }

  private static String head() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  String html() {
    return Text.format(head(), Svg.escaped(title)) + body + "</body></html>\n";
  }

  /** Writes the page; - is standard output. */
  void write(Path file) throws IOException {
    if (Standard.isMeant(file)) {
      System.out.print(html());
    } else {
      AtomicFile.write(file, html().getBytes(StandardCharsets.UTF_8));
    }
  }
}
