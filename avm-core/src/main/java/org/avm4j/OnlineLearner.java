package org.avm4j;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.Savable;
import org.avm4j.internal.Rules;

/**
 * A learner that takes one instance at a time. It is confined to one thread; a {@link #snapshot}
 * may be shared. The input is copied where it is kept, and refused input changes nothing. What is
 * saved holds the whole state: what is loaded from it goes on bit for bit.
 */
public interface OnlineLearner extends Predictor, Savable {
  /** Takes one step on the instance (x, y). */
  default void learn(Features x, double y) {
    learn(x, y, 1);
  }

  /**
   * Takes one step on the instance (x, y), whose loss is multiplied by a weight.
   *
   * @param weight a positive number, at most 1e15; for the squared loss of the second-order step a
   *     whole number n is the same as learning the instance n times
   */
  void learn(Features x, double y, double weight);

  /**
   * Learns what can be learned from a row whose label nobody knows, or ever will: where rows lie,
   * and which of them belong together. Answers to such a row tell nothing of how good they are.
   *
   * @return whether the row was of use; a learner that cannot learn without labels stays as it is,
   *     to the bit
   */
  default boolean observe(Features x) {
    FeatureException.check(x);
    return false;
  }

  /** Refuses a label that {@link #learn} would refuse. */
  default void checkLabel(double y) {
    task().check(y);
  }

  /** Whether the task still follows from the labels, so that a new kind of label may change it. */
  default boolean isTaskOpen() {
    return false;
  }

  /** The only labels that {@link #learn} accepts; empty if any may come. */
  default double[] acceptedLabels() {
    return task().kind() == Task.Kind.BINARY ? classes() : new double[0];
  }

  /**
   * Tells a learner whose task is open whether labels are the numbers of names, which are always
   * classes. What stands between the names and the learner calls this once.
   *
   * @param areNames asked whenever the learner wants to know
   */
  default void namesOfLabels(BooleanSupplier areNames) {}

  /**
   * A row as the tree of machines behind the answers sees it: prepared and scaled. It may be a
   * buffer that the next call fills again.
   */
  default Features inTree(Features x) {
    return x;
  }

  /** The model as it is now, immutable and safe to use from any thread. */
  Model snapshot();

  /**
   * The model to keep if no instance is to follow. It is the {@link #snapshot}, unless the learner
   * waits for more instances before it settles on something: then it settles on what is best so
   * far. The learner itself stays as it is.
   */
  default Model settled() {
    return snapshot();
  }

  /**
   * Brings up to date what is renewed only from time to time, such as clusters. To be called when a
   * stream ends or pauses; most learners are always up to date.
   */
  default void settle() {}

  /** A learner in the same state that shares nothing with this one. */
  OnlineLearner copy();

  /** Forgets all that was learned; the options stay. */
  void reset();

  /** The number of vectors, or features of its own making, that the learner holds. */
  int size();

  /** Refuses a weight that is not a positive number, or is above 1e15. */
  static void checkWeight(double weight) {
    Rules.weight("the weight of an instance", weight);
  }

  /** The learner saved in a file; it goes on as if it had never stopped. */
  static OnlineLearner load(Path file) throws IOException {
    return FileKinds.installed().learner(OnlineLearner.class, ModelFile.open(file));
  }

  /** The learner that {@link #toBytes} wrote. */
  static OnlineLearner fromBytes(byte[] bytes) throws IOException {
    return FileKinds.installed().learner(OnlineLearner.class, ModelFile.parse(bytes));
  }

  /** Reads one learner, and no byte beyond it. */
  static OnlineLearner read(InputStream in) throws IOException {
    return FileKinds.installed().learner(OnlineLearner.class, ModelFile.read(in));
  }
}
