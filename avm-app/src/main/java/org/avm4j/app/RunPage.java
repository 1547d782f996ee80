package org.avm4j.app;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Status;
import org.avm4j.Status.Drift;
import org.avm4j.Status.Standing;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.CoverageFigures;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Yardsticks;
import org.avm4j.explain.DriftEvent;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.explain.Importance;
import org.avm4j.lab.paper.ClusterFigure;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.AnswerBand;
import org.avm4j.run.RunReport;

/** Builds the HTML page of a run or of an evaluation. */
final class RunPage {
  private static final int MOST_ROWS = 500;
  private static final int MOST_ANSWERS = 20_000;
  private static final int MOST_BARS = 20;
  private static final int MOST_POINTS = 10;
  private static final int MOST_ENTRIES = 12;

  private final HtmlReport page;
  private final PreparedModel model;
  private final Schema schema;
  private final List<Instance> last = new ArrayList<>();
  private Importance importance;

  /** A page with this title about the final model. */
  RunPage(String title, PreparedModel model) {
    page = new HtmlReport(title);
    this.model = model;
    schema = model.preparation().schema();
  }

  /** Sets rows for measuring the importance of columns; only the last 500 are used. */
  RunPage lastRows(List<Instance> rows) {
    last.addAll(rows.subList(Math.max(0, rows.size() - MOST_ROWS), rows.size()));
    return this;
  }

  /** Sets the importance of columns if it was measured already; null otherwise. */
  RunPage importance(Importance found) {
    importance = found;
    return this;
  }

  HtmlReport of(RunReport run, Map<String, String> rows) {
    summary(rows);
    stream(run);
    run.coverage()
        .ifPresent(
            found ->
                CoverageText.draw(
                    found, "Each interval or set is given before its row is learned.", page));
    run.band().ifPresent(found -> BandChart.draw(found, page));
    answers(run.metrics(), run.figures());
    model
        .clusters()
        .ifPresent(found -> ClusterText.draw(found, ClusterFigure.of(model), schema, page));
    run.status().automatic().ifPresent(this::automatic);
    run.columns().ifPresent(found -> ColumnMap.draw(found.moments(), page));
    insides();
    return page;
  }

  /** The whole page of an evaluation; coverage and band are empty for a model without intervals. */
  HtmlReport of(
      Metrics metrics,
      Map<String, Object> figures,
      Map<String, String> rows,
      RareClassText rare,
      Optional<CoverageFigures> coverage,
      Optional<AnswerBand> band) {
    summary(rows);
    coverage.ifPresent(
        found -> CoverageText.draw(found, "The model learns nothing from these rows.", page));
    band.ifPresent(found -> BandChart.draw(found, page));
    answers(metrics, figures);
    rare.draw(page);
    insides();
    return page;
  }

  private void summary(Map<String, String> rows) {
    Map<String, String> plain = new LinkedHashMap<>(rows);
    String warning = plain.remove("WARNING");
    if (warning != null) {
      page.warning(warning);
    }
    page.rows(plain);
  }

  private void stream(RunReport run) {
    long from = run.metrics().instances() / 100;
    List<Inspection> curve =
        run.curve().stream().filter(point -> point.instances() >= from).toList();
    if (model.task().isUnsupervised() && curve.stream().allMatch(p -> Double.isNaN(p.metric()))) {
      return;
    }
    boolean isRate = run.metrics().name().equals("mistakeRate");
    LineChart chart = new LineChart(isRate ? "mistakes, %" : run.metrics().name());
    double[] x = curve.stream().mapToDouble(Inspection::instances).toArray();
    chart.line("so far", x, curve.stream().mapToDouble(Inspection::metric).toArray(), "total");
    chart.line("lately", x, curve.stream().mapToDouble(Inspection::recent).toArray(), "own");
    run.yardsticks().ifPresent(found -> addYardsticks(chart, found, run, from));
    List<Drift> drifts = run.status().lastDrifts();
    drifts.forEach(drift -> chart.mark(drift.instance()));
    List<DriftEvent> rises = run.drift().map(DriftMonitor::events).orElse(List.of());
    rises.forEach(rise -> chart.mark(rise.since()));
    page.section("Along the stream");
    page.drawing(chart.svg("The error along the stream, compared with answers without a model"));
    page.note(
        "Each row is answered before it is learned. Lately means since the previous point."
            + (drifts.isEmpty() && rises.isEmpty() ? "" : " Dotted vertical lines mark drifts."));
    if (!rises.isEmpty()) {
      page.section("What changed");
      page.table(DriftText.HEAD, DriftText.cells(rises, !isRate));
    }
  }

  private static void addYardsticks(LineChart chart, Yardsticks found, RunReport run, long from) {
    List<Yardsticks.Point> points =
        found.curve().stream().filter(point -> point.instances() >= from).toList();
    double[] x = points.stream().mapToDouble(Yardsticks.Point::instances).toArray();
    double[] constant = points.stream().mapToDouble(Yardsticks.Point::constant).toArray();
    double[] noChange = points.stream().mapToDouble(Yardsticks.Point::noChange).toArray();
    boolean isRate = run.metrics().name().equals("mistakeRate");
    chart.line(isRate ? "majority class" : "mean so far", x, constant, "first");
    if (!run.isShuffled()) {
      chart.line("no change", x, noChange, "second");
    }
  }

