package org.avm4j.pipeline;

import java.util.TreeMap;
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

  private final TreeMap<Double, Platt> fits = new TreeMap<>();
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
      double[] labels = fits.keySet().stream().mapToDouble(Double::doubleValue).toArray();
      double[] slopes = fits.values().stream().mapToDouble(Platt::slope).toArray();
      double[] offsets = fits.values().stream().mapToDouble(Platt::offset).toArray();
      snapshot = new Calibration(labels, slopes, offsets);
    }
    return snapshot;
  }

  void encode(Encoder out) {
    out.byLabel(fits, Platt::encode);
  }

  static Calibrator decode(Decoder in) throws ModelFileException {
    Calibrator calibrator = new Calibrator();
    int count = in.int32("the fits", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a label");
      Decoder.check(!calibrator.fits.containsKey(label), "labels must differ", label);
      calibrator.fits.put(label, Platt.decode(in, HORIZON));
    }
    return calibrator;
  }

  private Platt fit(double label) {
    return fits.computeIfAbsent(label, any -> new Platt(HORIZON));
  }
}
