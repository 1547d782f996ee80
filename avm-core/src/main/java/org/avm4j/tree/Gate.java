package org.avm4j.tree;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The best factor g in [0, 1] on the corrections of a region: the one for which g·correction is
 * nearest to the residual, by least squares over recent instances with a forgetting factor.
 *
 * <p>Each instance adds n = correction·residual and d = correction²; g is Σn/Σd. The variance of n
 * - g d gives its standard error.
 */
final class Gate {
  private static final double TINY = 1e-12;

  private double num;
  private double den;
  private double variance;

  /** Multiplies the sums by {@code keep} and adds one instance. */
  void add(double n, double d, double keep) {
    double off = n - d * num / Math.max(den, TINY);
    variance = keep * variance + off * off;
    num = keep * num + n;
    den = keep * den + d;
  }

  /** g minus one standard error; 0 before the first instance. */
  double cautious() {
    return den <= 0 ? 0 : clip((num - Math.sqrt(variance)) / den);
  }

  /** The posterior mean of g for a prior with the given mean and deviation. */
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

  /** Adds the sums of another gate. */
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
