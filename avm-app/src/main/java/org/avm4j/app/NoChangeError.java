package org.avm4j.app;

import org.avm4j.Features;
import org.avm4j.pipeline.LabelLags;

/** The error of predicting each row by the latest known label, which is one of its features. */
final class NoChangeError {
  private final int latest;
  private double squares;
  private long rows;

  /** Measures rows with labels of earlier rows as features. */
  NoChangeError(LabelLags lags) {
    latest = lags.first();
  }

  void add(Features x, double label) {
    double off = label - x.get(latest);
    squares += off * off;
    rows++;
  }

  double rmse() {
    return Math.sqrt(squares / rows);
  }
}
