package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws the figures of Section 9 from our runs. */
final class Figures {
  private final Path folder;
  private final SettingsTable settings;
  private final Results results;

  /** A figure that was written. */
  record Figure(Path file, String caption) {}

  Figures(Path folder, SettingsTable settings, Results results) {
    this.folder = folder;
    this.settings = settings;
    this.results = results;
  }

  /** The mean over runs of a figure along the stream. */
  private static double[] along(Summary summary, ToDoubleFunction<Point> of) {
    int points = summary.outcomes().stream().mapToInt(o -> o.curve().size()).min().orElse(0);
    double[] values = new double[points];
    for (int i = 0; i < points; i++) {
      int at = i;
      values[i] =
          summary.outcomes().stream()
              .mapToDouble(outcome -> of.applyAsDouble(outcome.curve().get(at)))
              .average()
              .orElse(Double.NaN);
    }
    return values;
  }

  /** Draws error and time along the stream, and error against time, for all methods. */
  List<Figure> curves(Study study, DataSet set, List<Comparison> rows) throws IOException {
    String metric = study.metric();
    Chart error = new Chart(set.name(), "instances", metric).wholeX();
    Chart time = new Chart(set.name(), "instances", "processor seconds").wholeX().logarithmicY();
    Chart both = new Chart(set.name(), "processor seconds", metric).logarithmicX();
    List<double[]> lines = new ArrayList<>();
    for (Comparison row : rows) {
      if (!row.ours().isDone() || !isDrawn(along(row.ours(), Point::metric))) {
        continue;
      }
      double[] instances = along(row.ours(), p -> p.instances());
      double[] errors = along(row.ours(), Point::metric);
      double[] seconds = along(row.ours(), p -> Math.max(p.seconds(), 1e-4));
      LineStyle look = LineStyle.of(row.contender());
      lines.add(errors);
      error.line(row.label(), look, instances, errors);
      time.line(row.label(), look, instances, seconds);
      both.line(row.label(), look, seconds, errors);
    }
    if (lines.isEmpty()) {
      return List.of();
    }
    double most = Chart.reasonable(lines);
    error.mostY(most);
    both.mostY(most);
    String name = study.id() + "-" + set.name();
    return List.of(
        figure(error, name + "-error", set, metric + " along the stream"),
        figure(time, name + "-time", set, "processor seconds along the stream"),
        figure(both, name + "-error-time", set, metric + " against processor seconds"));
  }

  private static boolean isDrawn(double[] line) {
    for (double value : line) {
      if (!Double.isFinite(value) || value > 1e6) {
        return false;
      }
    }
    return line.length > 0;
  }

  private Figure figure(Chart chart, String name, DataSet set, String caption) throws IOException {
    return new Figure(chart.write(folder, name), set.title() + ": " + caption);
  }

  /** Draws mistake rate and model size by δ, and the heat map of β and ρ. */
  List<Figure> hyperparameters(DataSet set) throws IOException {
    List<Figure> figures = new ArrayList<>();
    List<double[]> byDelta = new ArrayList<>();
    for (Settings variant : Sweep.diameters(set)) {
      Summary summary = summary(Study.HYPERPARAMETERS, set, Contender.AVM_HINGE, variant);
      if (summary.isDone()) {
        byDelta.add(
            new double[] {variant.number("delta"), summary.metric(), summary.mean(Outcome::size)});
      }
    }
    if (!byDelta.isEmpty()) {
      Chart chart = new Chart(set.name(), "diameter δ", "mistake rate in %");
      double[] delta = column(byDelta, 0);
      chart.line("mistake rate", LineStyle.FIRST, delta, column(byDelta, 1));
      chart.lineOnTheRight("model size", "model size", delta, column(byDelta, 2));
      chart.styler().setLegendPosition(Styler.LegendPosition.InsideN);
      String name = "hyperparameters-" + set.name() + "-delta";
      figures.add(
          figure(
              chart, name, set, "the diameter δ against mistake rate and model size, one order"));
    }
    heatMap(set, figures);
    return figures;
  }

