package org.avm4j.newton;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.step.Memory;

/**
 * w_t, the weight of instance t in the sums of the second-order step, and the prior in the same
 * units.
 *
 * <p>Where something is forgotten, the sums would shrink in each step. They are left as they are
 * and new instances weigh more instead: w grows by as much, and is brought back by a power of two
 * before it leaves the range of numbers.
 */
final class NewtonScale {
  /** Where old instances are discounted, R keeps at least this part of the prior. */
  private static final double FLOOR = 1e-3;

  /** Where instances are forgotten, the prior is filled up when w has grown by this factor. */
  private static final double GROWN = 2;

  /** After something was forgotten, n points count as if they had come by step 10 n. */
  private static final double BIRTHS = 10;

  /** Beyond this w is brought back. */
  private static final double LARGEST = 0x1p100;

  private final double prior;
  private final Memory memory;
  private final Parabolas parabolas;
  private double w = 1;
  private double renewedAt = 1;

  NewtonScale(double prior, Memory memory, Parabolas parabolas) {
    this.prior = prior;
    this.memory = memory;
    this.parabolas = parabolas;
  }

  /** w_t. */
  double w() {
    return w;
  }

  /** The prior of a vector that comes now. */
  double prior() {
    return prior * w;
  }

  /** Begins a step, after memory has advanced. */
  void advance() {
    w = parabolas.weight(w, memory);
  }

  /** w of two learners merged after t steps in all. */
  void merged(long t) {
    w = memory.fades() || parabolas.isExact() ? w : t;
  }

  /** The factor by which the sums of another learner count here. */
  double level(NewtonScale other) {
    return memory.fades() ? w / other.w : 1;
  }

  boolean isTooLarge() {
    return w > LARGEST;
  }

  /** Whether the prior has been discounted enough to be filled up, after t steps. */
  boolean isPriorFaded(long t) {
    return hasForgotten(t) && w > GROWN * renewedAt;
  }

  private boolean hasForgotten(long t) {
    return memory.size() < t;
  }

  /**
   * What R is filled up to for n points after t steps. For squared loss, w_t = 1, a learner of m
   * instances has the whole prior. Where instance t weighs t, a point that came at step s has the
   * part s/m of it; after something was forgotten the points count as if they had come by step 10
   * n.
   */
  double leastPrior(int n, long t) {
    if (parabolas.isExact()) {
      return prior();
    }
    double part = hasForgotten(t) ? Math.min(1, BIRTHS * n / memory.size()) : 0;
    return Math.max(FLOOR, part) * prior();
  }

  /** Divides w by a power of two; returns the factor, which changes no digit of any sum. */
  double bringBack() {
    double power = Math.scalb(1.0, -Math.getExponent(w));
    w *= power;
    return power;
  }

  /** The matrix was computed afresh, with the prior filled up. */
  void renewed() {
    renewedAt = w;
  }

  void encode(Encoder out) {
    out.float64(w);
    out.float64(renewedAt);
  }

  void decode(Decoder in) throws ModelFileException {
    w = in.finite("the weight of an instance");
    renewedAt = in.finite("the weight at the last renewal");
    Decoder.check(w > 0, "the weight of an instance must be > 0", w);
  }
}
