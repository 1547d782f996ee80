package org.avm4j;

/** What a learner and its frozen model share: scores and answers. */
public interface Predictor {
  /** The number of scores an instance gets: one for each class known so far, or one. */
  int columns();

  /** The class labels in ascending order: -1 and +1 for a binary task, none for regression. */
  double[] classes();

  /**
   * Writes the scores w_cᵀΦ(x) into the first {@link #columns} places: for several classes in
   * ascending order of label. Pure: nothing that can be observed changes.
   */
  void score(Features x, double[] scores);

  /** The scores in an array of their own. */
  default double[] score(Features x) {
    double[] scores = new double[columns()];
    score(x, scores);
    return scores;
  }

  /** The label or number predicted for x. */
  double predict(Features x);
}
