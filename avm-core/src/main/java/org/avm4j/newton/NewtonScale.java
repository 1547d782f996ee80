package org.avm4j.newton;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.step.Memory;

/**
 * w_t, the weight of instance t in the sums of the second-order step, and the prior in the same
 * units.
 *
 * <p>Forgetting would shrink the sums in each step. Instead the sums stay and new instances get a
 * larger weight: w grows by the same factor, and is divided by a power of two before it overflows.
 */
final class NewtonScale {
  /** Smallest fraction of the prior that R keeps when old instances are discounted. */
  private static final double FLOOR = 1e-3;

  /** Growth of w after which the prior is restored, if instances are forgotten. */
  private static final double GROWN = 2;

  /** After forgetting, n points count as if they had been added by step {@code BIRTHS} · n. */
  private static final double BIRTHS = 10;

  /** Bound of w beyond which it is divided by a power of two. */
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

  /** The prior of a vector that is added now. */
  double prior() {
    return prior * w;
  }

  /** Begins a step, after memory has advanced. */
  void advance() {
    w = parabolas.weight(w, memory);
  }

  /** Sets w for two learners merged after t steps in total. */
  void merged(long t) {
    w = memory.fades() || parabolas.isExact() ? w : t;
  }

  /** The factor that brings the sums of another learner to the scale of this one. */
  double level(NewtonScale other) {
    return memory.fades() ? w / other.w : 1;
  }

  boolean isTooLarge() {
    return w > LARGEST;
  }

  /** Whether the prior has been discounted so far, after t steps, that it must be restored. */
  boolean isPriorFaded(long t) {
    return hasForgotten(t) && w > GROWN * renewedAt;
  }

  private boolean hasForgotten(long t) {
    return memory.size() < t;
  }

  /**
   * The value to which R is restored, for n points after t steps. For squared loss, where w_t = 1,
   * it is the whole prior. Where instance t weighs t, a point added at step s has s/m of the prior,
   * with m the memory in instances; after forgetting, the points count as if they had been added by
   * step 10 n.
   */
  double leastPrior(int n, long t) {
    if (parabolas.isExact()) {
      return prior();
    }
    double part = hasForgotten(t) ? Math.min(1, BIRTHS * n / memory.size()) : 0;
    return Math.max(FLOOR, part) * prior();
  }

  /**
   * Divides w by a power of two; returns the factor on the sums, which changes none of their
   * digits.
   */
  double bringBack() {
    double power = Math.scalb(1.0, -Math.getExponent(w));
    w *= power;
    return power;
  }

  /** Notes that the matrix was recomputed with the prior restored. */
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
