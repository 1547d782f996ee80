package org.avm4j.spec;

import java.util.List;
import java.util.Optional;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.data.Decimal;
import org.avm4j.pipeline.Labels;

/**
 * What is known about the data when a learner is made: the task, a survey of the data if there was
 * one, and the number of rows. Without a survey, a question that only data could answer throws a
 * {@link SpecException}, so that the option must be given.
 */
public final class DataContext {
  private final Task task;
  private final Survey survey;
  private final List<String> names;
  private final long rows;

  /**
   * A context.
   *
   * @param task null if unknown
   * @param survey null if there was none
   * @param names the texts of the labels; empty if labels are numbers
   * @param rows the number of rows to come; 0 if unknown
   */
  DataContext(Task task, Survey survey, List<String> names, long rows) {
    this.task = task;
    this.survey = survey;
    this.names = names;
    this.rows = rows;
  }

  /** Whether the task is known already. */
  public boolean isTaskKnown() {
    return task != null;
  }

  /** What is predicted. */
  public Task task() {
    if (task == null) {
      throw unknown("task");
    }
    return task;
  }

  /** The survey of the data, if there was one. */
  public Optional<Survey> survey() {
    return Optional.ofNullable(survey);
  }

  /** The number of rows that will be learned; 0 if unknown. */
  public long rows() {
    return rows;
  }

  /** The number of rows that will be learned or, if unknown, of those in the survey. */
  public long knownRows() {
    return rows > 0 || survey == null ? rows : survey.rows();
  }

  /** γ for which the argument of the kernel is about 1 at the mean distance of two rows. */
  public double gamma(Kernel kernel) {
    return survey("gamma").gamma(kernel);
  }

  /** The smallest diameter of a cell that the data makes plausible. */
  public double diameter() {
    return survey("delta").diameter();
  }

  /** Diameters of cells from the smallest to the largest that the data makes plausible. */
  public double[] diameters(int n) {
    return survey("delta").distances().diameters(n);
  }

  /** The mean label; 0 without a survey. */
  public double meanLabel() {
    return survey == null ? 0 : survey.meanLabel();
  }

  /** The two labels of a binary task; without a survey, the first two that appear. */
  public Labels pair() {
    return survey == null ? Labels.Discovered.NONE : survey.pair();
  }

  /** The map of labels to mean 0 and deviation 1; without a survey, labels stay as they are. */
  public Labels standardLabels() {
    return survey == null ? new Labels.Plain() : survey.standardLabels();
  }

  /** The label of the class that a text names. */
  public double label(String text) {
    double label = names.isEmpty() ? Decimal.parse(text) : names.indexOf(text);
    if (!(names.isEmpty() ? Double.isFinite(label) : label >= 0)) {
      String known = names.isEmpty() ? "numbers" : String.join(", ", names);
      throw new SpecException(
          "there is no class '" + text + "', the labels so far are " + known, "class-weight");
    }
    return label;
  }

  private Survey survey(String option) {
    if (survey == null) {
      throw unknown(option);
    }
    return survey;
  }

  private static SpecException unknown(String option) {
    return new SpecException(
        "{" + option + "} must be given, because no data was read beforehand", option);
  }
}
