package org.avm4j.lab.baseline;

/** The shrinking of f at step t, before the instance is added. */
sealed interface Decay {
  /** Shrinks f for step t, counted from 1. */
  void apply(Expansion f, long t);

  /** The factor of the steps of the rule. */
  default double step(long t) {
    return 1;
  }

  record None() implements Decay {
    @Override
    public void apply(Expansion f, long t) {}
  }

  /** f ← (1 - ηλ) f: the regularizer under a constant step. */
  record Constant(double factor) implements Decay {
    @Override
    public void apply(Expansion f, long t) {
      f.shrink(factor);
    }
  }

  /**
   * f ← (1 - 1/t) f: the regularizer under the step 1/(λt) of Pegasos. Written as f = 1/(λt) Σ
   * ±Φ(x), a step adds ±1 and no coefficient is ever rounded.
   */
  record Harmonic(double lambda) implements Decay {
    @Override
    public void apply(Expansion f, long t) {
      f.scale(step(t));
    }

    @Override
    public double step(long t) {
      return 1 / (lambda * t);
    }
  }
}
