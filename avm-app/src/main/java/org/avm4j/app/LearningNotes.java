package org.avm4j.app;

import java.io.PrintStream;
import java.util.Locale;
import org.avm4j.Task;
import org.avm4j.data.TableOrigin;
import org.avm4j.run.Estimate;
import org.avm4j.run.LagChoice;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.Scaling;

/** Prints notes on the data before learning, to standard error. */
final class LearningNotes {
  private final PreparedData data;
  private final LearnerSpec learning;
  private final PrintStream to = System.err;

  /** Notes on data that a learner is to learn. */
  LearningNotes(PreparedData data, LearnerSpec learning) {
    this.data = data;
    this.learning = learning;
  }

  /**
   * Prints all notes.
   *
   * @param isShuffled whether rows are learned in random order
   * @param isOneRun whether there is a single run, for which the order of the rows matters
   */
  void print(boolean isShuffled, boolean isOneRun) {
    InputOptions.tell(data.notes());
    TableOrigin table = data.schema().origin();
    boolean isTable = table.isKnown() || table.label() == null; // JSON has a label name, no table
    if (learning.isUnsupervised() && isTable && !data.schema().columns().isEmpty()) {
      to.println(labelText(table.label()));
    }
    if (hasClasses() && data.survey().labels().size() == 1) {
      to.println("warning: all labels are the same, there is nothing to tell apart");
    }
    if (!isShuffled && isOneRun && hasClasses() && data.order().isBlocked()) {
      to.println(
          "warning: "
              + data.order().text()
              + "; a learner follows such blocks, and its figures say little about new data."
              + (data.isStream() ? "" : " --shuffle mixes the rows of a file"));
    }
    if (isShuffled && data.timeOrder().isKnown()) {
      to.println(data.timeOrder().text());
    }
    if (data.isStream() && learning.scaling() != Scaling.NONE) {
      to.printf("scaling is fixed by the first %,d rows%n", data.survey().rows());
    }
    if (learning.has("c")) {
      to.printf(
          "-c %s means --lambda %s, 1/(C rows)%n",
          learning.number("c", 1), data.rules(learning).regularization());
    }
  }

  /** A note on which column is the label of a task that does not learn labels. */
  private static String labelText(String label) {
    return label == null
        ? "no column is taken as the label, all are features; --label names one"
        : "column '"
            + label
            + "' is taken as the label: compared with the answers, not learned; --no-label for"
            + " none";
  }

  /** A note on the chosen number of lags and the errors that decided. */
  static String text(LagChoice choice) {
    Estimate with = choice.error();
    Estimate without = choice.errorWithout();
    return String.format(
        Locale.ROOT,
        choice.count() == 0
            ? "--lags auto chose none: RMSE %s on the latest %,d rows, which no lags lower"
            : "--lags auto chose %3$d: RMSE %1$s on the latest %2$,d rows, %4$s without lags",
        FigureText.rounded(with.name(), with.value(), with.margin()),
        with.rows(),
        choice.count(),
        FigureText.rounded(without.name(), without.value(), without.margin()));
  }

  private boolean hasClasses() {
    Task.Kind kind = data.rules(learning).task().kind();
    return kind == Task.Kind.BINARY || kind == Task.Kind.MULTICLASS;
  }

  /** Warns that the time limit was over before all rows were learned. */
  void printTimeIsOver(long learned, long rows) {
    to.printf(
        Locale.ROOT,
        "warning: the time was over when %,d of %,d rows had been learned; the model knows these"
            + " alone%n",
        learned,
        rows);
  }

  /**
   * Warns that costs were given but no threshold was found.
   *
   * @param isComplete whether the run was completed
   */
  void printNoThreshold(boolean isComplete) {
    to.println(
        isComplete
            ? "warning: too few rows of both classes were held out to choose a threshold by --cost;"
                + " the model has none"
            : "warning: the run ended before the rows that choose a threshold by --cost; the model"
                + " has none");
  }
}
