package org.avm4j.flink;

/**
 * What is done with a row that has a label. With {@link #BOTH} a row without a label is answered,
 * and observed if the learner can use it; with {@link #ANSWER} it is answered; with {@link #LEARN}
 * it is refused.
 */
public enum LearnMode {
  /** The row is answered, then learned. */
  BOTH,
  /** The row is answered; the learner does not change. */
  ANSWER,
  /** The row is learned, without an answer. */
  LEARN;

  boolean answers() {
    return this != LEARN;
  }

  boolean learns() {
    return this != ANSWER;
  }
}
