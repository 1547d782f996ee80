package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;

/**
 * Finds new weights of features for a rival of the present learner, by the gains of boosted trees
 * over more rows than the first search had. The race decides whether the rival is better.
 *
 * <p>In 20,000 shuffled rows of covtype the mixture makes 4 % fewer mistakes with it. On seven
 * other streams the rival does not win.
 */
final class RivalSearch extends StepwiseSearch {
  /** The trees whose gains say which features matter; null before the first step. */
  private Boosting gains;

  private boolean isOver;

  RivalSearch(SearchStart start, AutoOptions options, LearnerFactory factory, List<Instance> rows) {
    super(start, options, factory, rows);
  }

  @Override
  boolean isOver() {
    return isOver;
  }

  @Override
  long step() {
    if (gains == null) {
      gains = rows.trees();
      return rows.workOfTrees();
    }
    isOver = !gains.grow();
    return TrialRows.workOfTree(gains);
  }

  @Override
  List<CandidateLearner> found() {
    Candidate plain = start.present().orElseThrow().with(Metric.NONE);
    return plain.weighted(gains.gains(features)).limit(1).map(this::learner).toList();
  }

  @Override
  Stream<Standing> standings() {
    return Stream.empty();
  }
}