  private void heatMap(DataSet set, List<Figure> figures) throws IOException {
    double[] betas = Sweep.steps(0, 10);
    double[] rhos = Sweep.steps(0.5, 1.5);
    List<Number[]> cells = new ArrayList<>();
    List<String> csv = new ArrayList<>(List.of("beta,rho,mistake rate in %,model size"));
    for (int i = 0; i < betas.length; i++) {
      for (int j = 0; j < rhos.length; j++) {
        Settings variant = Settings.NONE.with("beta", betas[i]);
        variant = betas[i] == 0 ? variant : variant.with("rho", rhos[j]);
        Summary summary = summary(Study.HYPERPARAMETERS, set, Contender.AVM_HINGE, variant);
        if (summary.isDone()) {
          cells.add(new Number[] {i, j, summary.metric()});
          csv.add(
              betas[i]
                  + ","
                  + rhos[j]
                  + ","
                  + summary.metric()
                  + ","
                  + summary.mean(Outcome::size));
        }
      }
    }
    if (cells.size() == betas.length * rhos.length) {
      String name = "hyperparameters-" + set.name() + "-beta-rho";
      Path file = Chart.write(heatMap(set, betas, rhos, cells), csv, folder, name);
      figures.add(
          new Figure(file, set.title() + ": mistake rate in % by β and ρ, one order of the rows"));
    }
  }

  private static HeatMapChart heatMap(
      DataSet set, double[] betas, double[] rhos, List<Number[]> cells) {
    HeatMapChart chart =
        new HeatMapChartBuilder()
            .width(640)
            .height(440)
            .title(set.name() + ", mistake rate in %")
            .xAxisTitle("β")
            .yAxisTitle("ρ")
            .build();
    Chart.style(chart.getStyler());
    chart.getStyler().setRangeColors(LineStyle.LOW_TO_HIGH);
    chart.getStyler().setShowValue(false);
    chart.getStyler().setHeatMapDecimalValueFormatter(v -> String.format(Locale.ROOT, "%.2f", v));
    double[] values = cells.stream().mapToDouble(cell -> cell[2].doubleValue()).toArray();
    chart.getStyler().setMin(Math.floor(100 * Arrays.stream(values).min().orElse(0)) / 100);
    chart.getStyler().setMax(Math.ceil(100 * Arrays.stream(values).max().orElse(1)) / 100);
    chart.addSeries("mistake rate", names(betas), names(rhos), cells);
    return chart;
  }

  private static List<String> names(double[] values) {
    return Arrays.stream(values)
        .mapToObj(value -> String.format(Locale.ROOT, "%.2f", value))
        .toList();
  }

  /** Draws the mistake rate by model size and by time, for growing budgets. */
  List<Figure> budget(DataSet set) throws IOException {
    Chart error = new Chart(set.name(), "model size", "mistake rate in %").logarithmicX();
    Chart both = new Chart(set.name(), "processor seconds", "mistake rate in %").logarithmicX();
    List<double[]> lines = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      List<double[]> rows = new ArrayList<>();
      if (contender.takesPart(Study.BUDGET, set.task())
          && settings.find(set, contender).isPresent()) {
        for (Experiment first :
            Sweep.of(Study.BUDGET, set, contender, settings.find(set, contender).get())) {
          Summary summary = new Summary(results.all(first));
          if (summary.isDone()) {
            double size = summary.mean(Outcome::size);
            rows.add(new double[] {size, summary.metric(), summary.mean(Outcome::seconds)});
          }
        }
      }
      if (!rows.isEmpty()) {
        LineStyle look = LineStyle.of(contender);
        double[] errors = column(rows, 1);
        lines.add(errors);
        error.line(contender.label(), look, column(rows, 0), errors);
        both.line(contender.label(), look, column(rows, 2), errors);
      }
    }
    if (lines.isEmpty()) {
      return List.of();
    }
    String name = "budget-" + set.name();
    return List.of(
        figure(
            error,
            name + "-error",
            set,
            "mistake rate by model size, 50 to 800 (FOGD: four random features for each vector), one order"),
        figure(both, name + "-error-time", set, "mistake rate against time for growing budgets"));
  }

  private Summary summary(Study study, DataSet set, Contender contender, Settings variant)
      throws IOException {
    Optional<Settings> recorded = settings.find(set, contender);
    return recorded.isEmpty()
        ? new Summary(List.of())
        : new Summary(
            results.all(Experiment.of(study, set, contender, recorded.get(), variant, 1)));
  }

  private static double[] column(List<double[]> rows, int at) {
    return rows.stream().mapToDouble(row -> row[at]).toArray();
  }
}
