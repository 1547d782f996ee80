package org.avm4j.pipeline;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Schema;
import org.avm4j.table.RefusedRowException;

/**
 * Which labels a learner accepts.
 *
 * @param task the task as it is known so far
 * @param isOpen whether the labels may still change the task
 * @param only the only labels that are accepted; empty if there is no such restriction
 */
record LabelRule(Task task, boolean isOpen, double[] only) {
  static LabelRule of(OnlineLearner learner) {
    return new LabelRule(learner.task(), learner.isTaskOpen(), learner.acceptedLabels());
  }

  boolean needsNone() {
    return task.isUnsupervised();
  }

  /**
   * Throws an exception if a label does not fit.
   *
   * @param y the number of the label
   * @param schema tells whether labels are names, and which
   */
  void check(double y, Schema schema) {
    boolean isName = !schema.labels().isEmpty();
    if (needsNone()) {
      return;
    }
    if (isName && !isOpen && task.isRegression()) {
      throw refused("a regression task needs numbers as labels", y, schema);
    }
    if (!isName && !(Math.abs(y) <= Features.LARGEST)) {
      throw refused("a label must be a number within ±1e15", y, schema);
    }
    if (only.length > 0 && !contains(only, y)) {
      String known =
          Arrays.stream(only).mapToObj(schema::labelText).collect(Collectors.joining("' and '"));
      throw refused("this binary task has the labels '" + known + "'", y, schema);
    }
  }

  /** Whether labels that are not known yet may become classes. */
  boolean mayGrow() {
    return only.length == 0 && !needsNone() && !task.isRegression();
  }

  static boolean contains(double[] labels, double y) {
    for (double label : labels) {
      if (label == y) {
        return true;
      }
    }
    return false;
  }

  private static IllegalArgumentException refused(String rule, double y, Schema schema) {
    return new RefusedRowException(
        RefusedRowException.Reason.LABEL, rule + ", found '" + schema.labelText(y) + "'");
  }
}
