package org.avm4j.serve;

/** What a model needs from its service. */
interface ModelHost {
  FairTurns turns();

  /** The clock that measures durations, in nanoseconds. */
  long nanoTime();

  Store store();

  LearnBacklog backlog();

  ServeLog log();

  /**
   * Schedules that a model is rebuilt from the store.
   *
   * @param last the last row to learn
   */
  void restart(ServedModel model, long last);
}
