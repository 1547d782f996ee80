package org.avm4j.auto;

import java.util.List;
import org.avm4j.data.Instance;

/** A learner that learns kept rows again, one at a time. */
final class Replay {
  /** Work for a row that does not depend on the size of a learner. */
  static final long LEAST_WORK = 1 << 12;

  /** Work for a gradient. */
  private static final long WORK_OF_GRADIENT = 1 << 16;

  /** The size of a tree counts up to this: it asks one region only. */
  private static final int MOST_IN_TREE = 256;

  private final Runner runner;
  private final List<Instance> rows;

  /** What it can tell of features; null where that is not asked. */
  private final Relevance relevance;

  private int at;
  private int end;
  private double earlierLoss;

  Replay(Runner runner, List<Instance> rows, Relevance relevance) {
    this.runner = runner;
    this.rows = rows;
    this.relevance = relevance;
    end = rows.size();
  }

  boolean rests() {
    boolean hasToTell = relevance != null && end == rows.size() && !relevance.isWhole();
    return at >= end && !hasToTell;
  }

  /** Sets the row before which it stops; answers to the latter half of all rows before it count. */
  void until(int row) {
    earlierLoss = loss();
    end = row;
    runner.countAnew();
  }

  long step() {
    if (at >= end) {
      relevance.addGradient();
      return WORK_OF_GRADIENT;
    }
    Instance row = rows.get(at);
    if (relevance != null) {
      relevance.observe(at, row);
    }
    runner.replay(row, 2 * (at + 1) > end);
    at++;
    return work(runner, row);
  }

  /** The loss when the row before which it stops was set last. */
  double earlierLoss() {
    return earlierLoss;
  }

  double loss() {
    return runner.meanLoss();
  }

  double handicappedLoss() {
    return runner.candidate().handicap() * loss();
  }

  Runner runner() {
    return runner;
  }

  Relevance relevance() {
    return relevance;
  }

  /** The work of a learner for a row, in multiplications. */
  static long work(Runner runner, Instance row) {
    int most = runner.isTree() ? MOST_IN_TREE : Integer.MAX_VALUE;
    long size = Math.min(most, runner.learner().size());
    return LEAST_WORK + size * (size + row.features().count());
  }
}
