package org.avm4j.pipeline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Turns scores into probabilities of classes, by Platt scaling that learns with the stream: it is
 * shown the scores that each instance got before it was learned, and its class. Two classes with
 * one score have one fit, of the higher label. Several classes have one fit each, this class
 * against the rest, and the probabilities are divided by their sum.
 *
 * <p>In a file: n× class label (8) and fit [pairs (8), a (8), b (8), five sums (8)].
 */
public final class Calibration {
  /** About how many instances back the fits look. */
  public static final int HORIZON = 1000;

  private double[] labels = {};
  private Platt[] fits = {};

  /** Knows nothing yet: all classes are equally likely. */
  public Calibration() {}

  /**
   * Learns from an instance.
   *
   * @param scores what it got before it was learned
   * @param classes the class labels then, in ascending order
   * @param label its own, which may be new
   */
  public void learn(double[] scores, double[] classes, double label) {
    if (isPair(scores, classes)) {
      fit(classes[1]).learn(scores[0], label == classes[1]);
      return;
    }
    for (int c = 0; c < classes.length; c++) {
      fit(classes[c]).learn(scores[c], label == classes[c]);
    }
  }

  /** The probability of each class, in ascending order of label; they add up to 1. */
  public double[] probabilities(double[] scores, double[] classes) {
    if (isPair(scores, classes)) {
      double higher = find(classes[1]) < 0 ? 0.5 : fit(classes[1]).probability(scores[0]);
      return new double[] {1 - higher, higher};
    }
    double[] all = new double[classes.length];
    double sum = 0;
    for (int c = 0; c < all.length; c++) {
      all[c] = find(classes[c]) < 0 ? 0.5 : fit(classes[c]).probability(scores[c]);
      sum += all[c];
    }
    for (int c = 0; c < all.length; c++) {
      all[c] = sum > 0 ? all[c] / sum : 1.0 / all.length;
    }
    return all;
  }

  /**
   * What scores would say as they are: the logistic function of the one score of two classes,
   * softmax of several.
   */
  public static double[] plain(double[] scores, double[] classes) {
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

  /** The labels that have a fit, in ascending order. */
  public double[] labels() {
    return labels.clone();
  }

  /** a and b of the fit of a label. */
  public double[] fitOf(double label) {
    Platt fit = fits[find(label)];
    return new double[] {fit.slope(), fit.offset()};
  }

  Calibration copy() {
    Calibration copy = new Calibration();
    copy.labels = labels.clone();
    copy.fits = Arrays.stream(fits).map(Platt::copy).toArray(Platt[]::new);
    return copy;
  }

  /** Appends whether there is a calibration (1), and it. */
  static void encode(Calibration calibration, Encoder out) {
    out.bool(calibration != null);
    if (calibration != null) {
      calibration.encode(out);
    }
  }

  /** The calibration that was appended, or null. */
  static Calibration decodeIfAny(Decoder in) throws ModelFileException {
    return in.bool() ? decode(in) : null;
  }

  private void encode(Encoder out) {
    out.int32(labels.length);
    for (int i = 0; i < labels.length; i++) {
      out.float64(labels[i]);
      fits[i].encode(out);
    }
  }

  private static Calibration decode(Decoder in) throws ModelFileException {
    Calibration calibration = new Calibration();
    int count = in.int32("the fits", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a label");
      Decoder.check(calibration.find(label) < 0, "labels must differ", label);
      calibration.insert(label, Platt.decode(in, HORIZON));
    }
    return calibration;
  }

  private static boolean isPair(double[] scores, double[] classes) {
    return scores.length == 1 && classes.length == 2;
  }

  private Platt fit(double label) {
    int at = find(label);
    return at < 0 ? insert(label, new Platt(HORIZON)) : fits[at];
  }

  private int find(double label) {
    return Arrays.binarySearch(labels, label);
  }

  private Platt insert(double label, Platt fit) {
    int at = -find(label) - 1;
    double[] moreLabels = new double[labels.length + 1];
    Platt[] moreFits = new Platt[fits.length + 1];
    System.arraycopy(labels, 0, moreLabels, 0, at);
    System.arraycopy(fits, 0, moreFits, 0, at);
    System.arraycopy(labels, at, moreLabels, at + 1, labels.length - at);
    System.arraycopy(fits, at, moreFits, at + 1, fits.length - at);
    moreLabels[at] = label;
    moreFits[at] = fit;
    labels = moreLabels;
    fits = moreFits;
    return fit;
  }
}
