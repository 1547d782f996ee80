package org.avm4j.app;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.lab.paper.ClusterFigure;

/**
 * The drawing of the clusters of a stream: a dot for each cell, and the numbers of the clusters.
 */
final class ClusterPicture {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 560;
  private static final int MARGIN = 60;

  /** Number of different dot styles; clusters are told apart by number, so styles may repeat. */
  private static final int LOOKS = 6;

  private final ClusterFigure figure;
  private final double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
  private final double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};

  private ClusterPicture(ClusterFigure figure) {
    this.figure = figure;
    include(Cluster.NOISE);
    figure.clusters().forEach(this::include);
  }

  /** The drawing, with the names of features for its axes. */
  static String svg(ClusterFigure figure, IntFunction<String> names) {
    return new ClusterPicture(figure).draw(names);
  }

  private void include(int number) {
    for (int axis = 0; axis < 2; axis++) {
      for (double at : figure.axis(number, axis)) {
        low[axis] = Math.min(low[axis], at);
        high[axis] = Math.max(high[axis], at);
      }
    }
  }

  private String draw(IntFunction<String> names) {
    Svg svg = new Svg(WIDTH, HEIGHT, figure.title());
    svg.line(MARGIN, y(low[1]), WIDTH - MARGIN, y(low[1]), "grid");
    svg.line(MARGIN, y(low[1]), MARGIN, y(high[1]), "grid");
    svg.words(MARGIN, HEIGHT - 36, Text.number(low[0]), "");
    svg.words(WIDTH - MARGIN, HEIGHT - 36, Text.number(high[0]), "end");
    svg.words(WIDTH / 2.0, HEIGHT - 16, figure.axisName(0, names), "middle");
    svg.words(MARGIN - 8, y(low[1]), Text.number(low[1]), "end");
    svg.words(MARGIN - 8, y(high[1]), Text.number(high[1]), "end");
    svg.words(4, 20, figure.axisName(1, names), "");
    dots(svg, Cluster.NOISE, "noise");
    List<Integer> clusters = figure.clusters();
    for (int i = 0; i < clusters.size(); i++) {
      dots(svg, clusters.get(i), "cluster" + i % LOOKS);
    }
    clusters.forEach(number -> name(svg, number));
    return svg.end();
  }

  private void dots(Svg svg, int number, String look) {
    double[] x = figure.axis(number, 0);
    double[] y = figure.axis(number, 1);
    for (int j = 0; j < x.length; j++) {
      svg.circle(x(x[j]), y(y[j]), 3, look);
    }
  }

  /** Writes the number of a cluster at the cell nearest to its centre. */
  private void name(Svg svg, int number) {
    double[] x = figure.axis(number, 0);
    double[] y = figure.axis(number, 1);
    double meanX = Arrays.stream(x).average().orElse(0);
    double meanY = Arrays.stream(y).average().orElse(0);
    int best = 0;
    for (int j = 1; j < x.length; j++) {
      double now = Math.hypot(x(x[j]) - x(meanX), y(y[j]) - y(meanY));
      if (now < Math.hypot(x(x[best]) - x(meanX), y(y[best]) - y(meanY))) {
        best = j;
      }
    }
    if (x.length > 0) {
      svg.words(x(x[best]), y(y[best]) - 5, Integer.toString(number), "middle name");
    }
  }

  private double x(double at) {
    return MARGIN + (WIDTH - 2 * MARGIN) * part(at, 0);
  }

  private double y(double at) {
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * part(at, 1);
  }

  private double part(double at, int axis) {
    return high[axis] > low[axis] ? (at - low[axis]) / (high[axis] - low[axis]) : 0.5;
  }
}
