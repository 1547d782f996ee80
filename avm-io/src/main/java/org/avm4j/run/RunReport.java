package org.avm4j.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Status;
import org.avm4j.asking.LabelBudget;
import org.avm4j.eval.CoverageFigures;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Yardsticks;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.explain.ImportanceHistory;

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
  /** The same with the expected error on new data, and what was watched along the stream. */
  RunReport withPromise(
      Optional<Estimate> promised,
      Optional<Average> mean,
      Optional<ThresholdChoice> chosen,
      StreamWatch watch) {
    return new RunReport(
        metrics,
        figures,
        status,
        scaling,
        curve,
        isShuffled,
        seconds,
        leftOut,
        yardsticks,
        delay,
        processorSeconds,
        learnerBytes,
        modelBytes,
        promised,
        mean,
        coverage,
        budget,
        chosen,
        watch.drift(),
        watch.columns(),
        watch.band(),
        observed);
  }
}
