package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.Labels;

/**
 * Finds what makes probabilities of the scores of rows that were held out. Two classes get a fit of
 * Platt's. Several classes get one each, or a softmax with one factor unless its log loss is larger
 * by more than chance, where both are fitted on one half of the rows and tried on the other: scores
 * that learners and trees were weighted for are log-odds already, which fits of single classes
 * spoil where classes are many.
 */
final class HeldCalibration {
  /** Least probability of a class in a log loss, so that one surprise does not decide alone. */
  private static final double LEAST_PROBABILITY = 1e-9;

  /** The largest factor of scores: they would have to be tiny to need a larger one. */
  private static final double STEEPEST = 1 << 20;

  /** Bisections of the factor, after which its first six digits are known. */
  private static final int BISECTIONS = 20;

  private final List<Instance> rows;
  private final HeldScores scores;
  private final Labels labels;
  private final double[] classes;

  /**
   * Rows and their scores.
   *
   * @param labels the map of labels before the model that is to be calibrated
   */
  HeldCalibration(List<Instance> rows, HeldScores scores, Labels labels) {
    this.rows = rows;
    this.scores = scores;
    this.labels = labels;
    classes = Arrays.stream(scores.model().classes()).map(labels::transform).toArray();
  }

  Calibration found() {
    int[] all = IntStream.range(0, rows.size()).toArray();
    boolean isPair = scores.model().columns() < classes.length;
    return !isPair && isSoftmaxGood() ? softmax(all) : platt(all).snapshot();
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

  /** The fits of single classes by all rows. */
  Calibrator platt() {
    return platt(IntStream.range(0, rows.size()).toArray());
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
   * The factor of the scores at which the log loss is least, by bisection. One mistake more than
   * there were is counted, and one right answer: no mistake among few rows makes nothing certain.
   */
  private double slope(int[] some) {
    double smear = 2.0 / (some.length + 2);
    double low = 0;
    double high = 1;
    while (high < STEEPEST && derivative(high, some, smear) < 0) {
      low = high;
      high *= 2;
    }
    for (int step = 0; step < BISECTIONS; step++) {
      double middle = (low + high) / 2;
      boolean isTooFlat = derivative(middle, some, smear) < 0;
      low = isTooFlat ? middle : low;
      high = isTooFlat ? high : middle;
    }
    return (low + high) / 2;
  }

  /** The derivative of the log loss by the factor, where labels are smeared over all classes. */
  private double derivative(double slope, int[] some, double smear) {
    double sum = 0;
    for (int r : some) {
      double[] row = scores.scores()[r];
      int own = Arrays.binarySearch(classes, label(r));
      if (own >= 0) {
        double[] scaled = Arrays.stream(row).map(score -> slope * score).toArray();
        double[] likely = Calibration.uncalibrated(scaled, classes);
        for (int c = 0; c < row.length; c++) {
          double target = smear / row.length + (c == own ? 1 - smear : 0);
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
