package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;

/**
 * Looks for a metric that is clearly better than the present one. Boosted trees tell which features
 * matter. Then trees of machines with the present metric and with new ones answer all kept rows
 * before they learn them: the finer the regions of a tree, the more its metric matters, and only a
 * tree of full size shows it.
 */
final class RivalSearch implements StepwiseSearch {
  private final SearchStart start;
  private final AutoOptions options;
  private final Lineup lineup;
  private final List<Instance> sample;
  private final List<Instance> rows;
  private final TrialRows trialRows;

  /** Trees that tell which features matter; null before the first step. */
  private Boosting gains;

  /** The learners, first the one with the present settings; empty while trees are grown. */
  private List<Runner> runners = List.of();

  private double[] losses = {};
  private int learned;
  private int turn;

  /**
   * A search that has not begun.
   *
   * @param sample the rows that tell which features matter
   * @param trialRows the same, with their labels as they are learned
   * @param rows all rows to be learned
   */
  RivalSearch(
      SearchStart start,
      AutoOptions options,
      Lineup lineup,
      List<Instance> sample,
      TrialRows trialRows,
      List<Instance> rows) {
    this.start = start;
    this.options = options;
    this.lineup = lineup;
    this.sample = sample;
    this.rows = rows;
    this.trialRows = trialRows;
  }

  @Override
  public boolean isOver() {
    return learned == rows.size();
  }

  @Override
  public long step() {
    if (!runners.isEmpty()) {
      return learn();
    }
    if (gains == null) {
      gains = trialRows.trees();
      return trialRows.workOfTrees();
    }
    if (!gains.grow()) {
      runners =
          candidates().map(each -> lineup.runner(each, start.isFinal(), options, sample)).toList();
      losses = new double[runners.size()];
    }
    return TrialRows.workOfTree(gains);
  }

  private Stream<Candidate> candidates() {
    Candidate present = start.present().orElseThrow();
    double[] relevance = gains.gains(Lineup.dimension(sample));
    return Stream.concat(Stream.of(present), present.withoutMetric().weighted(relevance));
  }

  /** Lets the next learner in turn learn a row; answers to the second half of the rows count. */
  private long learn() {
    Instance row = rows.get(learned);
    double label = start.labels().transform(row.label());
    Runner runner = runners.get(turn);
    double loss = runner.learn(runner.scaler().apply(row.features()), label, row.weight());
    losses[turn] += 2 * learned >= rows.size() ? row.weight() * loss : 0;
    turn = (turn + 1) % runners.size();
    learned += turn == 0 ? 1 : 0;
    return runner.work(row);
  }

  @Override
  public List<Runner> found() {
    int best = 0;
    for (int i = 1; i < losses.length; i++) {
      best = losses[i] < losses[best] ? i : best;
    }
    boolean isClear = losses[best] < CandidateSearch.CLEARLY * losses[0];
    return isClear ? List.of(runners.get(best)) : List.of();
  }

  @Override
  public int learned() {
    return learned;
  }

  @Override
  public Stream<Standing> standings() {
    return Stream.empty();
  }
}
