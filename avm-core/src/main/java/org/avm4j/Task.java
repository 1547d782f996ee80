package org.avm4j;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** What is predicted, and with it what a label is and how scores become an answer. */
public sealed interface Task {
  /** Refuses a label that does not belong to the task. */
  void check(double y);

  /** Whether the loss measures this task. */
  boolean accepts(Loss loss);

  /** One column a class is kept; where classes are declared up front, these are they. */
  default List<Double> declared() {
    return List.of();
  }

  /** u, what the loss is a function of, from the score of the label and the best of the others. */
  double argument(double y, double own, double rival);

  /**
   * The derivative of u by the score of the label; by the best of the others it is the opposite.
   */
  default double slope(double y) {
    return 1;
  }

  /** The labels that answers are taken from, given those seen so far. */
  default double[] labels(double[] seen) {
    return seen;
  }

  /** The answer for the scores of the classes in ascending order of their labels. */
  double predict(double[] scores, double[] classes);

  /** Multiclass with the given classes declared up front; more may still appear. */
  static Multiclass multiclass(double... declared) {
    return new Multiclass(DoubleStream.of(declared).boxed().toList());
  }

  /** Appends a tag (4): 0 binary, 1 multiclass with n× declared class (8), 2 regression. */
  default void encode(Encoder out) {
    boolean isMulticlass = this instanceof Multiclass;
    out.int32(isMulticlass ? 1 : this instanceof Binary ? 0 : 2);
    if (isMulticlass) {
      out.int32(declared().size());
      declared().forEach(out::float64);
    }
  }

  /** The task that was appended. */
  static Task decode(Decoder in) throws ModelFileException {
    int tag = in.int32("the task", 2);
    if (tag != 1) {
      return tag == 0 ? new Binary() : new Regression();
    }
    int count = in.int32("the number of declared classes", Integer.MAX_VALUE);
    List<Double> declared = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      declared.add(in.finite("a class label"));
    }
    return new Multiclass(declared);
  }

  /** Labels -1 and +1, one score; a score of 0 predicts +1. */
  record Binary() implements Task {
    @Override
    public void check(double y) {
      Rules.check(y == 1 || y == -1, "a binary label must be -1 or +1", y);
    }

    @Override
    public boolean accepts(Loss loss) {
      return !loss.forRegression();
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
    public double[] labels(double[] seen) {
      return new double[] {-1, 1};
    }

    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0] >= 0 ? 1 : -1;
    }
  }

  /**
   * Algorithm 5: one score a class, the largest wins and among equals the lowest label. Labels are
   * any finite numbers; a new label adds a class whose w is 0 until then. While fewer than two
   * classes are known there is no runner-up, so nothing is lost and nothing moves.
   */
  record Multiclass(List<Double> declared) implements Task {
    public Multiclass {
      declared = declared.stream().sorted().distinct().toList();
      declared.forEach(Multiclass::checkLabel);
    }

    @Override
    public void check(double y) {
      checkLabel(y);
    }

    @Override
    public boolean accepts(Loss loss) {
      return !loss.forRegression();
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

    private static void checkLabel(double y) {
      Rules.check(Double.isFinite(y), "a class label must be a finite number", y);
    }
  }

  /** A number, predicted by one score. */
  record Regression() implements Task {
    @Override
    public void check(double y) {
      Rules.check(Math.abs(y) <= 1e100, "a label must be a number within ±1e100", y);
    }

    @Override
    public boolean accepts(Loss loss) {
      return loss.forRegression();
    }

    /** f(x) - y. */
    @Override
    public double argument(double y, double own, double rival) {
      return own - y;
    }

    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0];
    }
  }
}
