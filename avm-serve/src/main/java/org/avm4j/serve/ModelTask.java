package org.avm4j.serve;

/** Something that waits for its turn at a learner. */
sealed interface ModelTask permits LearnTask, Errand {
  /**
   * Tells those who wait that the learner has failed.
   *
   * @return whether the task is over; otherwise it waits until the learner is made again
   */
  boolean abort(Problem problem);
}
