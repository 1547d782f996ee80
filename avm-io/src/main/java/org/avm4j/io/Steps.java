package org.avm4j.io;

/** Whether a sequence of numbers goes up, or down, from one to the next. */
final class Steps {
  /** Fewer changes tell nothing of an order. */
  private static final int FEWEST = 10;

  /** Part of the changes that may go the other way: clocks are set back, and lines get mixed up. */
  private static final double STRAYS = 0.01;

  private double last = Double.NaN;
  private long ups;
  private long downs;

  void add(double number) {
    ups += number > last ? 1 : 0;
    downs += number < last ? 1 : 0;
    last = number;
  }

  boolean goUp() {
    return ups >= FEWEST && downs <= STRAYS * ups;
  }

  boolean goDown() {
    return downs >= FEWEST && ups <= STRAYS * downs;
  }
}
