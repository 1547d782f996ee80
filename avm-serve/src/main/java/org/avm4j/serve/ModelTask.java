package org.avm4j.serve;

/** A task in the queue of a learner: rows, or an {@link Errand} between them. */
sealed interface ModelTask permits LearnTask, Errand {
  /** The number of the first row of a task without rows. */
  long NO_ROW = Long.MAX_VALUE;

  /** Lets the learner work on this task until the task is done or a time is reached. */
  void run(LearningActor actor, long end);

  /**
   * Notifies callers that the learner has failed.
   *
   * @return whether the task is over; otherwise it waits until the learner is rebuilt
   */
  boolean abort(Problem problem);

  /** The sequence number of its first row, {@link #NO_ROW} if it has none. */
  default long first() {
    return NO_ROW;
  }

  /** How many bytes its rows are on disk. */
  default long bytes() {
    return 0;
  }

  /** How many of its rows have been taken. */
  default int taken() {
    return 0;
  }

  /** Seconds that its rows have waited. */
  default double waited() {
    return 0;
  }
}
