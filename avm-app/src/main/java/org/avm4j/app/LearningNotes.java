package org.avm4j.app;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.avm4j.Task;
import org.avm4j.data.Note;
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
  private final boolean holdsOut;
  private final PrintStream to = System.err;

  /**
   * Notes on data that a learner is to learn.
   *
   * @param holdsOut whether rows are held out to estimate the error
   */
  LearningNotes(PreparedData data, LearnerSpec learning, boolean holdsOut) {
    this.data = data;
    this.learning = learning;
    this.holdsOut = holdsOut;
  }

  /**
   * Prints all notes.
   *
   * @param isShuffled whether rows are learned in random order
   * @param isOneRun whether there is a single run, for which the order of the rows matters
   * @param isQuiet whether only warnings are printed
   */
  void print(boolean isShuffled, boolean isOneRun, boolean isQuiet) {
    notes(isShuffled, isOneRun).stream()
        .filter(note -> !isQuiet || note.isWarning())
        .distinct()
        .forEach(to::println);
  }

  /** The warnings among them. */
  List<String> warnings(boolean isShuffled, boolean isOneRun) {
    return notes(isShuffled, isOneRun).stream()
        .filter(Note::isWarning)
        .map(Note::text)
        .distinct()
        .toList();
  }

  private List<Note> notes(boolean isShuffled, boolean isOneRun) {
    List<Note> notes = new ArrayList<>(data.notes());
    TableOrigin table = data.schema().origin();
    boolean isTable = table.isKnown() || table.label() == null; // JSON has a label name, no table
    if (learning.isUnsupervised() && isTable && !data.schema().columns().isEmpty()) {
      notes.add(Note.of(labelText(table.label())));
    }
    if (!learning.isUnsupervised() && !data.isStream() && data.survey().labels().size() == 1) {
      notes.add(Note.warning("all labels are the same, so there is nothing to learn"));
    }
    if (!isShuffled && isOneRun && hasClasses() && data.order().isBlocked()) {
      notes.add(
          Note.warning(
              data.order().text()
                  + "; a learner adapts to such blocks, so the figures say little about new data."
                  + (data.isStream() ? "" : " Use --shuffle to process the rows in random order")));
    }
    if (isShuffled && holdsOut && !data.timeOrder().isKnown()) {
      data.copies().warning().map(Note::warning).ifPresent(notes::add);
    }
    if (isShuffled && (holdsOut || data.timeOrder().isKnown())) {
      data.timeOrder().text().map(Note::of).ifPresent(notes::add);
    }
    if (data.isStream() && learning.scaling() != Scaling.NONE) {
      notes.add(
          Note.of(
              Text.format("the scaling was measured on the first %,d rows", data.survey().rows())));
    }
    if (learning.has("c")) {
      notes.add(
          Note.of(
              Text.format(
                  "-c %s means --lambda %s = 1/(C rows)",
                  learning.number("c", 1), data.rules(learning).regularization())));
    }
    return notes;
  }

  /** A note on which column is the label of a task that does not learn labels. */
  private static String labelText(String label) {
    return label == null
        ? "no column is used as the label, all are features; use --label to choose one"
        : "column '"
            + label
            + "' is used as the label: it is compared with the answers but not learned; use"
            + " --no-label if it is a feature";
  }

  /** A note on the chosen number of lags and the errors that decided. */
  static String text(LagChoice choice) {
    Estimate with = choice.error();
    Estimate without = choice.errorWithout();
    return Text.format(
        choice.count() == 0
            ? "--lags auto chose none: RMSE %s on the latest %,d rows, and lags do not lower it"
            : "--lags auto chose %3$d: RMSE %1$s on the latest %2$,d rows, %4$s without lags",
        FigureText.rounded(with.name(), with.value(), with.value() / 10),
        with.rows(),
        choice.count(),
        FigureText.rounded(without.name(), without.value(), without.value() / 10));
  }

  private boolean hasClasses() {
    Task.Kind kind = data.rules(learning).task().kind();
    return kind == Task.Kind.BINARY || kind == Task.Kind.MULTICLASS;
  }

  /** Warns that the time limit was over before all rows were learned. */
  void printTimeIsOver(long learned, long rows) {
    to.printf(
        Locale.ROOT,
        "warning: the time limit was reached after %,d of %,d rows; the model has learned only"
            + " these%n",
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
            ? "warning: the held-out rows of both classes are too few to choose a threshold by"
                + " --cost; the model has none"
            : "warning: the run ended before a threshold could be chosen by --cost; the model"
                + " has none");
  }
}
