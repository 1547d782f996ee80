package org.avm4j;

/**
 * The parabolas κ_c/2 (f_c - z_c)² that stand in for the loss of one instance, one for each column
 * of scores: for several classes one against the rest. The largest κ_c serves all columns, so that
 * one matrix does.
 */
final class Parabolas {
  private final Loss loss;
  private final Task task;
  private double[] pull = {};
  private double typical;

  Parabolas(AvmOptions options, double typical) {
    loss = options.loss();
    task = options.task();
    this.typical = typical;
  }

  /** The size of a residual, as the mean in which instance t weighs t. */
  double typical() {
    return typical;
  }

  /** Whether there are several classes, each against the rest. */
  boolean areClasses() {
    return task instanceof Task.Multiclass;
  }

  /** Whether a parabola is the loss itself, and so never grows stale. */
  boolean isExact() {
    return loss instanceof Loss.Squared;
  }

  /**
   * w_t from w_{t-1}: what came before keeps the part that memory keeps, and where parabolas grow
   * stale another (m_t - 1)/m_t while memory grows, so that w_t = t if nothing is forgotten.
   */
  double weight(double w, Memory memory) {
    if (memory.size() < memory.before() + 1) {
      return w / memory.part();
    }
    return isExact() || memory.before() == 0 ? w : w + w / memory.before();
  }

  /** κ_c (z_c - f_c): how hard the instance pulls at the score of a column. */
  double pull(int c) {
    return pull[c];
  }

  /** Finds the parabolas at the scores of (x_t, y); returns the largest κ_c. */
  double put(double[] scores, int columns, int own, double y, double t) {
    double largest = put(scores, columns, own, y);
    if (task instanceof Task.Regression) {
      typical += (Math.abs(scores[0] - y) - typical) * 2 / (t + 1);
    }
    return largest;
  }

  /** The same for an instance that does not change what a typical residual is. */
  double put(double[] scores, int columns, int own, double y) {
    pull = columns > pull.length ? new double[2 * columns] : pull;
    double largest = 0;
    for (int c = 0; c < columns; c++) {
      double label = areClasses() ? (c == own ? 1 : -1) : y;
      largest = Math.max(largest, put(c, scores[c], label));
    }
    return largest;
  }

  private double put(int c, double score, double label) {
    boolean isResidual = loss.forRegression();
    double u = isResidual ? score - label : score * label;
    double curvature = loss.curvature(u, typical);
    double towards = curvature == 0 ? 0 : curvature * (loss.goal(u) - u);
    pull[c] = isResidual ? towards : label * towards;
    return curvature;
  }

  /** The mean of both, by the weights of their instances. */
  void merge(double t, Parabolas other, double otherT) {
    double mine = t * t;
    double its = otherT * otherT;
    typical = its == 0 ? typical : (mine * typical + its * other.typical) / (mine + its);
  }
}
