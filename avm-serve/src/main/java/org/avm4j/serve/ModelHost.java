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
   * Schedules the rebuilding of a model from the store.
   *
   * @param last the last row to learn from the store; later ones wait in the queue of the model
   */
  void restart(ServedModel model, long last);
}
