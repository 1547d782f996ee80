package org.avm4j.auto.expert;

import org.avm4j.codec.Encoder;

/**
 * Something that answers the rows of a stream. Scores and labels are in the prepared form: signs,
 * classes, or numbers of about deviation 1.
 */
public interface Opinion {
  /** A short name for people. */
  String name();

  /**
   * Writes a score for each class, or one score if there are no classes. This changes no state, so
   * that several threads may call it at once, each with a moment of its own.
   *
   * @param classes the labels of the columns in ascending order; empty where there is one column
   */
  void score(Moment now, double[] classes, double[] into);

  /** The number of vectors, rows and leaves that it consists of; 0 if it has none. */
  default int size() {
    return 0;
  }

  /** Whether the answer depends on the labels that were learned last. */
  default boolean seesLabels() {
    return false;
  }

  /** Appends what {@link Experts} reads. */
  void encode(Encoder out, SharedInputs shared);
}
