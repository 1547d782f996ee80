package org.avm4j.internal;

import java.util.stream.IntStream;

/** The rows of a lower half, cut into bands of about the same work, on all cores. */
final class Bands {
  /** Fewer rows are not worth another thread. */
  private static final int FEW = 128;

  private static final int COUNT = 16;

  private Bands() {}

  /** What is done for the rows {@code top} to {@code bottom}. */
  interface Work {
    void rows(int top, int bottom);
  }

  /** Does the rows {@code from} to {@code to}; those after {@code from} are longer one by one. */
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
