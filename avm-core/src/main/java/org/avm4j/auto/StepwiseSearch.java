package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;

/** Looks for settings on rows that were kept, in steps that are spread over the stream. */
interface StepwiseSearch {
  /** Whether nothing is left to do. */
  boolean isOver();

  /**
   * Goes on for some of the work, and at least for the least part of it.
   *
   * @param most the work after which no other part is begun, in multiplications
   * @return the work that was done
   */
  long work(long most);

  /**
   * Once the search is over, a learner with the settings found that has learned nothing, and behind
   * it one that is to race against it, if any; empty if no settings are worth having.
   */
  List<Runner> found();

  /** How all candidates stood. */
  Stream<Standing> standings();
}
