package org.avm4j.lab.baseline;

/**
 * The size of the step towards the label of an instance, which is the size of the coefficient of
 * Φ(x_t); 0 for no step.
 */
sealed interface StepRule {
  /** The step for a margin y f(x), or f_y(x) - f_z(x) with the best other class z. */
  double byMargin(double margin);

  /** The step for an absolute error |y - f(x)| in regression. */
  double byError(double error);

  /** The Perceptron: a step of 1 for a mistake; in regression a step η for an error above ε. */
  record Mistake(double eta, double epsilon) implements StepRule {
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
  record Gradient(double eta, double epsilon) implements StepRule {
    @Override
    public double byMargin(double margin) {
      return margin < 1 ? eta : 0;
    }

    @Override
    public double byError(double error) {
      return error > epsilon ? eta * error : 0;
    }
  }

  /** Passive-aggressive, PA-I: the smallest step without loss, but at most C. */
  record PassiveAggressive(double c, double epsilon) implements StepRule {
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
