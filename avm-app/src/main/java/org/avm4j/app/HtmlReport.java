package org.avm4j.app;

import java.io.IOException;
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
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%s</title>
      <style>
      :root { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --faint: #d0d0d0; --dim: #5f5f5f;
        --own: #0067a6; --first: #b34700; --second: #00684a; --warn: #a3002b; }
      @media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #161616; --faint: #474747;
        --dim: #a9a9a9; --own: #6bb8ff; --first: #ffb070; --second: #5fd6ac; --warn: #ff8fa8; } }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
        padding: 1.5rem; max-width: 900px; overflow-wrap: anywhere; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
      p.note { color: var(--dim); } p.warning { color: var(--warn); font-weight: 600; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top;
        border-bottom: 1px solid var(--faint); font-variant-numeric: tabular-nums; }
      svg { width: 100%%; height: auto; display: block; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
      svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
      svg polyline, svg line { fill: none; stroke: var(--ink); stroke-width: 2; }
      svg .grid { stroke: var(--faint); stroke-width: 1; } svg .drift { stroke: var(--dim); stroke-width: 1; stroke-dasharray: 2 4; }
      svg .own { stroke: var(--own); stroke-width: 2.5; } svg .first { stroke: var(--first); stroke-dasharray: 9 5; }
      svg .second { stroke: var(--second); stroke-dasharray: 2 4; } svg .total { stroke: var(--dim); stroke-width: 1.5; }
      svg rect.heat { fill: var(--own); stroke: var(--faint); } svg circle.own { fill: var(--own); stroke: none; }
      svg .band { fill: var(--own); fill-opacity: .25; stroke: none; } svg circle.covered { fill: var(--ink); stroke: none; }
      svg circle.cluster0 { fill: var(--own); } svg circle.cluster1 { fill: var(--first); } svg circle.cluster2 { fill: var(--second); }
      svg circle.cluster3 { fill: none; stroke: var(--own); } svg circle.cluster4 { fill: none; stroke: var(--first); }
      svg circle.cluster5 { fill: none; stroke: var(--second); } svg circle.noise { fill: none; stroke: var(--dim); }
      svg text.name { font-size: 18px; font-weight: 700; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
      svg circle.missed { fill: none; stroke: var(--warn); stroke-width: 2; }
      table:not(.bars) th, table:not(.bars) td:first-child { overflow-wrap: normal; }
      table.bars { width: 100%%; max-width: 760px; } table.bars td { vertical-align: middle; }
      table.bars th { min-width: 6rem; } table.bars .track { width: 40%%; } table.bars .bar { background: var(--own); height: 1rem; }
      table.bars .margin { border-top: 2px solid var(--ink); margin-top: 2px; }
      @media (max-width: 600px) { body { padding: 1rem; }
        table.rows th, table.rows td { display: block; border: 0; padding: 0; } table.rows td { padding-bottom: .5rem;
        border-bottom: 1px solid var(--faint); } }
      </style></head><body>
      """;

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

  String html() {
    return Text.format(HEAD, Svg.escaped(title)) + body + "</body></html>\n";
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
