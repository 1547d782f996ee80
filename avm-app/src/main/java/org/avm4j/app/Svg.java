package org.avm4j.app;

import java.util.Locale;

/** Builds an SVG drawing. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /**
   * Fraction of its width to which a drawing shrinks; below it text is too small, so it scrolls.
   */
  private static final double LEAST = 0.7;

  /** A drawing of this size, which shrinks with the page, with a description for screen readers. */
  Svg(int width, int height, String what) {
    text.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" style=\"max-width:%dpx;min-width:%.0fpx\" role=\"img\" aria-label=\"%s\">\n",
            width,
            height,
            width,
            LEAST * width,
            escaped(what)));
  }

  Svg line(double x1, double y1, double x2, double y2, String style) {
    text.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
            x1,
            y1,
            x2,
            y2,
            style));
    return this;
  }

  Svg rect(double x, double y, double width, double height, String style, double opacity) {
    text.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\""
                + " fill-opacity=\"%.3f\"/>\n",
            x,
            y,
            width,
            height,
            style,
            opacity));
    return this;
  }

  Svg circle(double x, double y, double radius, String style) {
    text.append(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>\n",
            x,
            y,
            radius,
            style));
    return this;
  }

  /** Adds a line through points; points that are not finite are left out. */
  Svg path(double[] x, double[] y, String style) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      if (Double.isFinite(y[i])) {
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x[i], y[i]));
      }
    }
    text.append("<polyline points=\"").append(points.toString().strip());
    text.append("\" class=\"").append(style).append("\"/>\n");
    return this;
  }

  /** Adds a filled polygon. */
  Svg area(double[] x, double[] y, String style) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x[i], y[i]));
    }
    text.append("<polygon points=\"").append(points.toString().strip());
    text.append("\" class=\"").append(style).append("\"/>\n");
    return this;
  }

  /**
   * Adds text at a position.
   *
   * @param style CSS classes; {@code end} or {@code middle} sets the anchor
   */
  Svg words(double x, double y, String words, String style) {
    text.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n",
            x,
            y,
            style,
            escaped(words)));
    return this;
  }

  String end() {
    return text + "</svg>\n";
  }

  /** Escapes a text for HTML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
