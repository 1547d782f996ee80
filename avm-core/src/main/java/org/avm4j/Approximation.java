package org.avm4j;

import java.util.Map;
import java.util.function.DoubleSupplier;
import org.avm4j.internal.Words;

/**
 * Z_t (Section 6.2): whether step t gives its gradient to the core point of the cell that contains
 * x_t, or keeps x_t itself as a support vector. The model-size theorem says what each choice costs.
 */
public sealed interface Approximation
    permits Approximations.Always,
        Approximations.Never,
        Approximations.Decaying,
        Approximations.WhenConfident {
  /** The name of this choice on the command line. */
  default String word() {
    return Words.of((Record) this);
  }

  /** The numbers of this choice, by the names of the command line. */
  default Map<String, Object> parameters() {
    return Map.of();
  }

  /**
   * Z_t.
   *
   * @param t the step, counted from 1
   * @param margin y f(x), or f_y(x) - f_z(x)
   * @param uniform draws from [0, 1)
   */
  boolean decide(long t, double margin, DoubleSupplier uniform);

  /** Whether any instance is ever given to a cell. */
  default boolean usesCells() {
    return true;
  }

  /** Whether the decision depends on the margin of the answer, which exists only for classes. */
  default boolean needsMargin() {
    return false;
  }

  /**
   * Σ_{t≤T} (1 - p_t), or an upper bound: the expected number of the first T instances kept as
   * support vectors; T if it depends on the instance.
   */
  double kept(long t);

  /** p_t = P(Z_t = 1); 1 if it depends on the instance. */
  double probability(long t);

  /** Z_t = 1: the sparsest model, whose size is bounded for any stream. */
  static Approximation always() {
    return new Approximations.Always();
  }

  /** Z_t = 0: Algorithm 1, kernel SGD whose model grows with the stream. */
  static Approximation never() {
    return new Approximations.Never();
  }

  /** p_t = max(0, 1 - β/t^ρ). */
  static Approximation decaying(double beta, double rho) {
    return new Approximations.Decaying(beta, rho);
  }

  /**
   * Z_t = 1 if the margin is at least 1: instances inside the margin become support vectors
   * themselves.
   */
  static Approximation whenConfident() {
    return new Approximations.WhenConfident();
  }
}
