package org.avm4j.boost;

import java.util.Arrays;
import org.avm4j.Task;
import org.avm4j.internal.Exp;

/**
 * The loss that boosting minimises: ½ (f - y)² for numbers, the logistic loss for two classes, the
 * cross-entropy for several. Scores of classes are log-odds.
 */
enum BoostLoss {
  /** The squared loss of numbers. */
  SQUARED,
  /** The logistic loss of two classes, by the score of the second. */
  LOGISTIC,
  /** The cross-entropy of several classes with a score each. */
  SOFTMAX;

  /** Lower bound of second derivatives, so that the value of a leaf stays finite. */
  private static final float LEAST_HESSIAN = 1e-6f;

  /** Number of rows assumed for a class without rows when the first scores are set. */
  private static final double UNSEEN = 0.5;

  static BoostLoss of(Task task) {
    return switch (task.kind()) {
      case REGRESSION -> SQUARED;
      case BINARY -> LOGISTIC;
      case MULTICLASS -> SOFTMAX;
      case ANOMALY, CLUSTER ->
          throw new IllegalArgumentException("trees cannot be boosted without labels");
    };
  }

  /** The number of scores of a row. */
  int columns(int classes) {
    return this == SOFTMAX ? classes : 1;
  }

  /** The scores before the first tree: the mean of numbers, the log-odds of classes. */
  double[] start(double[] targets, float[] weights, int rows, int classes) {
    double[] counts = new double[Math.max(2, classes)];
    double sum = 0;
    double total = 0;
    for (int r = 0; r < rows; r++) {
      sum += weights[r] * targets[r];
      total += weights[r];
      if (this != SQUARED) {
        counts[(int) targets[r]] += weights[r];
      }
    }
    double all = Math.max(total, Double.MIN_NORMAL);
    return switch (this) {
      case SQUARED -> new double[] {sum / all};
      case LOGISTIC -> new double[] {log(counts[1]) - log(counts[0])};
      case SOFTMAX -> Arrays.stream(counts, 0, classes).map(n -> log(n) - log(all)).toArray();
    };
  }

  private static double log(double count) {
    return StrictMath.log(Math.max(count, UNSEEN));
  }

  /** Writes the first and second derivative of the loss by each score of the first rows. */
  void derive(double[][] scores, double[] targets, float[] weights, int rows, Derivatives into) {
    switch (this) {
      case SQUARED -> deriveSquared(scores[0], targets, weights, rows, into);
      case LOGISTIC -> deriveLogistic(scores[0], targets, weights, rows, into);
      case SOFTMAX -> deriveSoftmax(scores, targets, weights, rows, into);
    }
  }

  private static void deriveSquared(
      double[] scores, double[] targets, float[] weights, int rows, Derivatives into) {
    for (int r = 0; r < rows; r++) {
      into.first[0][r] = weights[r] * (float) (scores[r] - targets[r]);
      into.second[0][r] = weights[r];
    }
  }

  private static void deriveLogistic(
      double[] scores, double[] targets, float[] weights, int rows, Derivatives into) {
    float[] exp = into.second[0];
    for (int r = 0; r < rows; r++) {
      exp[r] = (float) Math.abs(scores[r]);
    }
    Exp.ofNegative(-1, exp, exp, rows);
    for (int r = 0; r < rows; r++) {
      float larger = 1 / (1 + exp[r]);
      float smaller = exp[r] * larger;
      float p = scores[r] >= 0 ? larger : smaller;
      into.first[0][r] = weights[r] * (p - (float) targets[r]);
      into.second[0][r] = weights[r] * Math.max(larger * smaller, LEAST_HESSIAN);
    }
  }

  private static void deriveSoftmax(
      double[][] scores, double[] targets, float[] weights, int rows, Derivatives into) {
    float[] sums = new float[rows];
    double[] largest = scores[0].clone();
    for (double[] of : scores) {
      for (int r = 0; r < rows; r++) {
        largest[r] = Math.max(largest[r], of[r]);
      }
    }
    for (int c = 0; c < scores.length; c++) {
      float[] exp = into.first[c];
      for (int r = 0; r < rows; r++) {
        exp[r] = (float) (largest[r] - scores[c][r]);
      }
      Exp.ofNegative(-1, exp, exp, rows);
      for (int r = 0; r < rows; r++) {
        sums[r] += exp[r];
      }
    }
    for (int c = 0; c < scores.length; c++) {
      float[] first = into.first[c];
      float[] second = into.second[c];
      for (int r = 0; r < rows; r++) {
        float p = first[r] / sums[r];
        first[r] = weights[r] * (p - (targets[r] == c ? 1 : 0));
        second[r] = weights[r] * Math.max(2 * p * (1 - p), LEAST_HESSIAN);
      }
    }
  }

  /** The derivatives of the loss by each score: an array for each score, a place for each row. */
  static final class Derivatives {
    final float[][] first;
    final float[][] second;

    Derivatives(int columns, int rows) {
      first = new float[columns][rows];
      second = new float[columns][rows];
    }
  }
}
