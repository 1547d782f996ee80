package org.avm4j;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.avm4j.internal.Rules;

/** The choices of Z_t behind the factories of {@link Approximation}, one record each. */
final class Approximations {
  private Approximations() {}

  /** {@link Approximation#always}. */
  record Always() implements Approximation {
    @Override
    public boolean decide(long t, double margin, DoubleSupplier uniform) {
      return true;
    }

    @Override
    public double kept(long t) {
      return 0;
    }

    @Override
    public double probability(long t) {
      return 1;
    }
  }

  /** {@link Approximation#never}. */
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
    public double kept(long t) {
      return t;
    }

    @Override
    public double probability(long t) {
      return 0;
    }
  }

  /** {@link Approximation#decaying}. */
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

    /** β (log T + 1) for ρ = 1, β T^(1-ρ)/(1-ρ) below, and β ζ(ρ) above. */
    @Override
    public double kept(long t) {
      if (rho == 1) {
        return beta * (StrictMath.log(t) + 1);
      }
      return rho < 1 ? beta * StrictMath.pow(t, 1 - rho) / (1 - rho) : beta * zeta(rho);
    }

    @Override
    public double probability(long t) {
      return Math.max(0, 1 - beta / StrictMath.pow(t, rho));
    }
  }

  /** {@link Approximation#whenConfident}. */
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
    public double kept(long t) {
      return t;
    }

    @Override
    public double probability(long t) {
      return 1;
    }
  }

  /** ζ(s) = Σ 1/n^s for s > 1: a hundred terms, and the rest by Euler and Maclaurin. */
  static double zeta(double s) {
    double sum = 0;
    int n = 100;
    for (int i = 1; i < n; i++) {
      sum += StrictMath.pow(i, -s);
    }
    double last = StrictMath.pow(n, -s);
    return sum + n * last / (s - 1) + last / 2 + s * last / (12.0 * n);
  }
}
