package org.avm4j.internal;

/** How options refuse nonsense: the rule and the value in one sentence. */
public final class Rules {
  /** The largest weight of an instance, so that sums of weights stay finite. */
  public static final double LARGEST_WEIGHT = 1e15;

  private Rules() {}

  /**
   * Throws an exception unless a rule holds. It makes no garbage if the rule holds, because the
   * weight of every instance is checked by it.
   */
  public static double positive(String name, double value) {
    boolean holds = value > 0 && Double.isFinite(value);
    return holds ? value : check(false, name + " must be > 0 and finite", value);
  }

  /** Products and sums of larger weights would leave the range of numbers. */
  public static double weight(String name, double value) {
    boolean holds = positive(name, value) <= LARGEST_WEIGHT;
    return holds ? value : check(false, name + " must be at most " + LARGEST_WEIGHT, value);
  }

  /** Throws an exception for a negative or infinite value. */
  public static double notNegative(String name, double value) {
    boolean holds = value >= 0 && Double.isFinite(value);
    return holds ? value : check(false, name + " must be >= 0 and finite", value);
  }

  /** Throws an exception with a rule and a value of any type unless the rule holds. */
  public static void require(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
  }

  /** Throws an exception with a value for which a rule does not hold. */
  public static double check(boolean holds, String rule, double value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
    return value;
  }
}
