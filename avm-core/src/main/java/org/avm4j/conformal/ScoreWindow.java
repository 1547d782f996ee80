package org.avm4j.conformal;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The latest numbers of a stream in ascending order, in bounded memory.
 *
 * <p>In a file: the numbers from the oldest to the latest (4 + n× 8).
 */
final class ScoreWindow {
  /**
   * The most numbers that are kept. The quantile of 1,000 numbers has a standard error of 1 point
   * at a level of 0.9, and old numbers are forgotten soon after a change.
   */
  static final int SIZE = 1000;

  private final double[] ring = new double[SIZE];
  private final double[] sorted = new double[SIZE];
  private int next;
  private int count;

  int count() {
    return count;
  }

  /** The number at a place in ascending order. */
  double at(int place) {
    return sorted[place];
  }

  /** Adds a number; if there is no room, the oldest is removed. */
  void add(double value) {
    if (count == SIZE) {
      int gone = Arrays.binarySearch(sorted, ring[next]);
      count--;
      System.arraycopy(sorted, gone + 1, sorted, gone, count - gone);
    }
    int found = Arrays.binarySearch(sorted, 0, count, value);
    int at = found < 0 ? -found - 1 : found;
    System.arraycopy(sorted, at, sorted, at + 1, count - at);
    sorted[at] = value;
    count++;
    ring[next] = value;
    next = (next + 1) % SIZE;
  }

  void encode(Encoder out) {
    double[] inOrder = new double[count];
    for (int i = 0; i < count; i++) {
      inOrder[i] = ring[(next - count + i + SIZE) % SIZE];
    }
    out.doubles(inOrder, count);
  }

  static ScoreWindow decode(Decoder in, int count) throws ModelFileException {
    ScoreWindow window = new ScoreWindow();
    for (double value : in.doubles(count, 0)) {
      Decoder.check(value >= 0, "a nonconformity score must not be negative", value);
      window.add(value);
    }
    return window;
  }
}
