package org.avm4j.lab.baseline;

/**
 * How far f moves towards the label of an instance: the size of the coefficient that Φ(x_t) gets, 0
 * for no step.
 */
sealed interface Rule {
  /** For a class: the margin is y f(x), or f_y(x) - f_z(x) with the best other class z. */
  double byMargin(double margin);

  /** For a number: the error is |y - f(x)|. */
  double byError(double error);

  /** The Perceptron: a whole step for a mistake; in regression a step η for an error above ε. */
  record Mistake(double eta, double epsilon) implements Rule {
    @Override
    public double byMargin(double margin) {
      return margin <= 0 ? 1 : 0;
    }

    @Override
    public double byError(double error) {
      return error > epsilon ? eta : 0;
    }
  }

  /** Gradient descent on the hinge loss; in regression on (y - f(x))²/2, for an error above ε. */
  record Gradient(double eta, double epsilon) implements Rule {
    @Override
    public double byMargin(double margin) {
      return margin < 1 ? eta : 0;
    }

    @Override
    public double byError(double error) {
      return error > epsilon ? eta * error : 0;
    }
  }

  /** Passive-aggressive, PA-I: the least step that suffers no loss, but at most C. */
  record PassiveAggressive(double c, double epsilon) implements Rule {
    @Override
    public double byMargin(double margin) {
      return Math.min(c, Math.max(0, 1 - margin));
    }

    @Override
    public double byError(double error) {
      return Math.min(c, Math.max(0, error - epsilon));
    }
  }
}
