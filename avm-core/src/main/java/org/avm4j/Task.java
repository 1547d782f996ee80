package org.avm4j;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;
import org.avm4j.internal.Words;

/** What is predicted, and with it what a label is and how scores become an answer. */
@SuppressWarnings("exports") // Columns are for the packages of this library
public sealed interface Task {
  /** Which of the tasks it is, for code that must tell them apart. */
  enum Kind {
    /** {@link Binary}. */
    BINARY(0),
    /** {@link Multiclass}. */
    MULTICLASS(1),
    /** {@link Regression}. */
    REGRESSION(2),
    /** {@link Anomaly}. */
    ANOMALY(3),
    /** {@link Clustering}. */
    CLUSTER(4);

    /** Stands for the task in files, for ever. */
    private final int tag;

    Kind(int tag) {
      this.tag = tag;
    }
  }

  /** Which of the tasks it is. */
  Kind kind();

  /** Refuses a label that does not belong to the task. */
  void check(double y);

  /** Whether the loss measures this task. */
  boolean accepts(Loss loss);

  /** The hinge for classes, the squared loss for numbers. */
  default Loss defaultLoss() {
    return new Loss.Hinge();
  }

  /** Fresh columns for a learner of this task; their type is not exported. */
  Columns columns();

  /** u, what the loss is a function of, from the score of the label and the best of the others. */
  double argument(double y, double own, double rival);

  /**
   * The derivative of u by the score of the label; by the best of the others it is the opposite.
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

  /** Multiclass with the given classes declared up front; more may still appear. */
  static Multiclass multiclass(double... declared) {
    return new Multiclass(DoubleStream.of(declared).boxed().toList());
  }

  /** The word of the command line. */
  default String word() {
    return Words.of(kind());
  }

  /** Whether labels play no part in what is learned. */
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
      case 0 -> new Binary();
      case 1 -> Multiclass.decodeDeclared(in);
      case 2 -> new Regression();
      case 3 -> new Anomaly();
      default -> new Clustering();
    };
  }

  /** Labels -1 and +1, one score; a score of 0 predicts +1. */
  record Binary() implements Task {
    @Override
    public Kind kind() {
      return Kind.BINARY;
    }

    @Override
    public void check(double y) {
      Rules.check(y == 1 || y == -1, "a binary label must be -1 or +1", y);
    }

    @Override
    public boolean accepts(Loss loss) {
      return !loss.forRegression();
    }

    @Override
    public Columns columns() {
      return Columns.single(-1, 1);
    }

    /** y f(x). */
    @Override
    public double argument(double y, double own, double rival) {
      return y * own;
    }

    @Override
    public double slope(double y) {
      return y;
    }

    @Override
    public double predict(double[] scores, double[] classes) {
      return classes[scores[0] >= 0 ? 1 : 0];
    }
  }

  /**
   * Algorithm 5: one score a class, the largest wins and among equals the lowest label. Labels are
   * any finite numbers; a new label adds a class whose w is 0 until then. While fewer than two
   * classes are known there is no runner-up, so nothing is lost and nothing moves.
   *
   * @param declared classes that are known up front
   */
  record Multiclass(List<Double> declared) implements Task {
    public Multiclass {
      declared.forEach(Multiclass::checkLabel);
      declared = declared.stream().map(label -> label + 0.0).sorted().distinct().toList();
    }

    @Override
    public Kind kind() {
      return Kind.MULTICLASS;
    }

    @Override
    public void check(double y) {
      checkLabel(y);
    }

    @Override
    public boolean accepts(Loss loss) {
      return !loss.forRegression();
    }

    @Override
    public Columns columns() {
      return Columns.perClass(declared);
    }

    /** f_y(x) - f_z(x). */
    @Override
    public double argument(double y, double own, double rival) {
      return own - rival;
    }

    /** The class with the largest score; NaN before any class is known. */
    @Override
    public double predict(double[] scores, double[] classes) {
      if (classes.length == 0) {
        return Double.NaN;
      }
      int best = 0;
      for (int c = 1; c < classes.length; c++) {
        best = scores[c] > scores[best] ? c : best;
      }
      return classes[best];
    }

    @Override
    public void encode(Encoder out) {
      Task.super.encode(out);
      out.int32(declared.size());
      declared.forEach(out::float64);
    }

    private static Multiclass decodeDeclared(Decoder in) throws ModelFileException {
      int count = in.int32("the number of declared classes", Integer.MAX_VALUE);
      List<Double> declared = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        declared.add(in.finite("a class label"));
      }
      return new Multiclass(declared);
    }

    private static void checkLabel(double y) {
      Rules.check(Double.isFinite(y), "a class label must be a finite number", y);
    }
  }

  /** A number, predicted by one score. */
  record Regression() implements Task {
    @Override
    public Kind kind() {
      return Kind.REGRESSION;
    }

    @Override
    public void check(double y) {
      Rules.check(Math.abs(y) <= 1e100, "a label must be a number within ±1e100", y);
    }

    @Override
    public boolean accepts(Loss loss) {
      return loss.forRegression();
    }

    @Override
    public Loss defaultLoss() {
      return new Loss.Squared();
    }

    @Override
    public Columns columns() {
      return Columns.single();
    }

    /** f(x) - y. */
    @Override
    public double argument(double y, double own, double rival) {
      return own - y;
    }

    /** |f - y|/(|f - y| + s), with s the standard deviation of the labels so far. */
    @Override
    public double error(double u, double deviation) {
      double size = Math.abs(u);
      return size == 0 ? 0 : size / (size + deviation);
    }

    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0];
    }
  }

  /** Whether an instance is an anomaly, +1, or normal, -1; labels are not looked at. */
  record Anomaly() implements Task {
    @Override
    public Kind kind() {
      return Kind.ANOMALY;
    }

    @Override
    public void check(double y) {}

    /** No loss: there is nothing to compare an answer with. */
    @Override
    public boolean accepts(Loss loss) {
      return false;
    }

    @Override
    public Columns columns() {
      return Columns.single(-1, 1);
    }

    @Override
    public double argument(double y, double own, double rival) {
      return own;
    }

    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0] >= 0 ? 1 : -1;
    }
  }

  /** Which cluster an instance belongs to; labels are not looked at. */
  record Clustering() implements Task {
    @Override
    public Kind kind() {
      return Kind.CLUSTER;
    }

    @Override
    public void check(double y) {}

    /** No loss: there is nothing to compare an answer with. */
    @Override
    public boolean accepts(Loss loss) {
      return false;
    }

    @Override
    public Columns columns() {
      return Columns.single();
    }

    @Override
    public double argument(double y, double own, double rival) {
      return own;
    }

    /** The one score is the number of the cluster. */
    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0];
    }
  }
}
