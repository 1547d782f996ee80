package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.Status;
import org.avm4j.asking.LabelBudget;
import org.avm4j.eval.Inspection;
import org.avm4j.run.Average;
import org.avm4j.run.LeftOut;
import org.avm4j.run.RunReport;

/** Formats what a run measured: its figures, its learner, its time, and the rows it left out. */
final class RunText {
  private RunText() {}

  /** Values for JSON. */
  static Map<String, Object> values(RunReport run) {
    Status status = run.status();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", run.metrics().instances());
    values.putAll(run.figures());
    run.coverage().ifPresent(found -> values.put("interval", CoverageText.values(found)));
    run.yardsticks().ifPresent(found -> YardstickText.addValues(found, !run.isShuffled(), values));
    if (run.delay() > 0) {
      values.put("delay", run.delay());
    }
    run.budget()
        .ifPresent(
            found -> {
              values.put("labelsAskedFor", found.labels());
              values.put("shareAskedFor", percentAsked(found));
            });
    StatusText.addSizeValues(status, values);
    values.put("seconds", run.seconds());
    values.put("processorSeconds", run.processorSeconds());
    values.put("learnerBytes", run.learnerBytes());
    values.put("modelBytes", run.modelBytes());
    values.put("badLines", run.leftOut().badLines());
    values.put("unlabelled", run.leftOut().unlabelled());
    if (run.observed() > 0) {
      values.put("observed", run.observed());
    }
    values.put("scale", run.scaling());
    StatusText.addPartValues(status, values);
    run.drift().ifPresent(found -> values.put("drift", DriftText.values(found, isNumber(run))));
    values.put("learner", status.settings());
    values.put("curve", run.curve().stream().map(point -> point(run, point)).toList());
    return values;
  }

  private static boolean isNumber(RunReport run) {
    return run.metrics().name().equals("rmse");
  }

  private static double percentAsked(LabelBudget budget) {
    return 100.0 * budget.labels() / Math.max(1, budget.rows());
  }

  private static Map<String, Object> point(RunReport run, Inspection point) {
    Map<String, Object> values =
        Json.members(
            "instances",
            point.instances(),
            run.metrics().name(),
            point.metric(),
            "recent",
            point.recent(),
            "size",
            point.size(),
            "seconds",
            point.seconds());
    if (run.status().forgets()) {
      values.put("memory", point.memory());
      values.put("drifts", point.drifts());
    }
    return values;
  }

  /**
   * Rows of a report.
   *
   * @param names the names of labels
   */
  static Map<String, String> rows(RunReport run, DoubleFunction<String> names) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("instances", Text.whole(run.metrics().instances()));
    FigureText.addRows(run.figures(), rows);
    run.coverage().ifPresent(found -> CoverageText.addRow(found, rows));
    run.yardsticks()
        .ifPresent(found -> YardstickText.addRows(found, !run.isShuffled(), names, rows));
    if (run.delay() > 0) {
      rows.put("delay", "each label becomes known " + Text.whole(run.delay()) + " answers later");
    }
    run.budget().ifPresent(found -> rows.put("labels asked for", text(found)));
    run.drift().ifPresent(found -> DriftText.addRows(found, isNumber(run), rows));
    if (run.status().automatic().isPresent()) {
      rows.put("chosen", StatusText.chosen(run.status(), run.scaling()));
    }
    StatusText.addRows(run.status(), rows);
    rows.put("time", time(run));
    String toLearnOn =
        run.average().isPresent() ? "" : Text.whole(run.learnerBytes()) + " for the learner, ";
    rows.put("bytes", toLearnOn + Text.whole(run.modelBytes()) + " for the frozen model");
    addLeftOut(run.leftOut(), run.observed(), rows);
    return rows;
  }

  private static String text(LabelBudget budget) {
    return Text.format("%,d, %.2f %% of all labels", budget.labels(), percentAsked(budget));
  }

  private static String time(RunReport run) {
    long learned = run.metrics().instances() * run.average().map(Average::tried).orElse(1);
    return Text.format(
        "%s (%,.0f rows per second), %s of processor time",
        Text.seconds(run.seconds()),
        learned / Math.max(run.seconds(), 1e-9),
        Text.seconds(run.processorSeconds()));
  }

  private static void addLeftOut(LeftOut leftOut, long observed, Map<String, String> rows) {
    if (leftOut.missingValues() > 0) {
      rows.put("rows left out", leftOut.missingValues() + ", because values are missing");
    }
    if (leftOut.unlabelled() + observed > 0) {
      rows.put("without a label", unlabelled(observed, leftOut.unlabelled()));
    }
    if (leftOut.badLines() > 0) {
      String first = leftOut.firstBadLine().orElse(null);
      rows.put("bad lines", leftOut.badLines() + ", the first: " + first);
    }
  }

  private static String unlabelled(long observed, long leftOut) {
    String used = observed == 0 ? "" : counted(observed) + ", observed";
    String unused = leftOut == 0 ? "" : counted(leftOut) + ", skipped";
    return used + (used.isEmpty() || unused.isEmpty() ? "" : "; ") + unused;
  }

  private static String counted(long rows) {
    return Text.whole(rows) + (rows == 1 ? " row" : " rows");
  }
}
