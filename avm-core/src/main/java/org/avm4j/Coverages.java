package org.avm4j;

import org.avm4j.internal.CellDistances;
import org.avm4j.internal.Rules;

/** The coverages behind the factories of {@link Coverage}, one record each. */
final class Coverages {
  private Coverages() {}

  /** {@link Coverage#sphere}. */
  record Sphere(double diameter) implements Coverage {
    public Sphere {
      Rules.positive("delta", diameter);
    }

    @Override
    public Coverage withDiameter(double diameter) {
      return new Sphere(diameter);
    }

    @Override
    public int find(CellDistances instance) {
      return instance.nearestCell(diameter * diameter / 4);
    }
  }

  /** {@link Coverage#rectangle}. */
  record Rectangle(double diameter) implements Coverage {
    public Rectangle {
      Rules.positive("delta", diameter);
    }

    @Override
    public Coverage withDiameter(double diameter) {
      return new Rectangle(diameter);
    }

    @Override
    public int find(CellDistances instance) {
      double halfSide = diameter / Math.sqrt(instance.dimension());
      double reach = 1.0001 * diameter * diameter;
      for (int j = 0; j < instance.size(); j++) {
        if (instance.squaredDistance(j) < reach
            && instance.isCell(j)
            && instance.maxDistance(j) < halfSide) {
          return j;
        }
      }
      return NONE;
    }
  }
}
