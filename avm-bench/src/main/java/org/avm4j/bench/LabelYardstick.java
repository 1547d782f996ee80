package org.avm4j.bench;

import org.avm4j.eval.Yardsticks;

/** A yardstick that sees labels alone: the commonest class or the mean, or the last label known. */
final class LabelYardstick implements Learner {
  private final Rows rows;
  private final boolean isNoChange;
  private final Yardsticks known;
  private double last;

  LabelYardstick(Rows rows, boolean isNoChange) {
    this.rows = rows;
    this.isNoChange = isNoChange;
    known = new Yardsticks(rows.isRegression());
    last = known.constant();
  }

  @Override
  public double predict(int t) {
    return isNoChange ? last : known.constant();
  }

  @Override
  public void learn(int t) {
    last = rows.label(t);
    known.learned(last);
  }
}
