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
