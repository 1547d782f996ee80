package org.avm4j.auto.expert;

/**
 * One of several learners whose answers are combined. All of them answer a row before any of them
 * learns it. A new kind of expert is a class of its own and a line in {@link Experts}.
 */
public interface Expert extends Opinion {
  /** Learns a row. */
  void learn(Moment now, double y, double weight);

  /** Learns a stored row; may defer work to later calls of {@link #learn}. */
  default void replay(Moment now, double y, double weight) {
    learn(now, y, weight);
  }

  /**
   * Learns a row without a label.
   *
   * @return whether the expert used the row; most experts cannot use such rows, and do not change
   */
  default boolean observe(Moment now) {
    return false;
  }

  /** Whether the expert takes part. Until then it neither answers nor learns. */
  default boolean isReady() {
    return true;
  }

  /** Whether the expert has learned enough to answer; until then its answers do not count. */
  default boolean canAnswer() {
    return true;
  }

  /** Lets an earlier expert of the same kind answer until this one can. */
  default void follow(Expert former) {}

  /** Whether the expert can learn; one that was frozen and then read from a file cannot. */
  default boolean learns() {
    return true;
  }

  /** An immutable copy of the expert that answers as it does now. */
  Opinion freeze();

  /** Whether the expert is so costly that it should rest while it is of no use. */
  default boolean isCostly() {
    return false;
  }

  /**
   * The number of instances on which its answer is based.
   *
   * @param instances the number of instances so far
   */
  default double memory(long instances) {
    return instances;
  }
}
