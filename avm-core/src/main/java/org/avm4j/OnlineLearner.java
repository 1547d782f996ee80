package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;

/**
 * A learner that takes one instance at a time. It is confined to one thread; a {@link #snapshot}
 * may be shared. The input is copied where it is kept, and refused input changes nothing.
 */
public interface OnlineLearner extends Predictor {
  /** Takes one step on the instance (x, y). */
  void learn(Features x, double y);

  /**
   * Answers x and then takes one step on (x, y), as the online setting of Section 9 has it: the
   * same as {@link #score}, {@link #predict} and {@link #learn} one after the other, with one look
   * at x where that can be.
   *
   * @param scores takes the scores of x from before the step
   * @return the answer from before the step
   */
  default double learn(Features x, double y, double[] scores) {
    score(x, scores);
    double answer = predict(x);
    learn(x, y);
    return answer;
  }

  /** The model as it is now, immutable and safe to use from any thread. */
  Predictor snapshot();

  /** The number of vectors, or features of its own making, that the learner holds. */
  int size();

  /** The name by which a file says what it holds. */
  String kind();

  /** Appends the whole state: what is loaded from it goes on bit for bit. */
  void encode(Encoder out);

  /** Saves the whole state, atomically. */
  default void save(Path file) throws IOException {
    Encoder out = new Encoder();
    encode(out);
    ModelFile.write(file, kind(), out.toBytes());
  }
}
