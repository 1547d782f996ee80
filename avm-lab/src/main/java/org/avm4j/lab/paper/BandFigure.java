package org.avm4j.lab.paper;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A chart of answers with a band for their intervals, and the true labels.
 *
 * @param title the title of the chart
 * @param x the number of each row
 * @param answers the answers, drawn as a line
 * @param low the lower end of each interval; intervals with an infinite end are not drawn
 * @param high the upper end of each interval
 * @param labels the true labels
 */
public record BandFigure(
    String title, double[] x, double[] answers, double[] low, double[] high, double[] labels) {
  private static final Color BAND = new Color(0x56, 0xB4, 0xE9, 0x60);

  /** Draws {@code NAME-band.png} beside a picture of a run, and its numbers to a CSV. */
  public void writeBeside(Path png) throws IOException {
    int[] bounded =
        IntStream.range(0, x.length)
            .filter(i -> Double.isFinite(low[i]) && Double.isFinite(high[i]))
            .toArray();
    Chart chart = new Chart(title, "instances", "label", 900, 420).wholeX();
    if (bounded.length > 1) {
      chart.band("interval", BAND, at(bounded, x), at(bounded, low), at(bounded, high));
    }
    chart.line("answer", LineStyle.BARE, x, answers);
    int[] inside = IntStream.range(0, x.length).filter(this::isInside).toArray();
    int[] outside = IntStream.range(0, x.length).filter(i -> !isInside(i)).toArray();
    points(chart, "label", LineStyle.BLACK, SeriesMarkers.CIRCLE, inside);
    points(chart, "label outside", LineStyle.PURPLE, SeriesMarkers.DIAMOND, outside);
    chart.write(RunFigure.beside(png, "band"));
  }

  private boolean isInside(int i) {
    return low[i] <= labels[i] && labels[i] <= high[i];
  }

  private void points(Chart chart, String name, Color colour, Marker marker, int[] which) {
    if (which.length > 0) {
      chart.points(name, colour, marker, at(which, x), at(which, labels));
    }
  }

  private static double[] at(int[] places, double[] values) {
    return Arrays.stream(places).mapToDouble(i -> values[i]).toArray();
  }
}
