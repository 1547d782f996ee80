package org.avm4j.app;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.avm4j.eval.Metrics;

/** The accuracy or the squared error of answers, printed as LIBSVM does. */
final class LibsvmFigures {
  private final SavedModel saved;
  private double squaredError;
  private long labelled;
  private long right;
  private long unknown;
  private final double[] sums = new double[5];

  LibsvmFigures(SavedModel saved) {
    this.saved = saved;
  }

  /** Adds an answer; a label of NaN is ignored. */
  void add(double label, double answer) {
    if (!Double.isNaN(label)) {
      labelled++;
      unknown += saved.knows(label) ? 0 : 1;
      right += answer == label ? 1 : 0;
      squaredError += (answer - label) * (answer - label);
      addPair(label, answer);
    }
  }

  private void addPair(double y, double f) {
    sums[0] += y;
    sums[1] += f;
    sums[2] += y * y;
    sums[3] += f * f;
    sums[4] += y * f;
  }

  /** Warns on standard error of labels that are not classes of the model. */
  void warnUnknown() {
    if (unknown > 0) {
      System.err.printf(
          Locale.ROOT,
          "%,d of %,d labels are unknown to the model and count as mistakes; it knows %s%n",
          unknown,
          labelled,
          String.join(", ", saved.classes()));
    }
  }

  /** Prints the figures, if there were labels. */
  void print(PrintStream to, Metrics metrics) {
    if (labelled == 0) {
      return;
    }
    switch (saved.model().task().kind()) {
      case ANOMALY -> to.printf(Locale.ROOT, "AUC = %s (anomaly)%n", significant(metrics.value()));
      case CLUSTER -> to.printf(Locale.ROOT, "ARI = %s (cluster)%n", significant(metrics.value()));
      case REGRESSION -> printRegression(to);
      default -> printAccuracy(to);
    }
  }

  private void printAccuracy(PrintStream to) {
    to.printf(
        Locale.ROOT,
        "Accuracy = %s%% (%d/%d) (classification)%n",
        significant(100.0 * right / labelled),
        right,
        labelled);
  }

  private void printRegression(PrintStream to) {
    to.printf(
        Locale.ROOT,
        "Mean squared error = %s (regression)%n",
        significant(squaredError / labelled));
    to.printf(
        Locale.ROOT,
        "Squared correlation coefficient = %s (regression)%n",
        significant(squaredCorrelation()));
  }

  private double squaredCorrelation() {
    double n = labelled;
    double covariance = n * sums[4] - sums[0] * sums[1];
    double spread = (n * sums[2] - sums[0] * sums[0]) * (n * sums[3] - sums[1] * sums[1]);
    return covariance * covariance / spread;
  }

  /** Six significant digits without trailing zeros, as C prints %g. */
  static String significant(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }
}
