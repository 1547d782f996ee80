package org.avm4j;

import java.util.stream.DoubleStream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Words;

/** What is predicted: defines what a label is and how scores become an answer. */
public sealed interface Task
    permits Tasks.Binary, Tasks.Multiclass, Tasks.Regression, Tasks.Unlabelled {
  /** The kinds of tasks, for code that must tell them apart. */
  enum Kind {
    /** {@link Task#binary}. */
    BINARY(0),
    /** {@link Task#multiclass}. */
    MULTICLASS(1),
    /** {@link Task#regression}. */
    REGRESSION(2),
    /** {@link Task#anomaly}. */
    ANOMALY(3),
    /** {@link Task#clustering}. */
    CLUSTER(4);

    /** The number of the task in files, which never changes. */
    private final int tag;

    Kind(int tag) {
      this.tag = tag;
    }
  }

  /** The kind of this task. */
  Kind kind();

  /** Throws an exception if a label does not belong to the task. */
  void check(double y);

  /** Whether a loss can be used for this task. */
  boolean accepts(Loss loss);

  /** The hinge for classes, the squared loss for numbers. */
  default Loss defaultLoss() {
    return Loss.hinge();
  }

  /** Fresh columns for a learner of this task; their type is not exported. */
  Columns columns();

  /** u, the argument of the loss, from the score of the label and the best of the other scores. */
  double argument(double y, double own, double rival);

  /**
   * The derivative of u by the score of the label; the derivative by the best other score is minus
   * this.
   */
  default double slope(double y) {
    return 1;
  }

  /**
   * The error of an answer between 0 and 1: 1 for a mistake.
   *
   * @param u the argument of the loss
   * @param deviation the standard deviation of the labels so far
   */
  default double error(double u, double deviation) {
    return u > 0 ? 0 : 1;
  }

  /** The answer for the scores of the classes in ascending order of their labels. */
  double predict(double[] scores, double[] classes);

  /** The name of this task on the command line. */
  default String word() {
    return Words.of(kind());
  }

  /** Whether labels are ignored in learning. */
  default boolean isUnsupervised() {
    return kind() == Kind.ANOMALY || kind() == Kind.CLUSTER;
  }

  /** Whether numbers are predicted. */
  default boolean isRegression() {
    return kind() == Kind.REGRESSION;
  }

  /**
   * Appends a tag (4): 0 binary, 1 multiclass with n× declared class (8), 2 regression, 3 anomaly,
   * 4 cluster.
   */
  default void encode(Encoder out) {
    out.int32(kind().tag);
  }

  /** The task that was appended. */
  static Task decode(Decoder in) throws ModelFileException {
    return switch (in.int32("the task", 4)) {
      case 0 -> binary();
      case 1 -> Tasks.Multiclass.decodeDeclared(in);
      case 2 -> regression();
      case 3 -> anomaly();
      default -> clustering();
    };
  }

  /** Labels -1 and +1, one score; a score of 0 predicts +1. */
  static Task binary() {
    return new Tasks.Binary();
  }

  /**
   * Algorithm 5: one score per class. The largest score wins; of equal ones, that of the lowest
   * label. Labels are any finite numbers; a new label adds a class with w = 0. While fewer than two
   * classes are known there is no runner-up, so the loss is 0 and nothing is learned.
   *
   * @param declared classes that are known up front; more may still appear
   */
  static Task multiclass(double... declared) {
    return new Tasks.Multiclass(DoubleStream.of(declared).boxed().toList());
  }

  /** A number, predicted by one score. */
  static Task regression() {
    return new Tasks.Regression();
  }

  /** Whether an instance is an anomaly (+1) or normal (-1); labels are ignored. */
  static Task anomaly() {
    return new Tasks.Anomaly();
  }

  /** Which cluster an instance belongs to; labels are ignored. */
  static Task clustering() {
    return new Tasks.Clustering();
  }
}