  private void answers(Metrics metrics, Map<String, Object> figures) {
    if (figures.get("confusion") instanceof Map<?, ?> matrix) {
      String drawing = EvaluationCharts.confusion(matrix);
      if (drawing != null) {
        page.section("Confusion matrix").drawing(drawing);
        page.note(
            "Rows are labels, columns are answers. Shades and percentages are shares of a row.");
      }
    }
    if (metrics instanceof ClassificationMetrics classes && !classes.reliability().isEmpty()) {
      page.section("Are the probabilities right?");
      page.drawing(EvaluationCharts.calibration(classes.reliability()));
      page.note(
          "On the dotted line, events with a predicted probability of 30 % happen in 30 of 100"
              + " cases. Larger dots stand for more cases.");
    }
  }

  private void automatic(Status.Automatic mode) {
    page.section("What automatic mode chose, and why");
    page.note(
        "Chosen from the stream: "
            + String.join(", ", mode.free())
            + ". Scaling: "
            + mode.scaling()
            + ". Candidates are compared by cross-validation on the first rows, and the best one"
            + " answers.");
    long end = mode.standings().stream().mapToLong(Standing::instances).max().orElse(0);
    List<List<String>> cells = new ArrayList<>();
    mode.standings().stream()
        .filter(standing -> standing.instances() == end)
        .sorted((a, b) -> Double.compare(a.loss(), b.loss()))
        .forEach(standing -> cells.add(cells(standing)));
    if (!cells.isEmpty()) {
      page.note("Their results on " + Text.number(end) + " rows:");
      page.table(List.of("mean loss", "scale", "kernel", "gamma", "prior", "size", ""), cells);
    }
  }

  private static List<String> cells(Standing standing) {
    return List.of(
        Text.number(standing.loss()),
        standing.scaling(),
        standing.kernel().word(),
        Text.number(standing.kernel().gamma()),
        Text.number(standing.prior()),
        Text.number(standing.maxSize()),
        standing.isBest() ? "chosen" : "");
  }

  private void insides() {
    importance();
    corePoints();
  }

  /** Adds the importance measured before, or else on the last rows. */
  private void importance() {
    measured()
        .ifPresent(
            found -> {
              page.section("Which columns matter").bars(bars(found));
              page.note(
                  "Increase of the error when the values of a column are permuted among "
                      + found.rows()
                      + " rows. The line below a bar spans two standard errors to each side."
                      + " Columns that carry the same information can replace each other.");
              found.regions().forEach(this::region);
            });
  }

  private Optional<Importance> measured() {
    if (importance != null || last.size() < 2 || model.task().isUnsupervised()) {
      return Optional.ofNullable(importance);
    }
    return Optional.of(Importance.measure(model, last, schema, 1, MOST_ANSWERS));
  }

  private static List<HtmlReport.Bar> bars(Importance found) {
    String unit = found.figure().equals("rmse") ? " RMSE" : " %";
    return found.columns().stream().limit(MOST_BARS).map(rise -> bar(rise, unit)).toList();
  }

  private static HtmlReport.Bar bar(Importance.Rise rise, String unit) {
    double margin = 2 * rise.standardError();
    String words = Text.format("%+.3g ± %.2g%s", rise.rise(), margin, unit);
    return new HtmlReport.Bar(rise.column(), rise.rise(), margin, words);
  }

  private void region(Importance.Part region) {
    List<List<String>> cells = new ArrayList<>();
    region.columns().stream()
        .filter(Importance.Rise::matters)
        .limit(MOST_POINTS)
        .forEach(rise -> cells.add(List.of(rise.column(), value(rise.rise()))));
    page.note(
        "In the region of the tree where mostly "
            + region.where()
            + ", which holds "
            + region.rows()
            + " of the rows:");
    page.table(List.of("column", "increase of the error"), cells);
  }

  private void corePoints() {
    List<CorePoint> points = model.corePoints(MOST_POINTS);
    if (points.isEmpty()) {
      return;
    }
    List<List<String>> cells = new ArrayList<>();
    points.forEach(point -> cells.add(List.of(coefficients(point), entries(point.x()))));
    page.section("The largest core points");
    page.table(List.of("weight", "at"), cells);
    page.note(
        "Values are in the units of the data. The weight is what a point adds to the score of"
            + " similar rows.");
  }

  private static String coefficients(CorePoint point) {
    List<String> all =
        point.coefficients().stream().limit(6).map(c -> Text.format("%+.3g", c)).toList();
    return String.join(" ", all) + (point.coefficients().size() > 6 ? " …" : "");
  }

  private String entries(Features x) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(MOST_ENTRIES, x.count()); i++) {
      parts.add(schema.featureName(x.index(i)) + " " + value(x.value(i)));
    }
    return String.join(", ", parts.isEmpty() ? Collections.singletonList("all 0") : parts)
        + (x.count() > MOST_ENTRIES ? ", …" : "");
  }

  private static String value(double value) {
    return Text.format("%.4g", value);
  }
}
