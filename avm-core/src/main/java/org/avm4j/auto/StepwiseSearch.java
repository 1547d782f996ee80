package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;

/** A search for settings on stored rows, in steps that are spread over the stream. */
interface StepwiseSearch {
  /** Whether nothing is left to do. */
  boolean isOver();

  /** Does the smallest possible part of the work; returns its cost in multiplications. */
  long step();

  /**
   * Once the search is over: an untrained learner with the settings found, and after it a rival, if
   * any. Empty if no settings are better than the present ones.
   */
  List<CandidateLearner> found();

  /** The results of all candidates. */
  Stream<Standing> standings();
}
