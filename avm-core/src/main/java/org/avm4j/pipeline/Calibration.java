package org.avm4j.pipeline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Turns scores into probabilities of classes, by a fit P(class | s) = 1 / (1 + exp(-(a s + b))) for
 * each. Two classes with one score have one fit, of the higher label. Several classes have one fit
 * each, one-vs-rest, and the probabilities are divided by their sum. A {@link Calibrator} finds the
 * fits. Immutable, and safe to share between threads.
 *
 * <p>In a file: n (4), n× class label (8), n× a (8), n× b (8).
 */
public final class Calibration {
  private final double[] labels;
  private final double[] slopes;
  private final double[] offsets;

  /** Fits of labels in ascending order. */
  Calibration(double[] labels, double[] slopes, double[] offsets) {
    this.labels = labels;
    this.slopes = slopes;
    this.offsets = offsets;
  }

  /** The probability of each class, in ascending order of label; they add up to 1. */
  double[] probabilities(double[] scores, double[] classes) {
    if (isPair(scores, classes)) {
      double higher = probability(classes[1], scores[0]);
      return new double[] {1 - higher, higher};
    }
    double[] all = new double[classes.length];
    double sum = 0;
    for (int c = 0; c < all.length; c++) {
      all[c] = probability(classes[c], scores[c]);
      sum += all[c];
    }
    for (int c = 0; c < all.length; c++) {
      all[c] = sum > 0 ? all[c] / sum : 1.0 / all.length;
    }
    return all;
  }

  private double probability(double label, double score) {
    int at = Arrays.binarySearch(labels, label);
    return at < 0 ? 0.5 : Platt.probability(slopes[at], offsets[at], score);
  }

  /**
   * Probabilities without calibration: the logistic function of the one score of two classes,
   * softmax of several.
   */
  public static double[] uncalibrated(double[] scores, double[] classes) {
    if (isPair(scores, classes)) {
      double higher = Platt.logistic(scores[0]);
      return new double[] {1 - higher, higher};
    }
    double largest = Arrays.stream(scores, 0, classes.length).max().orElse(0);
    double[] all = new double[classes.length];
    double sum = 0;
    for (int c = 0; c < all.length; c++) {
      all[c] = StrictMath.exp(scores[c] - largest);
      sum += all[c];
    }
    for (int c = 0; c < all.length; c++) {
      all[c] /= sum;
    }
    return all;
  }

  /** Whether two classes share one score. */
  static boolean isPair(double[] scores, double[] classes) {
    return scores.length == 1 && classes.length == 2;
  }

  /** The labels that have a fit, in ascending order. */
  public double[] labels() {
    return labels.clone();
  }

  /** a in the fit of a label. */
  public double slope(double label) {
    return slopes[Arrays.binarySearch(labels, label)];
  }

  /** b in the fit of a label. */
  public double offset(double label) {
    return offsets[Arrays.binarySearch(labels, label)];
  }

  void encode(Encoder out) {
    out.int32(labels.length);
    out.doubles(labels, labels.length);
    out.doubles(slopes, slopes.length);
    out.doubles(offsets, offsets.length);
  }

  static Calibration decode(Decoder in) throws ModelFileException {
    int n = in.int32("the fits", Integer.MAX_VALUE);
    double[] labels = in.doubles(n, 0);
    for (int i = 1; i < n; i++) {
      Decoder.check(labels[i - 1] < labels[i], "labels must ascend", labels[i]);
    }
    return new Calibration(labels, in.doubles(n, 0), in.doubles(n, 0));
  }
}
