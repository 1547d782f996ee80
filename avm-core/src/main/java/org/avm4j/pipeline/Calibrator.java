package org.avm4j.pipeline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Finds a {@link Calibration} by online Platt scaling, from the class of each instance and the
 * scores that it got before it was learned.
 *
 * <p>In a file: n (4), n× class label (8) and fit [pairs (8), a (8), b (8), five sums (8)].
 */
public final class Calibrator {
  /** Approximate window of the fits, in instances. */
  public static final int HORIZON = 1000;

  private double[] labels = {};
  private Platt[] fits = {};
  private Calibration snapshot;

  /** An untrained calibrator: all classes are equally likely. */
  public Calibrator() {}

  /**
   * Learns from an instance.
   *
   * @param scores its scores before it was learned
   * @param classes the class labels then, in ascending order
   * @param label its own class, which may be new
   */
  public void learn(double[] scores, double[] classes, double label) {
    snapshot = null;
    if (Calibration.isPair(scores, classes)) {
      fit(classes[1]).learn(scores[0], label == classes[1]);
      return;
    }
    for (int c = 0; c < classes.length; c++) {
      fit(classes[c]).learn(scores[c], label == classes[c]);
    }
  }

  /** The present calibration, immutable. */
  public Calibration snapshot() {
    if (snapshot == null) {
      double[] slopes = Arrays.stream(fits).mapToDouble(Platt::slope).toArray();
      double[] offsets = Arrays.stream(fits).mapToDouble(Platt::offset).toArray();
      snapshot = new Calibration(labels.clone(), slopes, offsets);
    }
    return snapshot;
  }

  void encode(Encoder out) {
    out.int32(labels.length);
    for (int i = 0; i < labels.length; i++) {
      out.float64(labels[i]);
      fits[i].encode(out);
    }
  }

  static Calibrator decode(Decoder in) throws ModelFileException {
    Calibrator calibrator = new Calibrator();
    int count = in.int32("the fits", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a label");
      Decoder.check(calibrator.find(label) < 0, "labels must differ", label);
      calibrator.insert(label, Platt.decode(in, HORIZON));
    }
    return calibrator;
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
