package org.avm4j.internal;

import java.util.stream.IntStream;

/** Divides the rows of a lower triangle into bands of about equal work, for all cores. */
final class Bands {
  /** With fewer rows, other threads do not pay. */
  private static final int FEW = 128;

  private static final int COUNT = 16;

  private Bands() {}

  /** Work that can be divided into ranges of rows. */
  interface Work {
    void rows(int top, int bottom);
  }

  /** Runs the work for the rows {@code from} to {@code to}, each longer than the one before. */
  static void each(int from, int to, Work work) {
    if (to - from < FEW) {
      work.rows(from, to);
    } else {
      IntStream.range(0, COUNT)
          .parallel()
          .forEach(
              band -> work.rows(from + start(band, to - from), from + start(band + 1, to - from)));
    }
  }

  private static int start(int band, int n) {
    return (int) Math.round(n * Math.sqrt((double) band / COUNT));
  }
}
