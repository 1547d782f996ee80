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
 * may be shared. Input that is kept is copied, and rejected input changes nothing. A saved learner
 * holds the whole state: once loaded, it continues bit for bit.
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
   * Learns what can be learned from a row that has no label and will never get one: the
   * distribution of rows, and which of them belong together. Such a row is not used for judging
   * answers.
   *
   * @return whether the row was used; a learner that cannot learn without labels does not change at
   *     all
   */
  default boolean observe(Features x) {
    FeatureException.check(x);
    return false;
  }

  /**
   * Tells the learner that labels come late: each row is learned after this number of further
   * answers. A learner that uses the labels of earlier rows then learns to answer without the
   * latest ones.
   *
   * @param rows from 0, the default, to 2²⁰
   */
  default void labelsComeLate(int rows) {}

  /**
   * Takes one step on an instance whose label came late.
   *
   * @param given the answer that the instance got; intervals and sets of labels learn from it, and
   *     not from the answer that the instance would get now
   */
  default void learnLate(Features x, double y, double weight, Prediction given) {
    learn(x, y, weight);
  }

  /** Throws an exception if {@link #learn} would reject a label. */
  default void checkLabel(double y) {
    task().check(y);
  }

  /** Whether the task follows from the labels, so that a new kind of label may still change it. */
  default boolean isTaskOpen() {
    return false;
  }

  /** The only labels that {@link #learn} accepts; empty if any may come. */
  default double[] acceptedLabels() {
    return task().kind() == Task.Kind.BINARY ? classes() : new double[0];
  }

  /**
   * Tells a learner whose task is open whether labels are the numbers of names, which are always
   * classes. The code that maps names to numbers calls this once.
   *
   * @param areNames asked whenever the learner needs to know
   */
  default void namesOfLabels(BooleanSupplier areNames) {}

  /**
   * A row as the tree of machines sees it: prepared and scaled. It may be a buffer that the next
   * call overwrites.
   */
  default Features inTree(Features x) {
    return x;
  }

  /** The model as it is now, immutable and safe to use from any thread. */
  Model snapshot();

  /**
   * The model to keep if no further instance follows. It is the {@link #snapshot}, unless the
   * learner still waits for instances to decide something; then it is decided by the instances so
   * far. The learner itself does not change.
   */
  default Model settled() {
    return snapshot();
  }

  /**
   * Updates what is computed only from time to time, such as clusters. Call this when a stream ends
   * or pauses; most learners are always up to date.
   */
  default void settle() {}

  /** A deep copy. */
  OnlineLearner copy();

  /** Forgets everything that was learned, but keeps the options. */
  void reset();

  /** The number of vectors, or of constructed features, that the learner holds. */
  int size();

  /** Throws an exception unless a weight is positive and at most 1e15. */
  static void checkWeight(double weight) {
    Rules.weight("the weight of an instance", weight);
  }

  /** Loads a learner from a file; it continues as if it had never stopped. */
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
