package org.avm4j;

/**
 * A range of numbers, both ends included. An end may be infinite where nothing is known yet.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double low, double high) {
  /** Refuses ends in the wrong order. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException(
          "the ends of an interval must ascend: " + low + ", " + high);
    }
  }

  /** Whether a number is inside. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /** The distance of the ends. */
  public double width() {
    return high - low;
  }
}
