package org.avm4j.bench;

/** One library over the rows of a workload, which it holds in a form of its own. */
interface Rival {
  /**
   * Answers row t and then learns it, if it learns at all.
   *
   * @return whether the answer was right
   */
  boolean step(int t);

  /** The number of vectors, features or nodes in the end. */
  int size();
}
