package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;

/**
 * Weights the features anew for a rival of the present learner: boosted trees over more rows tell
 * better which features matter. Whether the rival is better is left to the race.
 *
 * <p>In 20,000 shuffled rows of covtype the mixture makes 4 % fewer mistakes with it. On seven
 * other streams the rival does not win.
 */
final class RivalSearch implements StepwiseSearch {
  private final SearchStart start;
  private final AutoOptions options;
  private final Lineup lineup;
  private final List<Instance> rows;
  private final TrialRows trialRows;

  /** Trees that tell which features matter; null before the first step. */
  private Boosting gains;

  private boolean isOver;

  /**
   * A search that has not begun.
   *
   * @param rows the rows that tell which features matter
   * @param trialRows the same, with their labels as they are learned
   */
  RivalSearch(
      SearchStart start,
      AutoOptions options,
      Lineup lineup,
      List<Instance> rows,
      TrialRows trialRows) {
    this.start = start;
    this.options = options;
    this.lineup = lineup;
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
  public List<Runner> found() {
    Candidate plain = start.present().orElseThrow().withoutMetric();
    return plain
        .weighted(gains.gains(Lineup.dimension(rows)))
        .limit(1)
        .map(each -> lineup.runner(each, start.isFinal(), options, rows))
        .toList();
  }

  @Override
  public Stream<Standing> standings() {
    return Stream.empty();
  }
}
