package org.avm4j.lab.baseline;

/**
 * The step for an instance: the score of its own column at x_t rises by {@code direction * amount},
 * and that of the rival, if there is one, falls by the same.
 *
 * @param own the column of the label
 * @param rival the column of the best other class, or -1
 * @param direction the label of a binary task, the sign of the error in regression, else 1
 * @param margin y f(x), or f_y(x) - f_z(x)
 * @param amount the size of the step; 0 for none
 */
record LabelStep(int own, int rival, double direction, double margin, double amount) {
  /** The coefficient of Φ(x_t) in the own column. */
  double step() {
    return direction * amount;
  }

  LabelStep times(double factor) {
    return new LabelStep(own, rival, direction, margin, factor * amount);
  }
}
