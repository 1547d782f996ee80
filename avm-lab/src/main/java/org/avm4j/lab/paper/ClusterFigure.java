package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of the clusters of a stream, with a mark for each cell that shows its cluster. The axes
 * are the two features or, if there are more, the first two principal components of the cells.
 */
public final class ClusterFigure {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 620;

  private static final List<String> COMPONENTS =
      List.of("first principal component", "second principal component");

  /** Maximum number of clusters in the legend, the largest first. */
  private static final int NAMED = 12;

  private final ModelForm.Cells cells;
  private final List<Integer> clusters;
  private final boolean isFlat;
  private final double[][] places;

  private ClusterFigure(ModelForm.Cells cells, List<Integer> clusters) {
    this.cells = cells;
    this.clusters = clusters;
    isFlat = cells.dimension() == 2;
    Projection plane = isFlat || !isDrawable() ? null : Projection.of(cells.centres());
    places =
        cells.centres().stream()
            .filter(centre -> isDrawable())
            .map(centre -> isFlat ? original(centre) : plane.apply(centre))
            .toArray(double[][]::new);
  }

  /** The picture of a model that has clusters. */
  public static ClusterFigure of(Predictor model) {
    var cells = (ModelForm.Cells) model.inspect(OpenModel.class).orElseThrow().form();
    List<Integer> clusters =
        model.clusters().orElseThrow().clusters().stream().map(Cluster::number).toList();
    return new ClusterFigure(cells, clusters);
  }

  /** Writes the picture and its numbers, if there are cells over at least two features. */
  static void write(ClusterLearner learner, IntFunction<String> names, Path png)
      throws IOException {
    ClusterFigure figure = of(learner.settled());
    if (figure.isDrawable()) {
      figure.chart(names).write(png);
    }
  }

  /** Whether there are cells over at least two features. */
  public boolean isDrawable() {
    return cells.dimension() >= 2 && !cells.centres().isEmpty();
  }

  /** Whether the axes are the two features of the data. */
  public boolean isFlat() {
    return isFlat;
  }

  /** The numbers of the clusters, the largest cluster first. */
  public List<Integer> clusters() {
    return clusters;
  }

  /** The title: the number of clusters. */
  public String title() {
    return clusters.size() == 1 ? "1 cluster" : clusters.size() + " clusters";
  }

  /** The name of an axis, 0 for the horizontal and 1 for the vertical one. */
  public String axisName(int axis, IntFunction<String> names) {
    return isFlat ? names.apply(axis) : COMPONENTS.get(axis);
  }

  /** A centre in the units of the data. */
  private double[] original(Features centre) {
    return IntStream.range(0, 2)
        .mapToDouble(i -> cells.scales().get(i).original(centre.get(i)))
        .toArray();
  }

  private Chart chart(IntFunction<String> names) {
    Chart chart = new Chart(title(), axisName(0, names), axisName(1, names), WIDTH, HEIGHT);
    if (cells.numbers().contains(Cluster.NOISE)) {
      chart.points(
          "noise",
          LineStyle.GREY,
          SeriesMarkers.CROSS,
          axis(Cluster.NOISE, 0),
          axis(Cluster.NOISE, 1));
    }
    for (int i = 0; i < clusters.size(); i++) {
      int number = clusters.get(i);
      LineStyle colour = LineStyle.numbered(i % 6);
      LineStyle shape = LineStyle.numbered((i + i / 6) % 4);
      XYSeries series =
          chart.points(
              "cluster " + number,
              colour.colour(),
              shape.marker(),
              axis(number, 0),
              axis(number, 1));
      series.setShowInLegend(i < NAMED);
    }
    return chart;
  }

  /** The coordinates of the cells of a cluster, or of noise, along an axis. */
  public double[] axis(int number, int axis) {
    return IntStream.range(0, places.length)
        .filter(j -> cells.numbers().get(j) == number)
        .mapToDouble(j -> places[j][axis])
        .toArray();
  }
}
