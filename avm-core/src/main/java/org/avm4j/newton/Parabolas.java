package org.avm4j.newton;

import org.avm4j.Loss;
import org.avm4j.internal.Columns;
import org.avm4j.step.Memory;

/**
 * The parabolas κ_c/2 (f_c - z_c)² that approximate the loss of one instance, one for each column
 * of scores (one-vs-rest for several classes). The largest κ_c is used for all columns, so that
 * they share one matrix.
 */
public final class Parabolas {
  private final Loss loss;
  private final Columns columns;
  private double[] pull = {};
  private double typical;

  /**
   * Parabolas for a loss.
   *
   * @param typical the first estimate of the size of a residual
   */
  public Parabolas(Loss loss, Columns columns, double typical) {
    this.loss = loss;
    this.columns = columns;
    this.typical = typical;
  }

  /** The size of a typical residual: a mean in which instance t weighs t. */
  double typical() {
    return typical;
  }

  void typical(double residual) {
    typical = residual;
  }

  /** Whether a parabola is the loss itself, and so never grows stale. */
  boolean isExact() {
    return loss.isQuadratic();
  }

  /**
   * w_t from w_{t-1}. Earlier instances are discounted by {@link Memory#discount}. If parabolas
   * grow stale, they are discounted by another (m_t - 1)/m_t while memory grows, so that w_t = t if
   * nothing is forgotten.
   */
  double weight(double w, Memory memory) {
    if (memory.size() < memory.before() + 1) {
      return w / memory.discount();
    }
    return isExact() || memory.before() == 0 ? w : w + w / memory.before();
  }

  /** κ_c (z_c - f_c): the pull of the instance on the score of column c. */
  public double pull(int c) {
    return pull[c];
  }

  /**
   * Fits the parabolas at the scores of (x_t, y) and counts the residual as one of m_t; returns the
   * largest κ_c.
   */
  public double fit(double[] scores, int n, int own, double y, double memory) {
    double largest = fit(scores, n, own, y);
    if (loss.forRegression()) {
      typical += (Math.abs(scores[0] - y) - typical) * 2 / (memory + 1);
    }
    return largest;
  }

  /** Fits the parabolas at the scores of an instance; returns the largest κ_c. */
  public double fit(double[] scores, int n, int own, double y) {
    pull = n > pull.length ? new double[2 * n] : pull;
    double largest = 0;
    for (int c = 0; c < n; c++) {
      largest = Math.max(largest, fit(c, scores[c], columns.target(c, own, y)));
    }
    return largest;
  }

  private double fit(int c, double score, double label) {
    boolean isResidual = loss.forRegression();
    double u = isResidual ? score - label : score * label;
    double curvature = loss.curvature(u, typical);
    double towards = curvature == 0 ? 0 : curvature * (loss.goal(u) - u);
    pull[c] = isResidual ? towards : label * towards;
    return curvature;
  }

  /** Sets the typical residual to the mean of both, weighted by their instances. */
  void merge(double memory, Parabolas other, double otherMemory) {
    double mine = memory * memory;
    double its = otherMemory * otherMemory;
    typical = its == 0 ? typical : (mine * typical + its * other.typical) / (mine + its);
  }
}
