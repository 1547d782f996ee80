package org.avm4j.internal;

/** The distances of an instance from the points of a model, as a coverage needs them. */
public interface CellDistances {
  /** How many points there are. */
  int size();

  /** Whether point j is the core point of a cell, and was not kept because Z_t was 0. */
  boolean isCell(int j);

  /** ‖x - c_j‖². */
  double squaredDistance(int j);

  /**
   * The nearest core point, if its ‖x - c_j‖² is below a limit; of equally near ones the oldest.
   * Else -1.
   */
  int nearestCell(double squaredDistance);

  /** ‖x - c_j‖_∞. */
  double maxDistance(int j);

  /** d, the number of features known so far. */
  int dimension();
}
