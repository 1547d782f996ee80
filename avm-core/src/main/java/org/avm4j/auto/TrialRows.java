package org.avm4j.auto;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Task;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Labels;

/**
 * The rows on which candidates are judged, with a target for each score: the number, or 1 for the
 * class of the row and -1 for the others.
 */
final class TrialRows {
  /** The trees that tell which features matter, over all classes. */
  private static final int TREES = 40;

  private static final int FEWEST_ROUNDS = 4;
  private static final int DEPTH = 6;
  private static final double SHRINKAGE = 0.3;

  /**
   * Multiplications that take as long as one addition to a histogram, which is not vectorised: 3.9
   * to 6.0 on 4,096 rows of four data sets.
   */
  private static final long WORK_OF_ADDITION = 4;

  /**
   * Multiplications that take as long as sorting one value into its bin: 210 to 410 on the same
   * data.
   */
  private static final long WORK_OF_SORTING = 256;

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

  List<Instance> all() {
    return rows;
  }

  /** Trees, still to be grown, whose gains tell which features matter. */
  Boosting trees() {
    int rounds = Math.max(FEWEST_ROUNDS, TREES / Math.max(1, classes.length));
    BoostOptions options = BoostOptions.DEFAULT.withRounds(rounds).withTrees(DEPTH, SHRINKAGE);
    return Boosting.of(task, rows, options);
  }

  /** The work of {@link #trees}, in multiplications: values are sorted into bins. */
  long workOfTrees() {
    return WORK_OF_SORTING * rows.stream().mapToLong(row -> row.features().count()).sum();
  }

  /** The work of growing one more tree, in multiplications. */
  static long workOfTree(Boosting trees) {
    return WORK_OF_ADDITION * trees.work();
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
    double loss =
        switch (task) {
          case REGRESSION -> AnswerLoss.ofError(scores[0] - label);
          case BINARY -> AnswerLoss.ofMargin(label * scores[0]);
          default -> AnswerLoss.ofClasses(scores, own[row], classes.length);
        };
    return rows.get(row).weight() * loss;
  }
}
