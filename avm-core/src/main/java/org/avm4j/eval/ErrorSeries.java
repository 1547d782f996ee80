package org.avm4j.eval;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The errors of one way to answer: over all answers, over a window, and since an inspection. */
final class ErrorSeries {
  private final boolean isRegression;
  private final double[] window = new double[Yardsticks.WINDOW];
  private long n;
  private double sum;
  private double absolute;
  private long recent;
  private double recentSum;

  ErrorSeries(boolean isRegression) {
    this.isRegression = isRegression;
  }

  /** Adds an answer; NaN is wrong. */
  void add(double label, double answer) {
    double error = isRegression ? label - answer : label == answer ? 0 : 1;
    window[(int) (n % window.length)] = error * error;
    n++;
    sum += error * error;
    absolute += Math.abs(error);
    recent++;
    recentSum += error * error;
  }

  /** The figure of {@link Metrics#value} over all answers. */
  double total() {
    return figure(sum, n);
  }

  double meanAbsolute() {
    return n == 0 ? 0 : absolute / n;
  }

  /** The figure over the last answers, at most {@link Yardsticks#WINDOW} of them. */
  double windowed() {
    int filled = (int) Math.min(n, window.length);
    double errors = 0;
    for (int i = 0; i < filled; i++) {
      errors += window[i];
    }
    return figure(errors, filled);
  }

  /** The figure since the last call. */
  double sinceInspection() {
    double figure = figure(recentSum, recent);
    recent = 0;
    recentSum = 0;
    return figure;
  }

  private double figure(double errors, long answers) {
    if (answers == 0) {
      return 0;
    }
    return isRegression ? Math.sqrt(errors / answers) : 100 * errors / answers;
  }

  void encode(Encoder out) {
    int filled = (int) Math.min(n, window.length);
    out.int64(n);
    out.float64(sum);
    out.float64(absolute);
    out.int64(recent);
    out.float64(recentSum);
    out.doubles(window, filled);
  }

  static ErrorSeries decode(Decoder in, boolean isRegression) throws ModelFileException {
    ErrorSeries series = new ErrorSeries(isRegression);
    series.n = in.count("the answers of a yardstick");
    series.sum = in.finite("the squared errors of a yardstick");
    series.absolute = in.finite("the absolute errors of a yardstick");
    series.recent = in.count("the recent answers of a yardstick");
    series.recentSum = in.finite("the recent errors of a yardstick");
    int filled = (int) Math.min(series.n, series.window.length);
    System.arraycopy(in.doubles(filled, 0), 0, series.window, 0, filled);
    return series;
  }
}
