package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;

/** Looks for settings on rows that were kept, in steps that are spread over the stream. */
interface StepwiseSearch {
  /** Whether nothing is left to do. */
  boolean isOver();

  /** Does the least part of the work; returns how much it was, in multiplications. */
  long step();

  /**
   * Once the search is over, a learner with the settings found that has learned nothing, and behind
   * it one that is to race against it, if any; empty if no settings are worth having.
   */
  List<Runner> found();

  /** How all candidates stood. */
  Stream<Standing> standings();
}
