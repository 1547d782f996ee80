package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;

/** A line chart over instances; lines differ by colour, dashes and names. */
final class LineChart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 356;
  private static final int LEFT = 60;
  private static final int RIGHT = 20;
  private static final int TOP = 62;
  private static final int BOTTOM = 46;
  private static final int TICKS = 5;

  private record Line(String name, double[] x, double[] y, String style) {}

  private final List<Line> lines = new ArrayList<>();
  private final List<Double> marks = new ArrayList<>();
  private final String unit;
  private double most;
  private double top;

  /** A chart with a unit for its vertical axis. */
  LineChart(String unit) {
    this.unit = unit;
  }

  void line(String name, double[] x, double[] y, String style) {
    lines.add(new Line(name, x, y, style));
    for (int i = 0; i < x.length; i++) {
      most = Math.max(most, x[i]);
      top = Double.isFinite(y[i]) ? Math.max(top, y[i]) : top;
    }
  }

  /** Adds a vertical line. */
  void mark(double x) {
    marks.add(x);
  }

  String svg(String what) {
    top = round(top);
    Svg svg = new Svg(WIDTH, HEIGHT, what);
    axes(svg);
    for (double mark : marks) {
      svg.line(x(mark), y(0), x(mark), y(top), "drift");
    }
    double at = LEFT;
    for (Line line : lines) {
      svg.path(all(line.x, true), all(line.y, false), line.style);
      svg.line(at, 20, at + 34, 20, line.style).words(at + 40, 24, line.name, "");
      at += 60 + 7.2 * line.name.length();
    }
    return svg.end();
  }

  /** The next larger number whose fifths are easy to read. */
  private static double round(double value) {
    if (value <= 0) {
      return 1;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8}) {
      if (value <= step * unit) {
        return step * unit;
      }
    }
    return 10 * unit;
  }

  private void axes(Svg svg) {
    for (int i = 0; i <= TICKS; i++) {
      double value = top * i / TICKS;
      svg.line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid");
      svg.words(LEFT - 8, y(value) + 4, Text.format("%.3g", value), "end");
      double instance = most * i / TICKS;
      svg.words(x(instance), HEIGHT - BOTTOM + 18, Text.number(Math.rint(instance)), "middle");
    }
    svg.words(WIDTH - RIGHT, HEIGHT - 8, "instances", "end");
    svg.words(4, 48, unit, "");
  }

  private double[] all(double[] values, boolean isX) {
    double[] places = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      places[i] = isX ? x(values[i]) : y(values[i]);
    }
    return places;
  }

  private double x(double value) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (most == 0 ? 0 : value / most);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
  }
}
