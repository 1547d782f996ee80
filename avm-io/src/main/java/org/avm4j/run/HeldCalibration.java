package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.Labels;

/**
 * Finds the calibration of a model from rows that were held out. Two classes get Platt scaling.
 * Several classes get a softmax of their scores, multiplied by one factor, because the scores of a
 * stack are log-odds already. They get Platt scaling of each class instead if its log loss is lower
 * by more than chance. Both are fitted on one half of the rows and compared on the other.
 */
final class HeldCalibration {
  /** Lower bound of probabilities in the log loss, so that a single row cannot decide. */
  private static final double LEAST_PROBABILITY = 1e-9;

  /** Upper bound of the factor of scores; only tiny scores would need a larger one. */
  private static final double STEEPEST = 1 << 20;

  /** Number of bisections, which give six digits of the factor. */
  private static final int BISECTIONS = 20;

  private final List<Instance> rows;
  private final HeldScores scores;
  private final Labels labels;
  private final double[] classes;

  /**
   * Takes held-out rows and their scores.
   *
   * @param labels converts labels of the data into labels of the model
   */
  HeldCalibration(List<Instance> rows, HeldScores scores, Labels labels) {
    this.rows = rows;
    this.scores = scores;
    this.labels = labels;
    classes = Arrays.stream(scores.model().classes()).map(labels::transform).toArray();
  }

  Calibration found() {
    boolean isPair = scores.model().columns() < classes.length;
    return !isPair && isSoftmaxGood() ? softmax(all()) : platt().snapshot();
  }

  private boolean isSoftmaxGood() {
    double[] more = new double[rows.size()];
    for (int half = 0; half < 2; half++) {
      Calibration softmax = softmax(half(1 - half));
      Calibration platt = platt(half(1 - half)).snapshot();
      for (int r : half(half)) {
        more[r] = loss(softmax, r) - loss(platt, r);
      }
    }
    return !CommonTrial.isAboveChance(more);
  }

  private int[] half(int half) {
    return IntStream.range(0, rows.size())
        .filter(r -> HeldParts.half(r, rows.size(), true) == half)
        .toArray();
  }

  private int[] all() {
    return IntStream.range(0, rows.size()).toArray();
  }

  /** Platt scaling of each class, fitted to all rows. */
  Calibrator platt() {
    return platt(all());
  }

  private Calibrator platt(int[] some) {
    Calibrator calibrator = new Calibrator();
    for (int r : some) {
      calibrator.learn(scores.scores()[r], classes, label(r));
    }
    return calibrator;
  }

  private double label(int r) {
    return labels.transform(rows.get(r).label());
  }

  private Calibration softmax(int[] some) {
    return Calibration.softmax(classes, slope(some));
  }

  /**
   * The factor of the scores with the lowest log loss, by bisection. Labels are smoothed as if
   * there were two more rows with every class equally likely; otherwise a few rows without a
   * mistake would make answers certain.
   */
  private double slope(int[] some) {
    double smoothing = 2.0 / (some.length + 2);
    double low = 0;
    double high = 1;
    while (high < STEEPEST && derivative(high, some, smoothing) < 0) {
      low = high;
      high *= 2;
    }
    for (int step = 0; step < BISECTIONS; step++) {
      double middle = (low + high) / 2;
      boolean isTooFlat = derivative(middle, some, smoothing) < 0;
      low = isTooFlat ? middle : low;
      high = isTooFlat ? high : middle;
    }
    return (low + high) / 2;
  }

  /** The derivative of the log loss by the factor, with smoothed labels. */
  private double derivative(double slope, int[] some, double smoothing) {
    double sum = 0;
    for (int r : some) {
      double[] row = scores.scores()[r];
      int own = Arrays.binarySearch(classes, label(r));
      if (own >= 0) {
        double[] scaled = Arrays.stream(row).map(score -> slope * score).toArray();
        double[] likely = Calibration.uncalibrated(scaled, classes);
        for (int c = 0; c < row.length; c++) {
          double target = smoothing / row.length + (c == own ? 1 - smoothing : 0);
          sum += (likely[c] - target) * row[c];
        }
      }
    }
    return sum;
  }

  private double loss(Calibration calibration, int r) {
    int own = Arrays.binarySearch(classes, label(r));
    double[] likely = calibration.probabilities(scores.scores()[r], classes);
    return own < 0 ? 0 : -StrictMath.log(Math.max(LEAST_PROBABILITY, likely[own]));
  }
}
