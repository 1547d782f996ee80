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
  /** The word of the command line. */
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
   * κ of the parabola κ/2 (u' - z)² that a second-order step puts in the place of the loss at u; 0
   * where the instance asks for nothing. It lies nowhere below the loss, but for a constant; of the
   * hinge it is the squared one.
   *
   * @param typical the size of a usual residual: smaller ones weigh no more than it does
   */
  double curvature(double u, double typical);

  /** z of that parabola, where it is least: a residual of 0, or a margin of 1. */
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

  /** The paper's B: a bound of |ℓ'|. */
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

  /**
   * log(1 + exp(-u)), safe at any margin: the exponential is only taken of what is not positive.
   */
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
