package org.avm4j;

import org.avm4j.internal.CellDistances;
import org.avm4j.internal.Words;

/**
 * A δ-coverage that grows on the fly (Section 6.3): an instance outside all cells becomes the core
 * point of a new cell. δ is the diameter: no instance is farther than δ from its core point.
 */
public sealed interface Coverage permits Coverages.Sphere, Coverages.Rectangle {
  /** What {@link #find} answers when no cell contains the instance. */
  int NONE = -1;

  /** The word of the command line. */
  default String word() {
    return Words.of((Record) this);
  }

  /** δ. */
  double diameter();

  /** Cells of the same shape with another diameter. */
  Coverage withDiameter(double diameter);

  /** The cell that contains the instance, or {@link #NONE}. */
  int find(CellDistances instance);

  /** Algorithm 3: open balls of radius δ/2 around the core points; the nearest one takes x. */
  static Coverage sphere(double diameter) {
    return new Coverages.Sphere(diameter);
  }

  /**
   * Algorithm 4: open boxes of half side δ/√d around the core points; the oldest one takes x. Where
   * new features appear, d grows and the boxes shrink with it, so that they stay inside δ.
   */
  static Coverage rectangle(double diameter) {
    return new Coverages.Rectangle(diameter);
  }
}
