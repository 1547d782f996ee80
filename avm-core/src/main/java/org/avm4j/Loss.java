package org.avm4j;

import java.util.Map;
import org.avm4j.internal.Words;

/**
 * A convex loss of Section 7, as a function ℓ(u) of one number: for classification u is the margin,
 * y f(x) or f_y(x) - f_z(x), and for regression the residual f(x) - y. The gradient of the loss in
 * feature space is α Φ(x), where α is ℓ'(u) times the derivative of u by the score ({@link Task}).
 *
 * <p>A and B bound the gradient, |ℓ'| ≤ A ‖w‖^(1/2) + B, as the theorems ask; A is 0 for every loss
 * but the squared one.
 */
public sealed interface Loss
    permits Losses.Hinge,
        Losses.SmoothHinge,
        Losses.Logistic,
        Losses.Absolute,
        Losses.Squared,
        Losses.EpsilonInsensitive {
  /** The name of this loss on the command line. */
  default String word() {
    return Words.of((Record) this);
  }

  /** The numbers of this choice, by the names of the command line. */
  default Map<String, Object> parameters() {
    return Map.of();
  }

  /** ℓ(u), finite for every finite u. */
  double value(double u);

  /** ℓ'(u), or the sub-gradient that the paper takes. */
  double derivative(double u);

  /**
   * κ of the parabola κ/2 (u' - z)² that replaces the loss at u in a second-order step; 0 if the
   * instance requires no change. Up to a constant, the parabola is nowhere below the loss; for the
   * hinge loss, it is that of the squared hinge.
   *
   * @param typical the size of a typical residual, which bounds the curvature: smaller residuals
   *     weigh no more
   */
  double curvature(double u, double typical);

  /** z, the minimum of that parabola: a residual of 0, or a margin of 1. */
  default double goal(double u) {
    return forRegression() ? 0 : 1;
  }

  /** Whether u is a residual, not a margin. */
  default boolean forRegression() {
    return false;
  }

  /** Whether minimising the loss makes the scores log-odds. */
  default boolean hasLogits() {
    return false;
  }

  /** Whether the parabola of a second-order step is the loss itself, and so never grows stale. */
  default boolean isQuadratic() {
    return false;
  }

  /** The paper's B: an upper bound of |ℓ'|. */
  default double bound() {
    return 1;
  }

  /** max(0, 1 - u). */
  static Loss hinge() {
    return new Losses.Hinge();
  }

  /** The hinge with its corner rounded over a width of τ. */
  static Loss smoothHinge(double tau) {
    return new Losses.SmoothHinge(tau);
  }

  /** log(1 + exp(-u)), computed without overflow for any margin. */
  static Loss logistic() {
    return new Losses.Logistic();
  }

  /** ℓ1: |u|. */
  static Loss absolute() {
    return new Losses.Absolute();
  }

  /** ℓ2: u²/2. */
  static Loss squared() {
    return new Losses.Squared();
  }

  /** max(0, |u| - ε). */
  static Loss epsilonInsensitive(double epsilon) {
    return new Losses.EpsilonInsensitive(epsilon);
  }
}
