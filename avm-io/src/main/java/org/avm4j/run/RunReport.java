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
 * @param figures the same by name, with the labels of the data, in the order for people to read
 * @param status size, settings and history of the learner at the end
 * @param scaling how features were scaled, as given or as automatic mode chose, in a word
 * @param curve the figures along the way
 * @param isShuffled whether rows were in random order, for which repeating the last label means
 *     nothing
 * @param seconds the time that was spent, all resumed parts together
 * @param leftOut what was not learned
 * @param yardsticks what simple rules would have answered, where that is known
 * @param delay how many answers later than its own an instance was learned
 * @param processorSeconds the processor time of the process meanwhile
 * @param learnerBytes how large the learner is when it is saved
 * @param modelBytes how large the frozen model is when it is saved
 * @param estimate how good the model is to be expected on new data, if rows were held out
 * @param average how good the mean is, if the model is one of several learners
 * @param coverage how often intervals or sets held the label, if answers said how sure they were
 * @param budget how many labels were asked for, if not all of them were learned
 * @param threshold the threshold between two classes, if costs asked for one
 * @param drift where the error rose and what changed there, if the run watched for it
 * @param columns which columns mattered in each part of the stream, if the run measured it
 * @param band the latest answers with their intervals, if answers said how sure they were
 * @param observed the rows without a label from which the learner learned
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
  /** The same with what to expect of new data, and what was watched along the stream. */
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
