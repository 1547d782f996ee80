package org.avm4j.app;

import java.nio.file.Path;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.PreparedData;
import org.avm4j.run.Run;
import org.avm4j.run.RunReport;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Builds the report of a run: adds the task, the expected error on new rows, and all else that
 * needs the data or the model.
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
    Report report = Report.of(found, saved, data.schema()::labelText);
    PreparedModel model = run.model();
    boolean isTimed = data.timeOrder().isKnown();
    report.lead("task", TaskText.word(data, learning), TaskText.of(data, learning));
    found.average().ifPresent(average -> report.addAverage(average, model));
    found.threshold().ifPresent(chosen -> report.addThreshold(chosen, data.schema()));
    found.estimate().ifPresent(estimate -> report.addEstimate(estimate, isTimed));
    report.addSize(model);
    if (isShuffled && isTimed) {
      addNoChange(report, found);
    }
    data.lags().ifPresent(given -> report.add("lags", text(given)));
    report.add("again", new ReproduceLine(spec).of(data.rules(learning), found.status()));
    model.clusters().ifPresent(clusters -> report.addClusters(clusters, data.schema()));
    report.addAgreement(ClusterText.agreement(model, clustered));
    report.addWeights(model.columnWeights());
    run.pipeline().preparation().background().importance().ifPresent(report::addImportance);
    return report;
  }

  /** Adds the no-change baseline in order of time, although the rows were shuffled. */
  private void addNoChange(Report report, RunReport found) {
    boolean isRegression = found.metrics().name().equals("rmse");
    double error = data.order().noChangeError(isRegression);
    boolean isBetter = found.estimate().filter(promised -> promised.value() > error).isPresent();
    if (!Double.isNaN(error)) {
      report.addNoChange(error, isRegression, isRegression && isBetter && data.lags().isEmpty());
    }
  }

  private String text(LabelLags given) {
    return "earlier labels used as features: " + String.join(", ", given.names(data.schema()));
  }
}
