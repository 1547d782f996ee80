package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;

/**
 * Finds new weights of features for a rival of the present learner, by the gains of boosted trees
 * over more rows than the first search had. The race decides whether the rival is better.
 *
 * <p>In 20,000 shuffled rows of covtype the mixture makes 4 % fewer mistakes with it. On seven
 * other streams the rival does not win.
 */
final class RivalSearch implements StepwiseSearch {
  private final SearchStart start;
  private final AutoOptions options;
  private final LearnerFactory factory;
  private final List<Instance> rows;
  private final TrialRows trialRows;

  /** The trees whose gains say which features matter; null before the first step. */
  private Boosting gains;

  private boolean isOver;

  /**
   * A search that has not started.
   *
   * @param rows the rows from which the trees are grown
   * @param trialRows the same rows, with their labels as they are learned
   */
  RivalSearch(
      SearchStart start,
      AutoOptions options,
      LearnerFactory factory,
      List<Instance> rows,
      TrialRows trialRows) {
    this.start = start;
    this.options = options;
    this.factory = factory;
    this.rows = rows;
    this.trialRows = trialRows;
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  @Override
  public long step() {
    if (gains == null) {
      gains = trialRows.trees();
      return trialRows.workOfTrees();
    }
    isOver = !gains.grow();
    return TrialRows.workOfTree(gains);
  }

  @Override
  public List<CandidateLearner> found() {
    Candidate plain = start.present().orElseThrow().withoutMetric();
    return plain
        .weighted(gains.gains(LearnerFactory.dimension(rows)))
        .limit(1)
        .map(each -> factory.learner(each, start.isFinal(), options, rows))
        .toList();
  }

  @Override
  public Stream<Standing> standings() {
    return Stream.empty();
  }
}
