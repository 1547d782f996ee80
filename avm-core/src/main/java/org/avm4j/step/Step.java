package org.avm4j.step;

import org.avm4j.internal.Columns;

/** What one step of Algorithm 2 knows about its instance (x_t, y_t); filled anew by each step. */
public final class Step {
  /** y_t. */
  public double label;

  /** The weight of the instance times that of its class. */
  public double weight;

  /** Scores of other learners that count beside w_tᵀΦ(x_t), for each column; null for none. */
  public double[] others;

  /** w_tᵀΦ(x_t) for each column, and those of the others. */
  public double[] scores = new double[1];

  /** The column of y_t. */
  public int own;

  /** z_t: the column of the best other class, or {@link Columns#NONE}. */
  public int rival;

  /** u: what the loss is a function of. */
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
