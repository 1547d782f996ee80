package org.avm4j;

import java.util.Map;
import org.avm4j.internal.Words;

/** How the gradient of an instance becomes coefficients of the core points. */
public sealed interface Update permits Updates.Sgd, Updates.Newton {
  /** The name of this update on the command line. */
  default String word() {
    return Words.of((Record) this);
  }

  /** The numbers of this choice, by the names of the command line. */
  default Map<String, Object> parameters() {
    return Map.of();
  }

  /** Whether every instance moves the coefficients of all core points. */
  default boolean isSecondOrder() {
    return prior() > 0;
  }

  /** The strength of the prior of the second-order step; 0 for SGD. */
  double prior();

  /**
   * The number of features that the score also depends on linearly: d of f(x) = Σ_i b_i x_i + β₀ +
   * Σ_j β_j K(c_j, x); 0 for β₀ alone, and {@link #NO_LINEAR_PART} for neither.
   */
  default int linear() {
    return NO_LINEAR_PART;
  }

  /** The value of {@link #linear} for a score that is a kernel expansion alone. */
  int NO_LINEAR_PART = -1;

  /** The most features of a linear part, whose matrix is dense. */
  int MOST_LINEAR = 1 << 12;

  /** A prior that serves most streams well. */
  double DEFAULT_PRIOR = 0.1;

  /** The paper's step 1/(λt): the whole gradient goes to one core point. */
  static Update sgd() {
    return new Updates.Sgd();
  }

  /**
   * A second-order step over all core points at once. With k_t the kernel values of x_t against
   * them (0 where a point was not yet there, 1 at x_t's own new cell), and f = βᵀk, it minimises
   *
   * <p>½ βᵀRβ + ½ Σ_t w_t κ_t (βᵀk_t - z_t)²
   *
   * <p>where κ_t and z_t are the curvature and the minimum of the parabola that replaces the {@link
   * Loss} at the score of step t. For squared loss the parabola is the loss itself and w_t = 1, so
   * β is exactly ridge regression on the core points (recursive least squares). For every other
   * loss a parabola becomes outdated as β changes, so instance t has weight w_t = t. R is diagonal:
   * the entry of a core point added at step t is the prior times w_t.
   *
   * <p>The hinge loss is squared. Several classes are learned one-vs-rest, with one matrix for all.
   * Every instance updates all core points, so nothing is lost at the size cap. A step costs O(S²),
   * and O(S) if the parabola is flat (a margin beyond 1).
   *
   * @param prior the strength of R, in instances
   * @param linear the number of features in the linear part, as in {@link Update#linear}
   */
  static Update newton(double prior, int linear) {
    return new Updates.Newton(prior, linear);
  }

  /** The second-order step without a linear part. */
  static Update newton(double prior) {
    return newton(prior, NO_LINEAR_PART);
  }

  /** The second-order step with the default prior and without a linear part. */
  static Update newton() {
    return newton(DEFAULT_PRIOR);
  }
}
