package org.avm4j.lab.paper;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.avm4j.codec.AtomicFile;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A line chart, written as a PNG with a CSV of its numbers beside it. Each line has a {@link
 * LineStyle}.
 */
final class Chart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 420;
  private static final int FEW = 12;

  private final XYChart chart;
  private final List<String> csv = new ArrayList<>();

  static {
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  Chart(String title, String x, String y) {
    this(title, x, y, WIDTH, HEIGHT);
  }

  Chart(String title, String x, String y, int width, int height) {
    chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    style(chart.getStyler());
    chart.getStyler().setMarkerSize(6);
    csv.add("series," + x.replace(",", "") + "," + y.replace(",", ""));
  }

  /** Whether this Java can draw text; a machine without fonts cannot. */
  static boolean canDraw() {
    ImageIO.setUseCache(false); // a cache file needs a shutdown hook, too late after Ctrl-C
    try {
      BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
      return image.createGraphics().getFontMetrics(font(12)).stringWidth("δ") > 0;
    } catch (RuntimeException | Error noFonts) {
      return false;
    }
  }

  private static Font font(int size) {
    return new Font(Font.SANS_SERIF, Font.PLAIN, size);
  }

  static void style(Styler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setChartTitleFont(font(15));
    styler.setChartTitleBoxVisible(false);
    styler.setLegendFont(font(12));
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setPlotBorderColor(LineStyle.GREY);
    if (styler instanceof AxesChartStyler axes) {
      axes.setAxisTitleFont(font(13));
      axes.setAxisTickLabelsFont(font(12));
      axes.setPlotGridLinesColor(new Color(0xDDDDDD));
      axes.setLocale(Locale.ROOT);
    }
  }

  /** Shows whole numbers along the x axis. */
  Chart wholeX() {
    chart.getStyler().setXAxisDecimalPattern("#,###");
    chart.getStyler().setXAxisTickMarkSpacingHint(90);
    return this;
  }

  Chart logarithmicX() {
    chart.getStyler().setXAxisLogarithmic(true);
    return this;
  }

  Chart logarithmicY() {
    chart.getStyler().setYAxisLogarithmic(true);
    return this;
  }

  /** Sets the upper end of the y axis. */
  Chart mostY(double most) {
    chart.getStyler().setYAxisMax(most);
    return this;
  }

  /** Sets equal ranges of both axes, around all places and a margin. */
  void square(double[][] places, double margin) {
    double[] middle = new double[2];
    double half = 0;
    for (int axis = 0; axis < 2; axis++) {
      int at = axis;
      DoubleSummaryStatistics range =
          Arrays.stream(places).mapToDouble(place -> place[at]).summaryStatistics();
      middle[axis] = (range.getMin() + range.getMax()) / 2;
      half = Math.max(half, (range.getMax() - range.getMin()) / 2);
    }
    double reach = 1.05 * half + margin / 2;
    chart.getStyler().setXAxisMin(middle[0] - reach).setXAxisMax(middle[0] + reach);
    chart.getStyler().setYAxisMin(middle[1] - reach).setYAxisMax(middle[1] + reach);
  }

  /**
   * Adds a line. If it has markers, only some points are drawn, so that they do not hide it; the
   * CSV has all points.
   */
  XYSeries line(String name, LineStyle look, double[] x, double[] y) {
    int[] shown = look.hasMarker() ? shown(x.length) : IntStream.range(0, x.length).toArray();
    XYSeries series = chart.addSeries(name, at(shown, x), at(shown, y));
    series.setLineColor(look.colour());
    series.setLineStyle(look.stroke());
    series.setMarker(look.marker());
    series.setMarkerColor(look.colour());
    number(name, x, y);
    return series;
  }

  /** The points that are drawn: the first ones, then every sixth, and the last one. */
  private static int[] shown(int points) {
    return IntStream.range(0, points)
        .filter(i -> points <= FEW || i < 4 || (i % 6 == 0 && i < points - 3) || i == points - 1)
        .toArray();
  }

  private static double[] at(int[] places, double[] values) {
    return Arrays.stream(places).mapToDouble(i -> values[i]).toArray();
  }

  /** Adds the area between two lines, which are both in the CSV. */
  void band(String name, Color colour, double[] x, double[] low, double[] high) {
    int n = x.length;
    double[] there =
        IntStream.range(0, 2 * n).mapToDouble(i -> x[i < n ? i : 2 * n - 1 - i]).toArray();
    double[] around =
        IntStream.range(0, 2 * n).mapToDouble(i -> i < n ? high[i] : low[2 * n - 1 - i]).toArray();
    XYSeries series = chart.addSeries(name, there, around);
    series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(colour);
    series.setFillColor(colour);
    number(name + " low", x, low);
    number(name + " high", x, high);
  }

  /** Adds a line with its own axis on the right. */
  void lineOnTheRight(String name, String axis, double[] x, double[] y) {
    XYSeries series = line(name, LineStyle.SECOND, x, y);
    series.setYAxisGroup(1);
    chart.setYAxisGroupTitle(1, axis);
    chart.getStyler().setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
  }

  /** Adds points without a line. */
  XYSeries points(String name, Color colour, Marker marker, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    series.setMarker(marker);
    series.setMarkerColor(colour);
    number(name, x, y);
    return series;
  }

  /** Adds a thin line that is neither in the legend nor in the CSV. */
  void outline(String name, Color colour, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(colour);
    series.setLineStyle(new BasicStroke(1f));
    series.setShowInLegend(false);
  }

  Styler styler() {
    return chart.getStyler();
  }

  private void number(String name, double[] x, double[] y) {
    for (int i = 0; i < x.length; i++) {
      csv.add(name + "," + shortly(x[i]) + "," + shortly(y[i]));
    }
  }

  /** Six significant digits. */
  static String shortly(double value) {
    return Double.isFinite(value)
        ? Settings.text(new BigDecimal(value).round(new MathContext(6)).doubleValue())
        : Double.toString(value);
  }

  /** Writes the picture, and its numbers to {@code FILE.png.csv}, a name that no data has. */
  void write(Path png) throws IOException {
    write(chart, png, csv, numbers(png));
  }

  /** The CSV file of a picture. */
  static Path numbers(Path png) {
    return png.resolveSibling(png.getFileName() + ".csv");
  }

  /** Writes {@code NAME.png} and {@code NAME.csv}. */
  Path write(Path folder, String name) throws IOException {
    return write(chart, csv, folder, name);
  }

  static Path write(IChart drawn, List<String> csv, Path folder, String name) throws IOException {
    Path file = Path.of(name + ".png");
    write(drawn, folder.resolve(file), csv, folder.resolve(name + ".csv"));
    return file;
  }

  private static void write(IChart drawn, Path png, List<String> csv, Path numbers)
      throws IOException {
    AtomicFile.write(png, ChartEncoder.getBytes(drawn, "png"));
    AtomicFile.write(numbers, (String.join("\n", csv) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** An upper end of the axis, 5 % above all values. */
  static double highest(double[] values) {
    double highest = Arrays.stream(values).filter(Double::isFinite).max().orElse(1);
    return highest > 0 ? 1.05 * highest : 1;
  }

  /** An upper end of the axis below which most lines end: four times their median last value. */
  static double reasonable(List<double[]> lines) {
    double[] ends =
        lines.stream()
            .filter(line -> line.length > 0)
            .mapToDouble(line -> line[line.length - 1])
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    double highest = Arrays.stream(ends).max().orElse(1);
    return ends.length == 0 ? 1 : Math.min(1.05 * highest, 4 * ends[ends.length / 2]);
  }
}
