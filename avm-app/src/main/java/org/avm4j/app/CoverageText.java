package org.avm4j.app;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.avm4j.eval.CoverageFigures;
import org.avm4j.pipeline.PreparedModel;

/** Formats how often intervals or sets of labels contained the true label. */
final class CoverageText {
  private CoverageText() {}

  /**
   * The level of intervals as a fraction: as typed, else that of the model; null if it has none.
   *
   * @param typed the level in percent; null if the user gave none
   */
  static Double level(Double typed, PreparedModel model, Path file) {
    OptionalDouble known = model.certaintyLevel();
    if (typed == null) {
      return known.isPresent() ? known.getAsDouble() : null;
    }
    if (!(typed >= 1 && typed < 100)) {
      throw Failure.usage(
          "--interval must be a percentage such as 90, at least 1 and below 100: '" + typed + "'");
    }
    if (known.isEmpty()) {
      throw Failure.usage(
          file + ": was trained without --interval, so it cannot give intervals or sets of labels");
    }
    return typed / 100;
  }

  /** Values for JSON. */
  static Map<String, Object> values(CoverageFigures found) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("level", percent(found.level()));
    putFinite(values, "coverage", percent(found.coverage()));
    putFinite(values, "worstCoverage", percent(found.worstWindow()));
    putFinite(values, found.areSets() ? "meanLabels" : "meanWidth", found.meanSize());
    if (found.areSets()) {
      values.put("emptySets", percent(found.emptyPart()));
    }
    return values;
  }

  private static void putFinite(Map<String, Object> values, String name, double value) {
    if (Double.isFinite(value)) {
      values.put(name, value);
    }
  }

  private static double percent(double part) {
    return 100 * part;
  }

  /** Adds a line to a report. */
  static void addRow(CoverageFigures found, Map<String, String> rows) {
    String worst =
        Double.isNaN(found.worstWindow())
            ? ""
            : Text.format(
                "; farthest from the level in a window of %,d rows: %.1f %%",
                CoverageFigures.WINDOW, percent(found.worstWindow()));
    String size =
        found.areSets()
            ? Text.format(
                "; %.3f labels on average, %.1f %% of the sets are empty",
                found.meanSize(), percent(found.emptyPart()))
            : Text.format("; mean width %.6g", found.meanSize());
    rows.put(
        name(found),
        Text.format("contain %.2f %% of the true labels", percent(found.coverage()))
            + worst
            + size);
  }

  private static String name(CoverageFigures found) {
    String level = Text.number(percent(found.level()));
    return (found.areSets() ? "sets of labels, " : "intervals, ") + level + " %";
  }

  /**
   * Adds coverage and size along the rows to a page.
   *
   * @param how a sentence on how the answers were given
   */
  static void draw(CoverageFigures found, String how, HtmlReport page) {
    page.section("Coverage: " + name(found));
    if (found.curve().size() > 1) {
      drawCurves(found, page);
    }
    Map<String, String> words = new LinkedHashMap<>();
    addRow(found, words);
    page.note("They " + words.get(name(found)) + ". " + how);
  }

  private static void drawCurves(CoverageFigures found, HtmlReport page) {
    long from = found.answers() / 100;
    List<CoverageFigures.Point> points =
        found.curve().stream().filter(point -> point.instances() >= from).toList();
    double[] x = points.stream().mapToDouble(CoverageFigures.Point::instances).toArray();
    double[] level = points.stream().mapToDouble(point -> percent(found.level())).toArray();
    LineChart chart = new LineChart("covered, %");
    chart.line(
        "of the last " + CoverageFigures.WINDOW,
        x,
        points.stream().mapToDouble(point -> percent(point.coverage())).toArray(),
        "total");
    chart.line("promised", x, level, "first");
    page.drawing(chart.svg("Percentage of the labels that were covered, along the stream"));
    LineChart sizes = new LineChart(found.areSets() ? "labels in a set" : "width");
    sizes.line("mean", x, points.stream().mapToDouble(p -> p.size()).toArray(), "total");
    page.drawing(sizes.svg("The mean size along the stream"));
  }
}
