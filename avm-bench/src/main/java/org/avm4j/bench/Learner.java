package org.avm4j.bench;

import java.util.Optional;
import org.avm4j.Certainty.Interval;

/** A contestant over the rows of one stream, which it may hold in a form of its own. */
interface Learner {
  /** The answer to row t, in the labels of the data; NaN for none. */
  double predict(int t);

  void learn(int t);

  /** Sees row t, whose label never becomes known. */
  default void observe(int t) {}

  /** Whether row t, the last one answered, gets its label: by the draw, unless the learner asks. */
  default boolean isLabelled(int t, Cell cell) {
    return cell.isDrawn(t);
  }

  /** The interval around the last answer, if the learner gives intervals. */
  default Optional<Interval> interval() {
    return Optional.empty();
  }

  /** The bytes of the learner when it is saved; 0 if unknown. */
  default long bytes() {
    return 0;
  }
}
