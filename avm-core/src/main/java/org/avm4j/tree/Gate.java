package org.avm4j.tree;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * How much of a correction to a score has been deserved lately: the factor g in [0, 1] for which
 * g·correction comes nearest to what was missing, by least squares over a window that fades.
 *
 * <p>Each instance adds n = correction·missing and d = correction²; g is Σn/Σd. The spread of n - g
 * d says how sure that is.
 */
final class Gate {
  private static final double TINY = 1e-12;

  private double num;
  private double den;
  private double variance;

  /** Discounts what was seen by a factor and takes in one instance. */
  void add(double n, double d, double keep) {
    double off = n - d * num / Math.max(den, TINY);
    variance = keep * variance + off * off;
    num = keep * num + n;
    den = keep * den + d;
  }

  /** g less one standard error; 0 before anything was seen. */
  double cautious() {
    return den <= 0 ? 0 : clip((num - Math.sqrt(variance)) / den);
  }

  /** g, shrunk towards a prior mean with the given deviation where little was seen. */
  double value(double prior, double deviation) {
    double trust = deviation * deviation * den * den;
    boolean isTold = den > 0 && trust + variance > 0;
    double told = deviation * deviation * den * num;
    return isTold ? clip((told + prior * variance) / (trust + variance)) : prior;
  }

  /** Σn and Σd, to be pooled. */
  double num() {
    return num;
  }

  double den() {
    return den;
  }

  /** Takes in what another gate was told. */
  void merge(Gate other) {
    num += other.num;
    den += other.den;
    variance += other.variance;
  }

  static double clip(double g) {
    return Math.max(0, Math.min(1, g));
  }

  void encode(Encoder out) {
    out.float64(num);
    out.float64(den);
    out.float64(variance);
  }

  static Gate decode(Decoder in) throws ModelFileException {
    Gate gate = new Gate();
    gate.num = in.finite("a gate");
    gate.den = in.finite("a gate");
    gate.variance = in.finite("a gate");
    Decoder.check(gate.variance >= 0, "the variance of a gate must be >= 0", gate.variance);
    return gate;
  }
}
