package org.avm4j.lab.baseline;

/**
 * What an instance asks of f: the score of its own column is to rise by {@code direction * amount}
 * at x_t, and that of the rival, where there is one, to fall by as much.
 *
 * @param own the column of the label
 * @param rival the column of the best other class, or -1
 * @param direction the label of a binary task, the sign of the error in regression, else 1
 * @param margin y f(x), or f_y(x) - f_z(x)
 * @param amount how much, 0 for nothing
 */
record Verdict(int own, int rival, double direction, double margin, double amount) {
  /** The coefficient of Φ(x_t) in the own column. */
  double step() {
    return direction * amount;
  }

  Verdict times(double factor) {
    return new Verdict(own, rival, direction, margin, factor * amount);
  }
}
