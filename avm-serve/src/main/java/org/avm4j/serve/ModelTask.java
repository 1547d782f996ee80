package org.avm4j.serve;

/** A task in the queue of a learner: rows to learn, or a {@link ReadTask}. */
sealed interface ModelTask permits LearnTask, ReadTask {
  /** Value of {@link #first} for a task without rows. */
  long NO_ROW = Long.MAX_VALUE;

  /** Works on this task until it is done or the turn ends. */
  void run(LearningActor actor, long end);

  /**
   * Notifies callers that the learner has failed.
   *
   * @return whether the task is over; otherwise it waits until the learner is rebuilt
   */
  boolean abort(Problem problem);

  /** The sequence number of the first row; {@link #NO_ROW} if there are no rows. */
  default long first() {
    return NO_ROW;
  }

  /** Size of the rows on disk, in bytes. */
  default long bytes() {
    return 0;
  }

  /** The number of rows that were learned or refused so far. */
  default int taken() {
    return 0;
  }

  /** Seconds since the task was queued. */
  default double waited() {
    return 0;
  }
}
