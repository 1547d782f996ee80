package org.avm4j.io;

/** Detects whether a sequence of numbers ascends or descends, with few exceptions. */
final class Trend {
  /** Minimum number of changes from which an order is inferred. */
  private static final int FEWEST = 10;

  /** Fraction of steps that may go the other way: clocks are set back, lines get mixed up. */
  private static final double STRAYS = 0.01;

  /**
   * Fraction of the numbers that may lie behind an earlier one. After a restart, as where tables
   * follow each other, most do; after a clock was set back by an hour, those of one hour.
   */
  private static final double BEHIND = 0.1;

  /** Fraction of steps that go back to the start of a block, if blocks have five rows or more. */
  private static final double RESTARTS = 0.2;

  private double last = Double.NaN;
  private long count;
  private long ups;
  private long downs;

  /** The highest and the lowest number that two in succession have reached. */
  private double high = Double.NEGATIVE_INFINITY;

  private double low = Double.POSITIVE_INFINITY;
  private long below;
  private long above;

  void add(double number) {
    if (Double.isNaN(number)) {
      return;
    }
    count++;
    ups += number > last ? 1 : 0;
    downs += number < last ? 1 : 0;
    below += number < high ? 1 : 0;
    above += number > low ? 1 : 0;
    if (count > 1) {
      high = Math.max(high, Math.min(last, number));
      low = Math.min(low, Math.max(last, number));
    }
    last = number;
  }

  boolean isAscending() {
    return ups >= FEWEST && downs <= STRAYS * ups && below <= BEHIND * count;
  }

  boolean isDescending() {
    return downs >= FEWEST && ups <= STRAYS * downs && above <= BEHIND * count;
  }

  /** Whether the numbers ascend, or descend, in blocks that start again. */
  boolean startsAgain() {
    boolean hasBlocks = Math.min(ups, downs) <= RESTARTS * (ups + downs);
    return ups + downs >= FEWEST && hasBlocks && !isAscending() && !isDescending();
  }
}
