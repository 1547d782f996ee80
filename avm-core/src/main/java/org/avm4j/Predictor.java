package org.avm4j;

import java.util.Optional;
import java.util.OptionalDouble;

/** What a learner and its frozen model share: scores and answers. */
public interface Predictor {
  /** What is predicted. */
  Task task();

  /** The number of scores an instance gets: one for each class known so far, or one. */
  int columns();

  /** The class labels in ascending order: -1 and +1 for a binary task, none for regression. */
  double[] classes();

  /**
   * Writes the scores w_cᵀΦ(x) into the first {@link #columns} places, for several classes in
   * ascending order of label. This changes no observable state.
   */
  void score(Features x, double[] scores);

  /** The scores in a new array. */
  default double[] score(Features x) {
    double[] scores = new double[columns()];
    score(x, scores);
    return scores;
  }

  /** The label or number predicted for x: the answer of the task for the scores. */
  default double predict(Features x) {
    return task().predict(score(x), classes());
  }

  /** The whole answer: label, scores and, if the predictor is calibrated, probabilities. */
  default Prediction answer(Features x) {
    return new Prediction(predict(x), classes(), score(x));
  }

  /** Whether answers carry probabilities. */
  default boolean isCalibrated() {
    return false;
  }

  /**
   * The level that was asked for; empty if answers do not say how sure they are. {@link
   * Prediction#interval} and {@link Prediction#labels} accept any level.
   */
  default OptionalDouble certaintyLevel() {
    return OptionalDouble.empty();
  }

  /** Whether scores are log-odds, so that their log loss is defined. */
  default boolean hasLogits() {
    return false;
  }

  /**
   * The part of this predictor that has a given type: the predictor itself, or what it wraps by
   * names, scaling or automatic mode, such as a learner's tree of machines or a model's kernel
   * expansion. Features of that part are those after the preparation, if there is one.
   */
  default <T> Optional<T> inspect(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }

  /** The clusters, if the task is clustering. */
  default Optional<ClusterSummary> clusters() {
    return Optional.empty();
  }

  /** Size, settings and history, for reports. */
  Status status();
}
