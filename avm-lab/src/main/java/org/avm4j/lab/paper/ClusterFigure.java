package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.Features;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of the clusters of a stream, with a mark for each cell that shows its cluster. The axes
 * are the two features or, if there are more, the first two principal components of the cells.
 */
final class ClusterFigure {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 620;

  /** Number of clusters that the legend names, the largest first. */
  private static final int NAMED = 12;

  private final ModelForm.Cells cells;
  private final List<Integer> clusters;
  private final boolean isFlat;
  private final double[][] places;

  private ClusterFigure(ModelForm.Cells cells, List<Integer> clusters) {
    this.cells = cells;
    this.clusters = clusters;
    isFlat = cells.dimension() == 2;
    Projection plane = isFlat ? null : Projection.of(cells.centres());
    places =
        cells.centres().stream()
            .map(centre -> isFlat ? original(centre) : plane.apply(centre))
            .toArray(double[][]::new);
  }

  /** Writes the picture and its numbers, if there are cells over at least two features. */
  static void write(ClusterLearner learner, IntFunction<String> names, Path png)
      throws IOException {
    var model = learner.settled();
    var cells = (ModelForm.Cells) model.inspect(OpenModel.class).orElseThrow().form();
    List<Integer> clusters =
        model.clusters().orElseThrow().clusters().stream().map(Cluster::number).toList();
    if (cells.dimension() >= 2 && !cells.centres().isEmpty()) {
      new ClusterFigure(cells, clusters).chart(names).write(png);
    }
  }

  /** A centre in the units of the data. */
  private double[] original(Features centre) {
    return IntStream.range(0, 2)
        .mapToDouble(i -> cells.scales().get(i).original(centre.get(i)))
        .toArray();
  }

  private Chart chart(IntFunction<String> names) {
    String title = clusters.size() == 1 ? "1 cluster" : clusters.size() + " clusters";
    Chart chart =
        new Chart(
            title,
            isFlat ? names.apply(0) : "first principal component",
            isFlat ? names.apply(1) : "second principal component",
            WIDTH,
            HEIGHT);
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

  private double[] axis(int number, int axis) {
    return IntStream.range(0, places.length)
        .filter(j -> cells.numbers().get(j) == number)
        .mapToDouble(j -> places[j][axis])
        .toArray();
  }
}
