package org.avm4j.internal;

/** The distances of an instance from the points of a model, as a coverage needs them. */
public interface CellDistances {
  /** How many points there are. */
  int size();

  /** Whether point j is a core point; one kept because Z_t was 0 is none. */
  boolean isCell(int j);

  /** ‖x - c_j‖². */
  double squaredDistance(int j);

  /** The nearest core point with ‖x - c_j‖² below this, of equals the oldest, or -1. */
  int nearestCell(double squaredDistance);

  /** ‖x - c_j‖_∞. */
  double maxDistance(int j);

  /** d, the number of features known so far. */
  int dimension();
}
