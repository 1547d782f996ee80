package org.avm4j.run;

import org.avm4j.Features;
import org.avm4j.eval.Inspection;

/** Receives the progress of a run, and may stop it. */
public interface RunListener {
  /** A listener that only listens. */
  RunListener NONE = new RunListener() {};

  /** Tells how many instances have been read; of several runs, by all of them, in any thread. */
  default void advanced(long instances) {}

  /** An instance was answered; the features change with the next one. */
  default void answered(Features x, double label) {}

  /**
   * A point of the curve was reached.
   *
   * @param metric the name of the figure
   */
  default void inspected(String metric, Inspection point) {}

  /** Whether the run is to stop before the next instance; asked after each. */
  default boolean isStopRequested() {
    return false;
  }
}
