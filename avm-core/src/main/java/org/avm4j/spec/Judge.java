package org.avm4j.spec;

import java.util.Map;

/** Judges how good a point of a grid is; {@link Judges} has the usual implementations. */
public interface Judge {
  /**
   * The result of a point.
   *
   * @param metric mistakes in percent, or the root mean square error; infinite if the point failed
   * @param size the number of vectors of the learner
   */
  record Score(double metric, int size) {
    /** The score of a point whose options are incompatible, or whose model grew too large. */
    public static Score failed(int size) {
      return new Score(Double.POSITIVE_INFINITY, size);
    }
  }

  /** Judges a point, given as values by option. Called from several threads at once. */
  Score judge(Map<String, Double> point);
}
