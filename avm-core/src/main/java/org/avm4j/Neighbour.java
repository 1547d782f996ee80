package org.avm4j;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * A core point near a row.
 *
 * @param point the core point, in the units of the rows that the model is given
 * @param distance how far it is from the row, as the model itself measures it: after scaling
 */
public record Neighbour(CorePoint point, double distance) {
  private static final Comparator<Neighbour> NEAREST_FIRST =
      Comparator.comparingDouble(Neighbour::distance);

  /** The same neighbour in other units. */
  public Neighbour in(UnaryOperator<Features> units) {
    return new Neighbour(point.in(units), distance);
  }

  /** The nearest of the vectors that a row was just measured against. */
  static List<Neighbour> of(KernelRow measured, int most, IntFunction<CorePoint> points) {
    List<Neighbour> nearest = new ArrayList<>();
    for (int j : measured.nearest(Math.max(1, most))) {
      nearest.add(new Neighbour(points.apply(j), Math.sqrt(measured.squaredDistance(j))));
    }
    return nearest;
  }

  /** The nearest of all; of several at the same place the first. */
  static List<Neighbour> nearest(List<Neighbour> all, int most) {
    List<Neighbour> nearest = new ArrayList<>();
    for (Neighbour next : all.stream().sorted(NEAREST_FIRST).toList()) {
      boolean isNew = nearest.stream().noneMatch(one -> one.point.x().equals(next.point.x()));
      if (isNew && nearest.size() < most) {
        nearest.add(next);
      }
    }
    return nearest;
  }
}
