package org.avm4j.bench;

/** A contestant over the rows of one stream, which it may hold in a form of its own. */
interface Learner {
  /** The answer to row t, in the labels of the data; NaN for none. */
  double predict(int t);

  /** Learns row t. */
  void learn(int t);

  /** The bytes of the learner when it is saved; 0 if unknown. */
  default long bytes() {
    return 0;
  }
}
