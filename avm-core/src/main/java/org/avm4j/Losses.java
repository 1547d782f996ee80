package org.avm4j;

import java.util.Map;
import org.avm4j.internal.Rules;

/** The losses behind the factories of {@link Loss}, one record each. */
final class Losses {
  /** Smallest typical residual, used if all residuals are nearly 0. */
  private static final double LEAST = 1e-9;

  private Losses() {}

  /** {@link Loss#hinge}. */
  record Hinge() implements Loss {
    @Override
    public double value(double u) {
      return Math.max(0, 1 - u);
    }

    @Override
    public double derivative(double u) {
      return u < 1 ? -1 : 0;
    }

    @Override
    public double curvature(double u, double typical) {
      return u < 1 ? 1 : 0;
    }
  }

  /** {@link Loss#smoothHinge}. */
  record SmoothHinge(double tau) implements Loss {
    public SmoothHinge {
      Rules.positive("tau", tau);
    }

    @Override
    public Map<String, Object> parameters() {
      return Map.of("tau", tau);
    }

    @Override
    public double value(double u) {
      if (u > 1) {
        return 0;
      }
      return u < 1 - tau ? 1 - u - tau / 2 : (1 - u) * (1 - u) / (2 * tau);
    }

    @Override
    public double derivative(double u) {
      if (u > 1) {
        return 0;
      }
      return u < 1 - tau ? -1 : (u - 1) / tau;
    }

    @Override
    public double curvature(double u, double typical) {
      return u < 1 ? 1 / Math.max(tau, 1 - u) : 0;
    }

    @Override
    public double bound() {
      return 2;
    }
  }

  /** {@link Loss#logistic}. */
  record Logistic() implements Loss {
    @Override
    public boolean hasLogits() {
      return true;
    }

    @Override
    public double value(double u) {
      return Math.max(0, -u) + StrictMath.log1p(StrictMath.exp(-Math.abs(u)));
    }

    @Override
    public double derivative(double u) {
      double e = StrictMath.exp(-Math.abs(u));
      return u >= 0 ? -e / (1 + e) : -1 / (1 + e);
    }

    /**
     * {@inheritDoc} It is the bound of Jaakkola and Jordan, tanh(u/2) / (2u); 0 for a margin beyond
     * 4.
     */
    @Override
    public double curvature(double u, double typical) {
      double size = Math.abs(u);
      double e = StrictMath.exp(-size);
      if (u > 4) {
        return 0;
      }
      return size < 1e-4 ? 0.25 : (1 - e) / ((1 + e) * 2 * size);
    }

    @Override
    public double goal(double u) {
      return 0.5 / curvature(u, 0);
    }
  }

  /** {@link Loss#absolute}. */
  record Absolute() implements Loss {
    @Override
    public String word() {
      return "l1";
    }

    @Override
    public double value(double u) {
      return Math.abs(u);
    }

    @Override
    public double derivative(double u) {
      return Math.signum(u);
    }

    @Override
    public double curvature(double u, double typical) {
      return 1 / Math.max(Math.abs(u), Math.max(typical / 4, LEAST));
    }

    @Override
    public boolean forRegression() {
      return true;
    }
  }

  /** {@link Loss#squared}. */
  record Squared() implements Loss {
    @Override
    public String word() {
      return "l2";
    }

    @Override
    public boolean isQuadratic() {
      return true;
    }

    @Override
    public double value(double u) {
      return u * u / 2;
    }

    @Override
    public double derivative(double u) {
      return u;
    }

    @Override
    public double curvature(double u, double typical) {
      return 1;
    }

    @Override
    public boolean forRegression() {
      return true;
    }
  }

  /** {@link Loss#epsilonInsensitive}. */
  record EpsilonInsensitive(double epsilon) implements Loss {
    public EpsilonInsensitive {
      Rules.notNegative("epsilon", epsilon);
    }

    @Override
    public Map<String, Object> parameters() {
      return Map.of("epsilon", epsilon);
    }

    @Override
    public double value(double u) {
      return Math.max(0, Math.abs(u) - epsilon);
    }

    @Override
    public double derivative(double u) {
      return Math.abs(u) > epsilon ? Math.signum(u) : 0;
    }

    @Override
    public double curvature(double u, double typical) {
      double beyond = Math.abs(u) - epsilon;
      return beyond > 0 ? 1 / Math.max(beyond, Math.max(typical / 4, LEAST)) : 0;
    }

    @Override
    public double goal(double u) {
      return Math.signum(u) * epsilon;
    }

    @Override
    public boolean forRegression() {
      return true;
    }
  }
}
