package org.avm4j.step;

import org.avm4j.internal.Columns;

/**
 * What one step of Algorithm 2 knows about its instance (x_t, y_t). The object is reused by all
 * steps.
 */
public final class Step {
  /** y_t. */
  public double label;

  /** The weight of the instance times that of its class. */
  public double weight;

  /** Scores of other learners that are added to w_tᵀΦ(x_t), one for each column; null for none. */
  public double[] others;

  /** w_tᵀΦ(x_t) plus the scores of the others, for each column. */
  public double[] scores = new double[1];

  /** The column of y_t. */
  public int own;

  /** z_t: the column of the best other class, or {@link Columns#NONE}. */
  public int rival;

  /** u: the argument of the loss. */
  public double margin;

  /** α_t: the derivative of the weighted loss by the score of y_t. */
  public double alpha;

  /** The largest |y| so far, or the given one. */
  public double yMax;

  /** The score of the other learners for a column. */
  public double other(int column) {
    return others == null ? 0 : others[column];
  }

  /** Makes room for the scores of n columns. */
  public void reserve(int n) {
    scores = scores.length < n ? new double[2 * n] : scores;
  }
}
