package org.avm4j.bench;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.math.Vectors;

/**
 * The linear yardstick: ridge regression by recursive least squares, for classes onto +1 and -1 one
 * against the rest. Features are brought to mean 0 and deviation 1 by the rows so far, and cut at
 * ±5.
 */
final class LeastSquares implements Learner {
  private static final double FARTHEST = 5;

  private final Rows rows;
  private final int d;
  private final double[] mean;
  private final double[] squares;
  private final double[] z;
  private final double[] gain;
  private final double[][] inverse;
  private final double[][] weights;
  private long seen;

  LeastSquares(Rows rows) {
    this.rows = rows;
    d = rows.dimension() + 1;
    mean = new double[d];
    squares = new double[d];
    z = new double[d];
    gain = new double[d];
    weights = new double[Math.max(1, rows.classes().length)][d];
    inverse = new double[d][d];
    for (int i = 0; i < d; i++) {
      inverse[i][i] = 1;
    }
  }

  @Override
  public double predict(int t) {
    standardize(rows.features(t));
    int best = 0;
    for (int c = 1; c < weights.length; c++) {
      best = score(c) > score(best) ? c : best;
    }
    return rows.isRegression() ? score(0) : rows.decoded(best);
  }

  private double score(int c) {
    return Vectors.dot(weights[c], z, d);
  }

  private void standardize(Features x) {
    for (int i = 0; i < d - 1; i++) {
      double deviation = Math.sqrt(squares[i] / Math.max(1, seen));
      double far = deviation == 0 ? 0 : (x.get(i) - mean[i]) / deviation;
      z[i] = Math.max(-FARTHEST, Math.min(FARTHEST, far));
    }
    z[d - 1] = 1;
  }

  @Override
  public void learn(int t) {
    observe(rows.features(t));
    standardize(rows.features(t));
    Arrays.setAll(gain, i -> Vectors.dot(inverse[i], z, d));
    double scale = 1 / (1 + Vectors.dot(gain, z, d));
    double label = rows.coded(rows.label(t));
    for (int c = 0; c < weights.length; c++) {
      double goal = rows.isRegression() ? label : label == c ? 1 : -1;
      add(weights[c], scale * (goal - score(c)));
    }
    for (int i = 0; i < d; i++) {
      add(inverse[i], -scale * gain[i]);
    }
  }

  private void observe(Features x) {
    seen++;
    for (int i = 0; i < d - 1; i++) {
      double before = x.get(i) - mean[i];
      mean[i] += before / seen;
      squares[i] += before * (x.get(i) - mean[i]);
    }
  }

  private void add(double[] to, double factor) {
    for (int i = 0; i < d; i++) {
      to[i] += factor * gain[i];
    }
  }
}
