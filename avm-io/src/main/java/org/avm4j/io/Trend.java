package org.avm4j.io;

/** Detects whether a sequence of numbers ascends or descends, with few exceptions. */
final class Trend {
  /** Minimum number of changes from which an order is inferred. */
  private static final int FEWEST = 10;

  /** Fraction of steps that may go the other way: clocks are set back, lines get mixed up. */
  private static final double STRAYS = 0.01;

  private double last = Double.NaN;
  private long ups;
  private long downs;

  void add(double number) {
    ups += number > last ? 1 : 0;
    downs += number < last ? 1 : 0;
    last = number;
  }

  boolean isAscending() {
    return ups >= FEWEST && downs <= STRAYS * ups;
  }

  boolean isDescending() {
    return downs >= FEWEST && ups <= STRAYS * downs;
  }
}
