package org.avm4j;

import java.util.Map;
import org.avm4j.internal.Rules;
import org.avm4j.internal.Words;

/**
 * A convex loss of Section 7, as a function ℓ(u) of one number: for classification u is the margin,
 * y f(x) or f_y(x) - f_z(x), and for regression the residual f(x) - y. The gradient of the loss in
 * feature space is α Φ(x), where α is ℓ'(u) times the derivative of u by the score ({@link Task}).
 *
 * <p>A and B bound the gradient, |ℓ'| ≤ A ‖w‖^(1/2) + B, as the theorems ask; A is 0 for every loss
 * but the squared one ({@link Bounds}).
 */
public sealed interface Loss {
  /** Where residuals vanish altogether, this stands for the typical one. */
  double LEAST = 1e-9;

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

  /** z of that parabola: where it is least. */
  double goal(double u);

  /** Whether u is a residual, not a margin. */
  boolean forRegression();

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

    @Override
    public double goal(double u) {
      return 1;
    }

    @Override
    public boolean forRegression() {
      return false;
    }
  }

  /** The hinge with its corner rounded over a width of τ. */
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
    public double goal(double u) {
      return 1;
    }

    @Override
    public boolean forRegression() {
      return false;
    }

    @Override
    public double bound() {
      return 2;
    }
  }

  /**
   * log(1 + exp(-u)), safe at any margin: the exponential is only taken of what is not positive.
   */
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

    /** The bound of Jaakkola and Jordan, tanh(u/2) / (2u); a margin beyond 4 asks for nothing. */
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

    @Override
    public boolean forRegression() {
      return false;
    }
  }

  /** ℓ1: |u|. */
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
    public double goal(double u) {
      return 0;
    }

    @Override
    public boolean forRegression() {
      return true;
    }
  }

  /** ℓ2: u²/2. */
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
    public double goal(double u) {
      return 0;
    }

    @Override
    public boolean forRegression() {
      return true;
    }
  }

  /** max(0, |u| - ε). */
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
