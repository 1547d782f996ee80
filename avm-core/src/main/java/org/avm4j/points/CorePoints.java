package org.avm4j.points;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import org.avm4j.CorePoint;
import org.avm4j.Neighbour;

/** Selects the largest or the nearest core points of a model. */
public final class CorePoints {
  private static final Comparator<CorePoint> LARGEST_FIRST =
      Comparator.comparingDouble(CorePoint::weight).reversed();
  private static final Comparator<Neighbour> NEAREST_FIRST =
      Comparator.comparingDouble(Neighbour::distance);

  private CorePoints() {}

  /** The core points with the largest coefficients, the largest first. */
  public static List<CorePoint> largest(List<CorePoint> all, int most) {
    return all.stream().sorted(LARGEST_FIRST).limit(most).toList();
  }

  /** The nearest of the vectors that a row was just measured against. */
  public static List<Neighbour> nearest(
      KernelRow measured, int most, IntFunction<CorePoint> points) {
    List<Neighbour> nearest = new ArrayList<>();
    for (int j : measured.nearest(Math.max(1, most))) {
      nearest.add(new Neighbour(points.apply(j), Math.sqrt(measured.squaredDistance(j))));
    }
    return nearest;
  }

  /** The nearest core points; of several at the same place only the first. */
  public static List<Neighbour> nearest(List<Neighbour> all, int most) {
    List<Neighbour> nearest = new ArrayList<>();
    for (Neighbour next : all.stream().sorted(NEAREST_FIRST).toList()) {
      boolean isNew = nearest.stream().noneMatch(one -> one.point().x().equals(next.point().x()));
      if (isNew && nearest.size() < most) {
        nearest.add(next);
      }
    }
    return nearest;
  }
}
