package org.avm4j.app;

import org.avm4j.Features;
import org.avm4j.pipeline.LabelLags;

/** The error of answering each row by the last label that is known, which the row itself sees. */
final class NoChange {
  private final int latest;
  private double squares;
  private long rows;

  /** The error over rows that see labels of rows before them. */
  NoChange(LabelLags lags) {
    latest = lags.first();
  }

  /** Takes a row with the labels before it. */
  void add(Features x, double label) {
    double off = label - x.get(latest);
    squares += off * off;
    rows++;
  }

  double rmse() {
    return Math.sqrt(squares / rows);
  }
}
