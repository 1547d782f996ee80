package org.avm4j;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A core point of a model and what it adds to the scores around it.
 *
 * @param x the point, in the units of the rows that the model is given
 * @param coefficients one for each column of scores
 */
public record CorePoint(Features x, List<Double> coefficients) {
  /** Makes the coefficients immutable. */
  public CorePoint {
    coefficients = List.copyOf(coefficients);
  }

  /** The sum of the squares of the coefficients. */
  public double weight() {
    return coefficients.stream().mapToDouble(value -> value * value).sum();
  }

  /** The same point in other units. */
  public CorePoint in(UnaryOperator<Features> units) {
    return new CorePoint(units.apply(x), coefficients);
  }
}
