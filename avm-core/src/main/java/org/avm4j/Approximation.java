package org.avm4j;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.avm4j.internal.Rules;
import org.avm4j.internal.Words;

/**
 * Z_t (Section 6.2): whether step t gives its gradient to the core point of the cell that contains
 * x_t, or keeps x_t itself as a support vector. The model-size theorem says what each choice costs.
 */
public sealed interface Approximation {
  /** The word of the command line. */
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

  /** Whether the margin of an answer decides, which only classes have. */
  default boolean needsMargin() {
    return false;
  }

  /** p_t = P(Z_t = 1), or 1 where it depends on the instance. */
  double probability(long t);

  /** Z_t = 1: the sparsest model, bounded whatever the stream does. */
  record Always() implements Approximation {
    @Override
    public boolean decide(long t, double margin, DoubleSupplier uniform) {
      return true;
    }

    @Override
    public double probability(long t) {
      return 1;
    }
  }

  /** Z_t = 0: Algorithm 1, kernel SGD whose model grows with the stream. */
  record Never() implements Approximation {
    @Override
    public boolean usesCells() {
      return false;
    }

    @Override
    public boolean decide(long t, double margin, DoubleSupplier uniform) {
      return false;
    }

    @Override
    public double probability(long t) {
      return 0;
    }
  }

  /** p_t = max(0, 1 - β/t^ρ). */
  record Decaying(double beta, double rho) implements Approximation {
    public Decaying {
      Rules.notNegative("beta", beta);
      Rules.positive("rho", rho);
    }

    @Override
    public Map<String, Object> parameters() {
      Map<String, Object> both = new LinkedHashMap<>();
      both.put("beta", beta);
      both.put("rho", rho);
      return both;
    }

    @Override
    public boolean decide(long t, double margin, DoubleSupplier uniform) {
      return uniform.getAsDouble() < probability(t);
    }

    @Override
    public double probability(long t) {
      return Math.max(0, 1 - beta / StrictMath.pow(t, rho));
    }
  }

  /** Z_t = 1 where the margin is at least 1: instances that matter keep their own place. */
  record WhenConfident() implements Approximation {
    @Override
    public Map<String, Object> parameters() {
      return Map.of("when-confident", true);
    }

    @Override
    public boolean needsMargin() {
      return true;
    }

    @Override
    public boolean decide(long t, double margin, DoubleSupplier uniform) {
      return margin >= 1;
    }

    @Override
    public double probability(long t) {
      return 1;
    }
  }
}
