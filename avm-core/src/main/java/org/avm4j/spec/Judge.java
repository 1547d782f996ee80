package org.avm4j.spec;

import java.util.Map;

/** Says how good a point of a grid is; {@link Judges} has the usual ways. */
public interface Judge {
  /**
   * What a point is worth.
   *
   * @param metric mistakes in percent, or the root mean square error; infinite where it failed
   * @param size the number of vectors of the learner
   */
  record Score(double metric, int size) {
    /** The score of a point whose numbers do not go together, or whose model grew too large. */
    public static Score failed(int size) {
      return new Score(Double.POSITIVE_INFINITY, size);
    }
  }

  /** What a point, values by option, is worth. Called from several threads at once. */
  Score judge(Map<String, Double> point);
}
