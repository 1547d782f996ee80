package org.avm4j.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.Estimate;
import org.avm4j.run.PreparedData;
import org.avm4j.run.Run;
import org.avm4j.run.RunReport;
import org.avm4j.run.ThresholdChoice;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Builds the report of a run: what the run measured, the task, the expected error on new rows, and
 * all else that needs the data or the model.
 *
 * @param spec the command, which the report repeats with the settings that were found
 * @param isShuffled whether rows were learned in random order
 */
record ReportBuilder(
    PreparedData data, LearnerSpec learning, CommandSpec spec, boolean isShuffled) {
  /**
   * The report.
   *
   * @param saved where the model is; null if it was not saved
   * @param clustered rows with labels, to compare with the clusters
   */
  Report of(Run run, RunReport found, Path saved, List<Instance> clustered) {
    Report report = new Report();
    report.values().putAll(RunText.values(found));
    report.rows().putAll(RunText.rows(found, data.schema()::labelText));
    if (saved != null) {
      report.values().put("model", saved.toString());
      report.rows().put("model", "saved to " + saved);
    }
    PreparedModel model = run.model();
    boolean isTimed = data.timeOrder().isKnown();
    report.lead("task", data.rules(learning).task().word(), TaskText.of(data, learning));
    found.average().ifPresent(average -> AverageText.addTo(report, average, model));
    found.threshold().ifPresent(chosen -> addThreshold(report, chosen));
    found.estimate().ifPresent(estimate -> addEstimate(report, estimate, isTimed));
    report.values().put("size", SizeText.number(model));
    if (isShuffled && isTimed) {
      addNoChange(report, found);
    }
    data.lags().ifPresent(given -> report.add("lags", text(given)));
    report.add("again", new ReproduceLine(spec).of(data.rules(learning), found.status()));
    ClusterText.addTo(report, model, data.schema(), clustered);
    addColumns(report, run);
    report.append(ConfusionText.of(found.figures()));
    boolean holdsOut = found.estimate().isPresent();
    List<String> warnings = new LearningNotes(data, learning, holdsOut).warnings(isShuffled, true);
    if (!warnings.isEmpty()) {
      report.values().put("warnings", warnings);
    }
    return report;
  }

  /** Adds the threshold that was chosen by costs. */
  private void addThreshold(Report report, ThresholdChoice chosen) {
    report.values().put("threshold", RareClassText.values(chosen, data.schema()));
    report.putAfter("instances", "threshold", RareClassText.text(chosen, data.schema()));
  }

  /** Adds the expected error on new data. */
  private static void addEstimate(Report report, Estimate estimate, boolean isLatest) {
    report
        .values()
        .put(
            "estimate",
            Json.members(
                estimate.name(),
                estimate.value(),
                "margin",
                estimate.margin(),
                "rows",
                estimate.rows()));
    report.putAfter(
        "instances",
        isLatest ? "on future rows" : "on new data",
        Text.format(
            "%s about %s, estimated on %s%,d held-out rows",
            FigureText.words(estimate.name()),
            FigureText.withMargin(estimate.name(), estimate.value(), estimate.margin()),
            isLatest ? "the latest " : "",
            estimate.rows()));
  }

  /**
   * Adds the error of repeating the previous label, in the order of the files although the rows
   * were shuffled. If that is better than a model of numbers, a hint mentions {@code --lags}.
   */
  private void addNoChange(Report report, RunReport found) {
    boolean isRegression = found.metrics().name().equals("rmse");
    double error = data.order().noChangeError(isRegression);
    if (Double.isNaN(error)) {
      return;
    }
    boolean isBetter = found.estimate().filter(promised -> promised.value() > error).isPresent();
    boolean isHinted = isRegression && isBetter && data.lags().isEmpty();
    report.values().put(isRegression ? "noChangeRmse" : "noChangeMistakeRate", error);
    report.putAfter(
        isRegression ? "mean so far" : "majority class",
        "no change",
        YardstickText.noChange(error, isRegression, "repeating the label of the previous row")
            + (isHinted ? "; a model with --lags sees it" : ""));
  }

  private String text(LabelLags given) {
    return "earlier labels used as features: " + String.join(", ", given.names(data.schema()));
  }

  /** Adds the weights of columns, if they are not equal, and which columns matter, if measured. */
  private static void addColumns(Report report, Run run) {
    Map<String, Double> weights = run.model().columnWeights();
    if (!weights.isEmpty()) {
      report.values().put("weights", weights);
      report.rows().put("column weights", ColumnText.weights(weights));
    }
    run.pipeline()
        .preparation()
        .background()
        .importance()
        .ifPresent(
            importance -> {
              report.values().put("importance", ColumnText.values(importance));
              report.append(ColumnText.table(importance));
            });
  }
}
