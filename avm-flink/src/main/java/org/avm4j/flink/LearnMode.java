package org.avm4j.flink;

/**
 * What is done with a row that has a label. A row without one is answered unless rows are only
 * learned, and observed where the learner has a use for it and may learn.
 */
public enum LearnMode {
  /** It is answered, then learned. */
  BOTH,
  /** It is answered; the learner stays as it is. */
  ANSWER,
  /** It is learned, without an answer. */
  LEARN;

  boolean answers() {
    return this != LEARN;
  }

  boolean learns() {
    return this != ANSWER;
  }
}
