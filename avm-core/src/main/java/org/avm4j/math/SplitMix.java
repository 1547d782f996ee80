package org.avm4j.math;

import java.util.function.DoubleSupplier;

/**
 * SplitMix64 (Steele, Lea, Flood 2014): a generator whose whole state is one number, so that it can
 * be saved and a resumed run draws what the uninterrupted one would have drawn.
 */
public final class SplitMix implements DoubleSupplier {
  private long state;

  /** A generator with the given state. */
  public SplitMix(long state) {
    this.state = state;
  }

  /** The state, from which a generator can continue. */
  public long state() {
    return state;
  }

  /** The next 64 random bits. */
  public long nextLong() {
    state += 0x9E3779B97F4A7C15L;
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** The next number, uniform in [0, 1). */
  @Override
  public double getAsDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /** The next whole number, uniform from 0 to bound - 1. */
  public int nextInt(int bound) {
    return (int) (getAsDouble() * bound);
  }
}
