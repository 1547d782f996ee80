package org.avm4j;

import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;

/** The tasks behind the factories of {@link Task}, one record each. */
final class Tasks {
  private Tasks() {}

  /** {@link Task#binary}. */
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

  /** {@link Task#multiclass}. */
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
      out.list(declared, (label, to) -> to.float64(label));
    }

    static Multiclass decodeDeclared(Decoder in) throws ModelFileException {
      return new Multiclass(
          in.list(
              "the number of declared classes",
              Integer.MAX_VALUE,
              label -> label.finite("a class label")));
    }

    private static void checkLabel(double y) {
      Rules.check(Double.isFinite(y), "a class label must be a finite number", y);
    }
  }

  /** {@link Task#regression}. */
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
      return Loss.squared();
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

  /** A task that ignores labels. */
  sealed interface Unlabelled extends Task permits Anomaly, Clustering {
    @Override
    default void check(double y) {}

    /** No loss: there is nothing to compare an answer with. */
    @Override
    default boolean accepts(Loss loss) {
      return false;
    }

    @Override
    default double argument(double y, double own, double rival) {
      return own;
    }
  }

  /** {@link Task#anomaly}. */
  record Anomaly() implements Unlabelled {
    @Override
    public Kind kind() {
      return Kind.ANOMALY;
    }

    @Override
    public Columns columns() {
      return Columns.single(-1, 1);
    }

    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0] >= 0 ? 1 : -1;
    }
  }

  /** {@link Task#clustering}. */
  record Clustering() implements Unlabelled {
    @Override
    public Kind kind() {
      return Kind.CLUSTER;
    }

    @Override
    public Columns columns() {
      return Columns.single();
    }

    /** The one score is the number of the cluster. */
    @Override
    public double predict(double[] scores, double[] classes) {
      return scores[0];
    }
  }
}
