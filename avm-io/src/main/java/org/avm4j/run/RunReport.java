package org.avm4j.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Status;
import org.avm4j.asking.LabelBudget;
import org.avm4j.codec.ModelFile;
import org.avm4j.eval.CoverageFigures;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.eval.Yardsticks;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.explain.ImportanceHistory;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.table.Scaling;

/**
 * The report of a run.
 *
 * @param metrics the prequential figures over all instances
 * @param figures the same by name, with the labels of the data, in the order of a report
 * @param status size, settings and history of the learner at the end
 * @param scaling the name of the scaling that was given, or that automatic mode chose
 * @param curve the learning curve
 * @param isShuffled whether rows were in random order, in which case the no-change baseline is
 *     meaningless
 * @param seconds the elapsed time, including parts before a checkpoint
 * @param leftOut the rows that were not learned
 * @param yardsticks the errors of simple baselines, if they are known
 * @param delay the number of further answers before an instance was learned
 * @param processorSeconds the processor time of the process in that time
 * @param learnerBytes the size of the saved learner
 * @param modelBytes the size of the saved frozen model
 * @param estimate the expected error on new data, if rows were held out
 * @param average the figures of the mean, if the model is a mean of several learners
 * @param coverage how often intervals or sets contained the label, if certainty is enabled
 * @param budget the label budget and its use, if labels were asked for
 * @param threshold the threshold between two classes, if costs were given
 * @param drift the rises of the error and what changed, if the run watched for them
 * @param columns which columns mattered in each part of the stream, if the run measured it
 * @param band the latest answers with their intervals, if certainty is enabled
 * @param observed the number of rows without a label from which the learner learned
 */
public record RunReport(
    Metrics metrics,
    Map<String, Object> figures,
    Status status,
    String scaling,
    List<Inspection> curve,
    boolean isShuffled,
    double seconds,
    LeftOut leftOut,
    Optional<Yardsticks> yardsticks,
    long delay,
    double processorSeconds,
    long learnerBytes,
    long modelBytes,
    Optional<Estimate> estimate,
    Optional<Average> average,
    Optional<CoverageFigures> coverage,
    Optional<LabelBudget> budget,
    Optional<ThresholdChoice> threshold,
    Optional<DriftMonitor> drift,
    Optional<ImportanceHistory> columns,
    Optional<AnswerBand> band,
    long observed) {
  /**
   * The report of a run that has ended.
   *
   * @param data the data, for the labels
   * @param leftOut the rows that were not learned, except those without a label
   */
  static RunReport of(
      Prequential evaluation,
      Pipeline pipeline,
      PreparedData data,
      LeftOut leftOut,
      boolean isShuffled,
      FinalModel end,
      StreamWatch watch) {
    Status status = evaluation.learner().status();
    long ignored = evaluation.unlabelled() - evaluation.observed();
    Scaling given = pipeline.preparation().scaler().scaling();
    String chosen = status.automatic().map(Status.Automatic::scaling).orElse(given.word());
    return new RunReport(
        evaluation.metrics(),
        evaluation.metrics().all(data.schema()::labelText),
        status,
        given == Scaling.NONE ? chosen : given.word(),
        evaluation.curve(),
        isShuffled,
        evaluation.seconds(),
        leftOut.withUnlabelled(ignored),
        evaluation.yardsticks(),
        evaluation.delay(),
        evaluation.processorSeconds(),
        ModelFile.length(pipeline),
        ModelFile.length(end.model()),
        end.estimate().filter(Estimate::isTelling),
        end.average(),
        evaluation.coverage(),
        evaluation.budget(),
        end.threshold(),
        watch.drift(),
        watch.columns(),
        watch.band(),
        evaluation.observed());
  }
}
