package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Two illustrations of a coverage of a thousand rows: projected to the plane by PCA and covered
 * there by Algorithm 3, so that cells are true circles; and covered in the original space, where a
 * thin line joins each row to its core point.
 */
final class CoverageFigure {
  private static final int ROWS = 1000;
  private static final int CORNERS = 48;
  private static final int CELLS = 20;
  private static final int SIDE = 620;

  private final DataSet set;
  private final List<Features> rows;
  private final double[][] places;
  private final List<Features> flat;

  CoverageFigure(DataSet set, Samples samples) {
    this.set = set;
    rows =
        Samples.shuffled(samples.train(), 1).stream()
            .limit(ROWS)
            .map(instance -> instance.features())
            .toList();
    Projection plane = Projection.of(rows);
    places = rows.stream().map(plane::apply).toArray(double[][]::new);
    flat = Arrays.stream(places).map(Features::dense).toList();
  }

  List<Figures.Figure> write(Path folder) throws IOException {
    return List.of(inThePlane(folder), inItsSpace(folder));
  }

  private Figures.Figure inThePlane(Path folder) throws IOException {
    double diameter = diameterFor(CELLS);
    int[] core = cover(flat, diameter);
    Chart chart = chart(set.name() + ", covered in the plane");
    for (int j : distinct(core)) {
      circle(chart, j, diameter / 2);
    }
    chart.square(places, diameter);
    scatter(chart, core);
    String caption =
        "%s: %d rows in the plane of their first two principal components, covered by %d cells"
            .formatted(set.title(), rows.size(), distinct(core).size());
    return new Figures.Figure(chart.write(folder, "coverage-" + set.name() + "-plane"), caption);
  }

  private Figures.Figure inItsSpace(Path folder) throws IOException {
    double delta = set.settings().number("delta");
    int[] core = cover(rows, delta);
    Chart chart = chart(set.name() + ", covered in all its features");
    for (int i = 0; i < places.length; i++) {
      int j = core[i];
      chart.outline(
          "to " + i,
          LineStyle.SKY,
          new double[] {places[i][0], places[j][0]},
          new double[] {places[i][1], places[j][1]});
    }
    chart.square(places, 0);
    scatter(chart, core);
    String caption =
        "%s: the same rows covered in all %d features with δ = %s by %d cells; a line joins a row to its core point"
            .formatted(set.title(), set.features(), Settings.text(delta), distinct(core).size());
    return new Figures.Figure(chart.write(folder, "coverage-" + set.name() + "-space"), caption);
  }

  private static Chart chart(String title) {
    Chart chart =
        new Chart(title, "first principal component", "second principal component", SIDE, SIDE);
    chart.styler().setLegendPosition(Styler.LegendPosition.InsideNE);
    return chart;
  }

  private void scatter(Chart chart, int[] core) {
    chart.points("row", LineStyle.GREY, SeriesMarkers.CIRCLE, column(all(), 0), column(all(), 1));
    List<Integer> points = distinct(core);
    chart.points(
        "core point",
        LineStyle.VERMILION,
        SeriesMarkers.DIAMOND,
        column(points, 0),
        column(points, 1));
  }

  private List<Integer> all() {
    return IntStream.range(0, places.length).boxed().toList();
  }

  private double[] column(List<Integer> of, int at) {
    return of.stream().mapToDouble(i -> places[i][at]).toArray();
  }

  private static List<Integer> distinct(int[] core) {
    return Arrays.stream(core).distinct().boxed().toList();
  }

  private void circle(Chart chart, int j, double radius) {
    double[] x = new double[CORNERS + 1];
    double[] y = new double[CORNERS + 1];
    for (int i = 0; i <= CORNERS; i++) {
      double angle = 2 * Math.PI * i / CORNERS;
      x[i] = places[j][0] + radius * Math.cos(angle);
      y[i] = places[j][1] + radius * Math.sin(angle);
    }
    chart.outline("cell " + j, LineStyle.BLUE, x, y);
  }

  /** The diameter that gives about this number of cells, by bisection. */
  private double diameterFor(int cells) {
    double low = 1e-6;
    double high = 100;
    for (int i = 0; i < 60; i++) {
      double middle = Math.sqrt(low * high);
      if (distinct(cover(flat, middle)).size() > cells) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Algorithm 3: the core point of each row, which may be the row itself. */
  private static int[] cover(List<Features> rows, double diameter) {
    int[] core = new int[rows.size()];
    List<Integer> points = new ArrayList<>();
    for (int i = 0; i < core.length; i++) {
      double least = diameter * diameter / 4;
      core[i] = i;
      for (int j : points) {
        double squared = squaredDistance(rows.get(i), rows.get(j));
        if (squared < least) {
          least = squared;
          core[i] = j;
        }
      }
      if (core[i] == i) {
        points.add(i);
      }
    }
    return core;
  }

  private static double squaredDistance(Features x, Features z) {
    double sum = 0;
    for (int i = 0; i < x.count(); i++) {
      double other = z.get(x.index(i));
      sum += x.value(i) * x.value(i) - 2 * x.value(i) * other;
    }
    for (int i = 0; i < z.count(); i++) {
      sum += z.value(i) * z.value(i);
    }
    return sum;
  }
}
