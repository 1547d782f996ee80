package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * ADWIN (Bifet and Gavaldà, Learning from Time-Changing Data with Adaptive Windowing, SDM 2007): a
 * window over numbers in [0, 1] that grows while their mean does not change.
 *
 * <p>The window is a list of sums over 1, 1, …, 2, 2, …, 4 numbers and so on, {@value #ROOM} of
 * each size, so it takes O(log W) memory. Whenever it can be cut into an older part of n0 numbers
 * and a newer one of n1 whose means differ by more than
 *
 * <p>√(2/m σ² ln(2/δ')) + 2/(3m) ln(2/δ') with 1/m = 1/n0 + 1/n1 and δ' = δ/ln W
 *
 * <p>the oldest sum is dropped. σ² is μ(1 - μ), the variance of zeros and ones, the largest that
 * numbers in [0, 1] can have. Cuts are looked for once in {@value #CLOCK} numbers.
 */
public final class Adwin {
  private static final int ROOM = 5;
  private static final int CLOCK = 32;

  /** Minimum length of a part. */
  private static final int LEAST = 5;

  private final double delta;
  private double[][] sums = {};
  private int[] count = {};
  private long width;
  private double total;
  private double older;
  private double newer;

  /** An empty window; δ bounds the probability of a false alarm. */
  public Adwin(double delta) {
    this.delta = delta;
  }

  /** W. */
  public long width() {
    return width;
  }

  /** The mean before the change that was found last. */
  public double older() {
    return older;
  }

  /** The mean after the change that was found last. */
  public double newer() {
    return newer;
  }

  /** Adds a number; returns whether a change was found and the window was cut. */
  public boolean add(double x) {
    total += x;
    push(0, x);
    boolean isChanged = ++width % CLOCK == 0 && isCut();
    if (isChanged) {
      double before = older;
      double after = newer;
      do {
        drop();
      } while (isCut());
      older = before;
      newer = after;
    }
    return isChanged;
  }

  private void push(int row, double sum) {
    if (row == sums.length) {
      sums = Arrays.copyOf(sums, row + 1);
      sums[row] = new double[ROOM + 1];
      count = Arrays.copyOf(count, row + 1);
    }
    sums[row][count[row]++] = sum;
    if (count[row] > ROOM) {
      double both = sums[row][0] + sums[row][1];
      remove(row, 2);
      push(row + 1, both);
    }
  }

  private void remove(int row, int n) {
    count[row] -= n;
    System.arraycopy(sums[row], n, sums[row], 0, count[row]);
  }

  /** Drops the oldest sum. */
  private void drop() {
    int row = sums.length - 1;
    while (count[row] == 0) {
      row--;
    }
    total -= sums[row][0];
    width -= 1L << row;
    remove(row, 1);
  }

  /** Whether the window has two parts with different means. */
  private boolean isCut() {
    long n = 0;
    double sum = 0;
    for (int row = sums.length - 1; row >= 0; row--) {
      for (int i = 0; i < count[row]; i++) {
        n += 1L << row;
        sum += sums[row][i];
        if (isCut(n, sum)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isCut(long n, double sum) {
    if (n < LEAST || width - n < LEAST) {
      return false;
    }
    older = sum / n;
    newer = (total - sum) / (width - n);
    double m = 1 / (1.0 / n + 1.0 / (width - n));
    double mean = total / width;
    double logarithm = StrictMath.log(2 * StrictMath.log(width) / delta);
    double variance = Math.max(0, mean * (1 - mean));
    return Math.abs(older - newer)
        > Math.sqrt(2 / m * variance * logarithm) + 2 / (3 * m) * logarithm;
  }

  /** Appends the window. */
  public void encode(Encoder out) {
    out.float64(total);
    out.int32(sums.length);
    for (int row = 0; row < sums.length; row++) {
      out.int32(count[row]);
      out.doubles(sums[row], count[row]);
    }
  }

  /** The window that was appended. */
  public static Adwin decode(Decoder in, double delta) throws ModelFileException {
    Adwin adwin = new Adwin(delta);
    adwin.total = in.finite("the sum of the window");
    int rows = in.int32("the rows of the window", 62);
    adwin.sums = new double[rows][];
    adwin.count = new int[rows];
    for (int row = 0; row < rows; row++) {
      adwin.count[row] = in.int32("the sums of a row", ROOM);
      adwin.sums[row] = in.doubles(adwin.count[row], ROOM + 1);
      adwin.width += (long) adwin.count[row] << row;
    }
    return adwin;
  }
}
