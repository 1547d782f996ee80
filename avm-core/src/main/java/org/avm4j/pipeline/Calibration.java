package org.avm4j.pipeline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Turns scores into probabilities of classes by fits P(class | s) = 1 / (1 + exp(-(a s + b))),
 * which a {@link Calibrator} finds. Two classes with one score have one fit, that of the higher
 * label. Several classes have one fit each, one-vs-rest, and the probabilities are divided by their
 * sum. Alternatively several classes share one fit, P(class c) proportional to exp(a s_c): {@link
 * #softmax}. Immutable and thread-safe.
 *
 * <p>In a file: n (4), n× class label (8), n× a (8), n× b (8); for a softmax, then the empty
 * section "softmax".
 */
public final class Calibration {
  private static final String SOFTMAX = "softmax";

  private final double[] labels;
  private final double[] slopes;
  private final double[] offsets;
  private final boolean isSoftmax;

  /** A calibration by one-vs-rest fits, for labels in ascending order. */
  Calibration(double[] labels, double[] slopes, double[] offsets) {
    this(labels, slopes, offsets, false);
  }

  private Calibration(double[] labels, double[] slopes, double[] offsets, boolean isSoftmax) {
    this.labels = labels;
    this.slopes = slopes;
    this.offsets = offsets;
    this.isSoftmax = isSoftmax;
  }

  /**
   * A calibration with probabilities proportional to exp(a s), for scores that are log-odds up to a
   * factor.
   *
   * @param classes the labels in ascending order
   * @param slope a, the inverse of the temperature
   */
  public static Calibration softmax(double[] classes, double slope) {
    double[] slopes = new double[classes.length];
    Arrays.fill(slopes, slope);
    return new Calibration(classes.clone(), slopes, new double[classes.length], true);
  }

  /** Whether the probabilities of several classes are a softmax, and not one-vs-rest. */
  public boolean isSoftmax() {
    return isSoftmax;
  }

  /** The probability of each class, in ascending order of label; they add up to 1. */
  public double[] probabilities(double[] scores, double[] classes) {
    if (isPair(scores, classes)) {
      double higher = probability(classes[1], scores[0]);
      return new double[] {1 - higher, higher};
    }
    return isSoftmax ? uncalibrated(scaled(scores, classes), classes) : shares(scores, classes);
  }

  /** The scores on the scale of log-odds; 0 for a class that is not known. */
  private double[] scaled(double[] scores, double[] classes) {
    double[] scaled = new double[classes.length];
    for (int c = 0; c < scaled.length; c++) {
      int at = Arrays.binarySearch(labels, classes[c]);
      scaled[c] = at < 0 ? 0 : slopes[at] * scores[c] + offsets[at];
    }
    return scaled;
  }

  private double[] shares(double[] scores, double[] classes) {
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
   * Probabilities without calibration: the logistic function of the single score of two classes,
   * the softmax of several scores.
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
    out.counted(labels);
    out.doubles(slopes, slopes.length);
    out.doubles(offsets, offsets.length);
    if (isSoftmax) {
      out.section(SOFTMAX, empty -> {});
    }
  }

  static Calibration decode(Decoder in) throws ModelFileException {
    double[] labels = in.counted("the fits", Integer.MAX_VALUE);
    Decoder.checkAscending("labels", labels);
    double[] slopes = in.doubles(labels.length, 0);
    double[] offsets = in.doubles(labels.length, 0);
    return new Calibration(labels, slopes, offsets, in.skipIfPresent(SOFTMAX));
  }
}
