package org.avm4j;

import java.util.function.UnaryOperator;

/**
 * A core point near a row.
 *
 * @param point the core point, in the units of the rows that the model is given
 * @param distance its distance from the row as the model measures it, after scaling
 */
public record Neighbour(CorePoint point, double distance) {
  /** The same neighbour in other units. */
  public Neighbour in(UnaryOperator<Features> units) {
    return new Neighbour(point.in(units), distance);
  }
}
