package org.avm4j.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * How good probabilities of classes are, over n instances with class y and probabilities p;
 * instances of a class that was unknown before are not counted:
 *
 * <ul>
 *   <li>log loss: the mean of -ln p_y, with p_y at least 1e-15;
 *   <li>Brier score: the mean of (p - 1{y})² for two classes, p being that of the higher label, and
 *       of Σ_c (p_c - 1{c = y})² for several;
 *   <li>calibration error (ECE): Σ_b |Σ p - Σ 1{right}| / n over 20 bins of equal width, of the
 *       probability of the higher label for two classes, of the likeliest class for several.
 * </ul>
 */
final class ProbabilityMetrics {
  private static final int BINS = 20;
  private static final double LEAST = 1e-15;

  private long n;
  private double logLoss;
  private double brier;
  private final double[] excess = new double[BINS];
  private final long[] inBin = new long[BINS];
  private final double[] sums = new double[BINS];

  /** Adds the probabilities of classes; own is the index of the true one, or -1. */
  void add(double[] probabilities, int own, boolean isPair) {
    if (own < 0) {
      return;
    }
    n++;
    logLoss -= StrictMath.log(Math.max(LEAST, probabilities[own]));
    brier += brier(probabilities, own, isPair);
    int called = isPair ? 1 : likeliest(probabilities);
    double p = probabilities[called];
    int bin = (int) Math.min(BINS - 1, p * BINS);
    excess[bin] += p - (called == own ? 1 : 0);
    inBin[bin]++;
    sums[bin] += p;
  }

  private static double brier(double[] probabilities, int own, boolean isPair) {
    double sum = 0;
    for (int c = isPair ? 1 : 0; c < probabilities.length; c++) {
      double error = probabilities[c] - (c == own ? 1 : 0);
      sum += error * error;
    }
    return sum;
  }

  private static int likeliest(double[] probabilities) {
    int best = 0;
    for (int c = 1; c < probabilities.length; c++) {
      best = probabilities[c] > probabilities[best] ? c : best;
    }
    return best;
  }

  double calibrationError() {
    double sum = 0;
    for (double bin : excess) {
      sum += Math.abs(bin);
    }
    return n == 0 ? 0 : sum / n;
  }

  /** The bins that hold anything; none where some of their instances were not counted. */
  List<Reliability> bins() {
    List<Reliability> bins = new ArrayList<>();
    long counted = 0;
    for (int b = 0; b < BINS; b++) {
      counted += inBin[b];
      if (inBin[b] > 0) {
        double right = (sums[b] - excess[b]) / inBin[b];
        bins.add(new Reliability(inBin[b], sums[b] / inBin[b], right));
      }
    }
    return counted == n ? bins : List.of();
  }

  void encodeBins(Encoder out) {
    for (int b = 0; b < BINS; b++) {
      out.int64(inBin[b]);
      out.float64(sums[b]);
    }
  }

  ProbabilityMetrics decodeBins(Decoder in) throws ModelFileException {
    for (int b = 0; b < BINS; b++) {
      inBin[b] = in.count("the probabilities in a bin");
      sums[b] = in.finite("the sum of probabilities");
    }
    return this;
  }

  void addTo(Map<String, Object> all) {
    all.put("logLoss", n == 0 ? 0 : logLoss / n);
    all.put("brier", n == 0 ? 0 : brier / n);
    all.put("calibrationError", calibrationError());
  }

  void encode(Encoder out) {
    out.int64(n);
    out.float64(logLoss);
    out.float64(brier);
    for (double bin : excess) {
      out.float64(bin);
    }
  }

  static ProbabilityMetrics decode(Decoder in) throws ModelFileException {
    ProbabilityMetrics metrics = new ProbabilityMetrics();
    metrics.n = in.count("the answers");
    metrics.logLoss = in.float64();
    metrics.brier = in.float64();
    for (int b = 0; b < BINS; b++) {
      metrics.excess[b] = in.float64();
    }
    return metrics;
  }
}
