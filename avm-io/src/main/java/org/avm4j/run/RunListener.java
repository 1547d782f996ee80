package org.avm4j.run;

import org.avm4j.Features;
import org.avm4j.eval.Inspection;

/** Receives the progress of a run, and may stop it. */
public interface RunListener {
  /** A listener that ignores everything. */
  RunListener NONE = new RunListener() {};

  /** Reports the number of instances read so far, by all runs together; called in any thread. */
  default void advanced(long instances) {}

  /** Reports an answered instance; copy the features to keep them. */
  default void answered(Features x, double label) {}

  /**
   * Reports a new point of the learning curve.
   *
   * @param metric the name of the figure
   */
  default void inspected(String metric, Inspection point) {}

  /** Whether the run must stop; called after each instance. */
  default boolean isStopRequested() {
    return false;
  }
}
