package org.avm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Pictures in SVG that follow the light or dark colour scheme of the reader. */
final class Drawing {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 420;
  private static final int LEFT = 170;
  private static final int ROW = 22;

  private final StringBuilder text = new StringBuilder();

  private Drawing(int height) {
    String head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n<style>\n";
    text.append(String.format(head, WIDTH, height)).append(Resource.text("picture.css"));
    text.append("</style>\n");
  }

  private Drawing line(double x1, double y1, double x2, double y2, String style) {
    String format = "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>";
    return add(format, x1, y1, x2, y2, style);
  }

  private Drawing words(double x, double y, String words, String style) {
    return add("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>", x, y, style, words);
  }

  private Drawing dot(double x, double y, boolean isOurs) {
    String style = isOurs ? "ours" : "";
    return add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" class=\"%s\"/>", x, y, style);
  }

  private Drawing add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  private String end() {
    return text + "</svg>\n";
  }

  /**
   * A critical-difference diagram: learners below each other by their mean rank, the best on top. A
   * bar at the right joins those whose ranks do not differ by more than chance.
   */
  static String ranks(Map<String, Double> ranks, double critical) {
    List<Double> values = new ArrayList<>(ranks.values());
    int n = values.size();
    Drawing drawing = new Drawing(ROW * (n + 2));
    double unit = (WIDTH - LEFT - 150.0) / Math.max(1, n - 1);
    for (int rank = 1; rank <= n; rank++) {
      double x = LEFT + unit * (rank - 1);
      drawing.line(x, ROW, x, ROW * (n + 1), "grid").words(x, 15, rank + "", "middle");
    }
    int row = 1;
    int last = 0;
    int bars = 0;
    for (Map.Entry<String, Double> entry : ranks.entrySet()) {
      double y = ROW * (row + 0.5);
      double first = entry.getValue();
      String name = String.format(Locale.ROOT, "%s %.2f", entry.getKey(), first);
      drawing.words(LEFT - 12, y + 4, name, "end");
      drawing.dot(LEFT + unit * (first - 1), y, Contestant.named(entry.getKey()).isOurs());
      int end = (int) values.stream().filter(rank -> rank - first <= critical).count();
      if (end > row && end > last) {
        double x = WIDTH - 130 + 12 * bars++;
        drawing.line(x, y - 6, x, ROW * (end + 0.5) + 6, "bar");
        last = end;
      }
      row++;
    }
    return drawing.end();
  }

  record Point(String name, double x, double y, boolean isOurs) {}

  /** Points on two logarithmic axes, each with its name. */
  static String chart(String xTitle, String yTitle, List<Point> points) {
    Drawing drawing = new Drawing(HEIGHT);
    double[] x = points.stream().mapToDouble(Point::x).sorted().toArray();
    double[] y = points.stream().mapToDouble(Point::y).sorted().toArray();
    for (double tick = tick(x, 10); tick <= x[x.length - 1]; tick *= 10) {
      double at = at(tick, x, 60, WIDTH - 120);
      drawing.line(at, 20, at, HEIGHT - 50, "grid");
      drawing.words(at, HEIGHT - 34, PeerTable.shown(tick), "middle");
    }
    for (double tick = tick(y, 2); tick <= y[y.length - 1]; tick *= 2) {
      double at = at(tick, y, HEIGHT - 50, 30);
      drawing.line(60, at, WIDTH - 20, at, "grid");
      drawing.words(54, at + 4, PeerTable.shown(tick), "end");
    }
    drawing.words(WIDTH / 2.0, HEIGHT - 12, xTitle, "middle").words(60, 14, yTitle, "");
    for (Point point : points) {
      double left = at(point.x, x, 60, WIDTH - 120);
      double top = at(point.y, y, HEIGHT - 50, 30);
      drawing.dot(left, top, point.isOurs).words(left + 8, top - 5, point.name, "");
    }
    return drawing.end();
  }

  /** The place of a value between those of the least and the largest, on a logarithmic scale. */
  private static double at(double value, double[] sorted, double low, double high) {
    double span = Math.log(sorted[sorted.length - 1] / sorted[0]);
    return low + (high - low) * (span == 0 ? 0.5 : Math.log(value / sorted[0]) / span);
  }

  /** The first tick: the least power of the step that is not below all values. */
  private static double tick(double[] sorted, double step) {
    return Math.pow(step, Math.ceil(Math.log(sorted[0]) / Math.log(step) - 1e-9));
  }
}
