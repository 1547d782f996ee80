package org.avm4j.serve;

/** What a model needs of its service. */
interface ModelHost {
  FairTurns turns();

  /** The time by which durations are measured. */
  long nanoTime();

  Store store();

  LearnBacklog backlog();

  ServeLog log();

  /**
   * Has a model made again from the store, some time later.
   *
   * @param last the last row to learn
   */
  void restart(ServedModel model, long last);
}
