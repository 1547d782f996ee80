package org.avm4j.app;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Builds an SVG drawing. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /**
   * Fraction of its width to which a drawing shrinks; below it text is too small, so it scrolls.
   */
  private static final double LEAST = 0.7;

  /** A drawing of this size, which shrinks with the page, with a description for screen readers. */
  Svg(int width, int height, String what) {
    String size = "<svg viewBox=\"0 0 %d %d\" style=\"max-width:%dpx;min-width:%.0fpx\"";
    add(size, width, height, width, LEAST * width);
    add(" role=\"img\" aria-label=\"%s\">\n", escaped(what));
  }

  private Svg add(String format, Object... values) {
    text.append(Text.format(format, values));
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2, String style) {
    String line = "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n";
    return add(line, x1, y1, x2, y2, style);
  }

  Svg rect(double x, double y, double width, double height, String style, double opacity) {
    add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", x, y, width, height);
    return add(" class=\"%s\" fill-opacity=\"%.3f\"/>\n", style, opacity);
  }

  Svg circle(double x, double y, double radius, String style) {
    String circle = "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>\n";
    return add(circle, x, y, radius, style);
  }

  /** Adds a line through points; points that are not finite are left out. */
  Svg path(double[] x, double[] y, String style) {
    int[] finite = IntStream.range(0, x.length).filter(i -> Double.isFinite(y[i])).toArray();
    return shape("polyline", finite, x, y, style);
  }

  /** Adds a filled polygon. */
  Svg area(double[] x, double[] y, String style) {
    return shape("polygon", IntStream.range(0, x.length).toArray(), x, y, style);
  }

  private Svg shape(String element, int[] places, double[] x, double[] y, String style) {
    String points =
        Arrays.stream(places)
            .mapToObj(i -> Text.format("%.1f,%.1f", x[i], y[i]))
            .collect(Collectors.joining(" "));
    return add("<%s points=\"%s\" class=\"%s\"/>\n", element, points, style);
  }

  /**
   * Adds text at a position.
   *
   * @param style CSS classes; {@code end} or {@code middle} sets the anchor
   */
  Svg words(double x, double y, String words, String style) {
    return add("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, escaped(words));
  }

  String end() {
    return text + "</svg>\n";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
