package org.avm4j.step;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.avm4j.Output;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * The sums P_{T'} of the first T' iterates, stored for those T' at which a suffix average may start
 * ({@link Output#suffix}): a suffix is the difference of two such sums.
 */
final class SuffixSums {
  /** P_{T'}, one array for each column. */
  record Start(long t, double[][] sums) {
    /** Σ_j P_{T'j} k_j; 0 for a column or vector added later. */
    double dot(int column, double[] k) {
      return column < sums.length ? Vectors.dot(sums[column], k, sums[column].length) : 0;
    }

    /** Subtracts P_{T'} from the sums of a column. */
    void subtractFrom(double[] column, int c) {
      for (int j = 0; c < sums.length && j < sums[c].length; j++) {
        column[j] -= sums[c][j];
      }
    }
  }

  private final Deque<Start> kept = new ArrayDeque<>();

  /** Whether P_t is stored: if t has at most seven significant binary digits. */
  static boolean isKept(long t) {
    return 64 - Long.numberOfLeadingZeros(t) - Long.numberOfTrailingZeros(t) <= 7;
  }

  /** Stores P_t, and drops the sums that no suffix from {@code start} on needs. */
  void keep(long t, double[][] sums, long start) {
    kept.addLast(new Start(t, sums));
    while (kept.size() > 1) {
      Start first = kept.removeFirst();
      if (kept.getFirst().t > start) {
        kept.addFirst(first);
        return;
      }
    }
  }

  /** The latest stored sum of at most the given number of iterates; null if there is none. */
  Start at(long iterates) {
    Start found = null;
    for (Start candidate : kept) {
      found = candidate.t <= iterates ? candidate : found;
    }
    return found;
  }

  /**
   * Removes vector j of n, which is absorbed by another or by none; the last vector takes its
   * place.
   */
  void remove(int j, int into, int n) {
    for (Start copy : kept) {
      Arrays.setAll(copy.sums, c -> Arrays.copyOf(copy.sums[c], n));
      Arrays.stream(copy.sums).forEach(sums -> fold(sums, j, into, n - 1));
      Arrays.setAll(copy.sums, c -> Arrays.copyOf(copy.sums[c], n - 1));
    }
  }

  /** Adds entry j to another, if there is one; the last entry takes its place. */
  static void fold(double[] sums, int j, int into, int last) {
    if (into >= 0) {
      sums[into] += sums[j];
    }
    sums[j] = sums[last];
    sums[last] = 0;
  }

  void clear() {
    kept.clear();
  }

  void encode(Encoder out) {
    out.int32(kept.size());
    for (Start copy : kept) {
      out.int64(copy.t);
      out.int32(copy.sums.length);
      out.int32(copy.sums.length == 0 ? 0 : copy.sums[0].length);
      out.rows(copy.sums);
    }
  }

  /**
   * Reads the sums of a learner that has taken t steps, with its numbers of columns and vectors.
   */
  static SuffixSums decode(Decoder in, long t, int columns, int size) throws ModelFileException {
    SuffixSums all = new SuffixSums();
    int copies = in.int32("the number of kept sums", 1 << 16);
    for (int i = 0; i < copies; i++) {
      long at = in.count("the time of a kept sum");
      boolean ascends = at <= t && (i == 0 || at > all.kept.getLast().t);
      Decoder.check(ascends, "kept sums must ascend", at);
      int count = in.int32("the columns of a kept sum", columns);
      int vectors = in.int32("the vectors of a kept sum", size);
      all.kept.addLast(new Start(at, in.rows(count, vectors)));
    }
    return all;
  }
}
