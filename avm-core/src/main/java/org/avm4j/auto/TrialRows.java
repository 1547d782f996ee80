package org.avm4j.auto;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Labels;

/**
 * The rows on which candidates are judged, with a target for each score: the number, or 1 for the
 * class of the row and -1 for the others.
 */
final class TrialRows {
  private final Task.Kind task;
  private final List<Instance> rows;
  private final double[] classes;
  private final int[] own;

  /**
   * Rows with their labels as they are learned.
   *
   * @param how how labels are learned
   */
  TrialRows(Task.Kind task, Labels how, List<Instance> rows) {
    this.task = task;
    this.rows =
        rows.stream()
            .map(row -> new Instance(row.features(), how.transform(row.label()), row.weight()))
            .toList();
    boolean hasClasses = task == Task.Kind.MULTICLASS;
    classes =
        hasClasses
            ? this.rows.stream().mapToDouble(Instance::label).distinct().sorted().toArray()
            : new double[0];
    own = this.rows.stream().mapToInt(row -> Arrays.binarySearch(classes, row.label())).toArray();
  }

  int size() {
    return rows.size();
  }

  Instance get(int row) {
    return rows.get(row);
  }

  /** Boosted trees, still to be grown, whose gains say which features matter. */
  Boosting trees() {
    int rounds = Math.max(Constants.ROUNDS, Constants.GAIN_TREES / Math.max(1, classes.length));
    BoostOptions options =
        BoostOptions.DEFAULT
            .withRounds(rounds)
            .withTrees(Constants.DEPTH, Constants.GAIN_SHRINKAGE);
    return Boosting.of(task, rows, options);
  }

  /** The work of {@link #trees}, which sorts values into bins, in multiplications. */
  long workOfTrees() {
    return Constants.WORK_OF_SORTING * rows.stream().mapToLong(row -> row.features().count()).sum();
  }

  /** The work of growing one more tree, in multiplications. */
  static long workOfTree(Boosting trees) {
    return Constants.WORK_OF_ADDITION * trees.work();
  }

  /** The number of scores. */
  int columns() {
    return Math.max(1, classes.length);
  }

  double target(int row, int column) {
    return classes.length == 0 ? rows.get(row).label() : own[row] == column ? 1 : -1;
  }

  /** The loss of the scores for a row, times its weight. */
  double loss(int row, double[] scores) {
    double label = rows.get(row).label();
    return rows.get(row).weight() * AnswerLoss.of(task, scores, label, own[row], classes.length);
  }
}
