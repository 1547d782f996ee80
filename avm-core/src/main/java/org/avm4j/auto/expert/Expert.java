package org.avm4j.auto.expert;

/**
 * One of several learners whose answers are combined. All of them answer a row before any of them
 * learns it. A new kind of expert is a class of its own and a line in {@link Experts}.
 */
public interface Expert extends Opinion {
  /** Learns a row. */
  void learn(Moment now, double y, double weight);

  /** Learns a kept row; may defer work to later calls of {@link #learn}. */
  default void replay(Moment now, double y, double weight) {
    learn(now, y, weight);
  }

  /**
   * Learns a row whose label nobody knows.
   *
   * @return whether the expert used the row; most experts cannot use such rows, and do not change
   */
  default boolean observe(Moment now) {
    return false;
  }

  /** Whether it takes part; one that does not yet neither answers nor learns. */
  default boolean isReady() {
    return true;
  }

  /** Whether it can learn: one that was read as it was frozen cannot. */
  default boolean learns() {
    return true;
  }

  /** What it answers as it is now; immutable. */
  Opinion freeze();

  /** Whether it costs enough to be sent to rest where it is of no use. */
  default boolean isCostly() {
    return false;
  }

  /**
   * The number of instances that its answer stands for.
   *
   * @param instances the number of instances so far
   */
  default double memory(long instances) {
    return instances;
  }
}
