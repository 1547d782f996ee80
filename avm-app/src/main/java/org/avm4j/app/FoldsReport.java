package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.eval.Metrics;
import org.avm4j.run.CrossValidation;

/** The report of a cross-validation, as a table and as JSON values. */
final class FoldsReport {
  private final CrossValidation.Result result;
  private final Map<String, Object> figures;

  FoldsReport(CrossValidation.Result result, DoubleFunction<String> names) {
    this.result = result;
    figures = new LinkedHashMap<>(result.total().all(names));
    YardstickText.addConstant(result.total(), figures);
  }

  Map<String, Object> values(double seconds) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", result.total().instances());
    values.putAll(figures);
    values.put("folds", result.folds().stream().map(Metrics::value).toList());
    values.put("foldsMean", FigureText.mean(each()));
    values.put("foldsDeviation", FigureText.deviation(each()));
    values.put("sizes", result.sizes());
    values.put("seconds", seconds);
    return values;
  }

  String table(double seconds) {
    String name = result.total().name();
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("instances", Text.whole(result.total().instances()));
    rows.put(
        "over " + result.folds().size() + " folds",
        FigureText.meanAndDeviation(name, each()) + " " + FigureText.words(name));
    Map<String, Object> shown = new LinkedHashMap<>(figures);
    shown.keySet().removeAll(List.of("majorityMistakeRate", "meanRmse"));
    FigureText.addRows(shown, rows);
    YardstickText.addConstantRows(figures, rows);
    rows.put("time", Text.seconds(seconds));
    return Text.table(rows) + ConfusionText.of(figures);
  }

  private double[] each() {
    return result.folds().stream().mapToDouble(Metrics::value).toArray();
  }
}
