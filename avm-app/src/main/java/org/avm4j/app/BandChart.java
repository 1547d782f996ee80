package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.avm4j.lab.paper.BandFigure;
import org.avm4j.run.AnswerBand;
import org.avm4j.run.AnswerBand.Point;

/** A chart of the latest answers, with a band for their intervals, and the true labels. */
final class BandChart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 356;
  private static final int LEFT = 60;
  private static final int RIGHT = 20;
  private static final int TOP = 42;
  private static final int BOTTOM = 46;
  private static final int TICKS = 5;

  private final AnswerBand band;
  private final List<Point> points;
  private final double bottom;
  private final double top;

  private BandChart(AnswerBand band) {
    this.band = band;
    points = band.points();
    double[] all = points.stream().flatMapToDouble(BandChart::heights).toArray();
    double low = DoubleStream.of(all).min().orElse(0);
    double high = DoubleStream.of(all).max().orElse(1);
    double margin = high > low ? 0.02 * (high - low) : 1;
    bottom = low - margin;
    top = high + margin;
  }

  /** All finite values of a point, which must fit into the drawing. */
  private static DoubleStream heights(Point point) {
    return DoubleStream.of(point.label(), point.answer(), point.low(), point.high())
        .filter(Double::isFinite);
  }

  /** Adds the chart to a page; nothing if answers are classes. */
  static void draw(AnswerBand band, HtmlReport page) {
    List<Point> points = band.points();
    if (points.size() < 2) {
      return;
    }
    page.section("How sure are the latest answers?").drawing(new BandChart(band).svg());
    long outside = points.stream().filter(point -> !point.isCovered()).count();
    page.note(
        Text.format(
            "%s. The band shows the interval of each answer. %,d of the %,d labels lie outside"
                + " it; about %.0f are expected.",
            title(band), outside, points.size(), (1 - band.level()) * points.size()));
  }

  /** Writes the chart as a PNG beside another one. */
  static void plot(AnswerBand band, Path png) throws IOException {
    if (band.points().size() > 1) {
      new BandFigure(
              title(band),
              all(band, Point::row),
              all(band, Point::answer),
              all(band, Point::low),
              all(band, Point::high),
              all(band, Point::label))
          .writeBeside(png);
    }
  }

  private static String title(AnswerBand band) {
    return Text.format(
        "The latest %,d answers with intervals of %s %%",
        band.points().size(), Text.number(100 * band.level()));
  }

  private static double[] all(AnswerBand band, ToDoubleFunction<Point> part) {
    return band.points().stream().mapToDouble(part).toArray();
  }

  private String svg() {
    Svg svg = new Svg(WIDTH, HEIGHT, title(band) + " and the true labels");
    axes(svg);
    svg.area(around(this::x, this::x), around(p -> y(p.high()), p -> y(p.low())), "band");
    double[] x = points.stream().mapToDouble(this::x).toArray();
    svg.path(x, points.stream().mapToDouble(point -> y(point.answer())).toArray(), "own");
    for (Point point : points) {
      dot(svg, x(point), y(point.label()), point.isCovered());
    }
    legend(svg);
    return svg.end();
  }

  /** The coordinates along one line and back along another, which enclose an area. */
  private double[] around(ToDoubleFunction<Point> there, ToDoubleFunction<Point> back) {
    int n = points.size();
    return Stream.iterate(0, i -> i < 2 * n, i -> i + 1)
        .mapToDouble(
            i ->
                i < n
                    ? there.applyAsDouble(points.get(i))
                    : back.applyAsDouble(points.get(2 * n - 1 - i)))
        .toArray();
  }

  private static void dot(Svg svg, double x, double y, boolean isCovered) {
    svg.circle(x, y, isCovered ? 1.8 : 4, isCovered ? "covered" : "missed");
  }

  private static void legend(Svg svg) {
    svg.rect(LEFT, 13, 34, 14, "band", 0.25).words(LEFT + 40, 24, "interval", "");
    svg.line(LEFT + 120, 20, LEFT + 154, 20, "own").words(LEFT + 160, 24, "answer", "");
    dot(svg, LEFT + 240, 20, true);
    svg.words(LEFT + 250, 24, "label", "");
    dot(svg, LEFT + 312, 20, false);
    svg.words(LEFT + 322, 24, "label outside its interval", "");
  }

  private void axes(Svg svg) {
    for (int i = 0; i <= TICKS; i++) {
      double value = bottom + (top - bottom) * i / TICKS;
      svg.line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid");
      svg.words(LEFT - 8, y(value) + 4, Text.format("%.3g", value), "end");
      Point point = points.get((points.size() - 1) * i / TICKS);
      svg.words(x(point), HEIGHT - BOTTOM + 18, Text.number(point.row()), "middle");
    }
    svg.words(WIDTH - RIGHT, HEIGHT - 8, "instances", "end");
  }

  private double x(Point point) {
    double first = points.get(0).row();
    double last = points.get(points.size() - 1).row();
    return LEFT + (WIDTH - LEFT - RIGHT) * (point.row() - first) / Math.max(1, last - first);
  }

  /** The vertical position of a value; infinite values are at the edge. */
  private double y(double value) {
    double inside = Math.max(bottom, Math.min(top, value));
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (inside - bottom) / (top - bottom);
  }
}
