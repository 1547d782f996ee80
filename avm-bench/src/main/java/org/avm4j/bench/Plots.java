package org.avm4j.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/** Small pictures of tables. */
final class Plots {
  private static final Color[] COLOURS = {new Color(0x1f77b4), new Color(0xd62728)};

  /** Of methods side by side: ours first, in strong colours (Okabe and Ito). */
  private static final Color[] METHODS = {
    new Color(0x009E73),
    new Color(0x0072B2),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x56B4E9),
    new Color(0x888888),
    new Color(0xD55E00),
    new Color(0x000000),
    new Color(0x7A5230)
  };

  private Plots() {}

  /** The microseconds of a step over one axis, both scales logarithmic. */
  static void growth(PeerTable table, String axis, Path folder) throws IOException {
    XYChart chart = chart("a step over the number of " + words(axis), words(axis));
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    for (String update : List.of("sgd", "newton")) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      for (int i = 0; i < table.column("axis").size(); i++) {
        if (table.column("axis").get(i).equals(axis)
            && table.column("update").get(i).equals(update)) {
          x.add(((Number) table.column(axis).get(i)).doubleValue());
          y.add((Double) table.column("nanos").get(i) / 1000);
        }
      }
      chart.addSeries(update, x, y);
    }
    save(chart, folder, axis);
  }

  /** The microseconds of a step along a stream. */
  static void stream(PeerTable table, Path folder, String name) throws IOException {
    XYChart chart = chart("a step along the stream", "instances (millions)");
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int i = 0; i < table.column("nanos").size(); i++) {
      x.add(((Number) table.column("instances").get(i)).doubleValue() / 1e6);
      y.add((Double) table.column("nanos").get(i) / 1000);
    }
    chart.addSeries("sgd", x, y);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setLegendVisible(false);
    save(chart, folder, name);
  }

  /** The error of each method against its time on one data set; runs of one method are joined. */
  static void tradeoff(List<Tradeoff.Turn> turns, String data, Path folder) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(760)
            .height(460)
            .title(data)
            .xAxisTitle("processor seconds")
            .yAxisTitle("mistake rate, %")
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setMarkerSize(9);
    double[] seconds = turns.stream().mapToDouble(Tradeoff.Turn::seconds).sorted().toArray();
    if (seconds.length > 0) {
      chart.getStyler().setXAxisMin(Math.pow(10, Math.floor(Math.log10(seconds[0]))));
      chart
          .getStyler()
          .setXAxisMax(Math.pow(10, Math.ceil(Math.log10(seconds[seconds.length - 1]))));
    }
    chart.getStyler().setSeriesColors(METHODS);
    for (String method : turns.stream().map(Tradeoff.Turn::method).distinct().toList()) {
      List<Tradeoff.Turn> its =
          turns.stream().filter(turn -> turn.method().equals(method)).toList();
      chart.addSeries(
          method,
          its.stream().map(Tradeoff.Turn::seconds).toList(),
          its.stream().map(Tradeoff.Turn::error).toList());
    }
    save(chart, folder, "tradeoff-" + data);
  }

  /** The error of each method along a stream. */
  static void windows(List<StreamTable.Turn> turns, String stream, Path folder) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(760)
            .height(420)
            .title(stream)
            .xAxisTitle("part of the stream, %")
            .yAxisTitle("mistake rate of a window, %")
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setMarkerSize(0);
    chart.getStyler().setSeriesColors(METHODS);
    chart.getStyler().setYAxisMin(0.0);
    for (StreamTable.Turn turn : turns) {
      List<Double> x = new ArrayList<>();
      for (int i = 0; i < turn.windows().size(); i++) {
        x.add(2.0 * (i + 1));
      }
      if (!x.isEmpty()) {
        chart.addSeries(turn.method(), x, turn.windows());
      }
    }
    save(chart, folder, "streams-" + stream);
  }

  private static XYChart chart(String title, String axis) {
    XYChart chart =
        new XYChartBuilder()
            .width(520)
            .height(320)
            .title(title)
            .xAxisTitle(axis)
            .yAxisTitle("microseconds")
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setSeriesColors(COLOURS);
    chart.getStyler().setSeriesLines(new BasicStroke[] {new BasicStroke(2), new BasicStroke(2)});
    return chart;
  }

  private static String words(String axis) {
    return axis.equals("size") ? "core points" : axis;
  }

  private static void save(XYChart chart, Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    ImageIO.write(
        BitmapEncoder.getBufferedImage(chart), "png", folder.resolve(name + ".png").toFile());
  }
}
