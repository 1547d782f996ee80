package org.avm4j.tree;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * Thins out the instances of a class of which a machine has seen many, since each further one adds
 * less. It learns one of k at random, which counts k times; k is 1 at first and grows with the
 * number seen, up to {@value #MOST}. A rare class is learned whole.
 */
final class Thinning {
  private static final int MOST = 8;

  /** Instances of a class, as a multiple of the size, by which k grows by 1. */
  private static final long EACH = 64;

  private final long enough;
  private long[] seen = {};

  /** For a machine of this size. */
  Thinning(int size) {
    enough = EACH * size;
  }

  /** How many times the next instance of a class counts; 0 if it is passed over. */
  int next(int classNumber) {
    seen = classNumber < seen.length ? seen : Arrays.copyOf(seen, classNumber + 1);
    long n = seen[classNumber]++;
    int k = (int) Math.max(1, Math.min(MOST, n / enough));
    return k == 1 || new SplitMix(n).nextInt(k) == 0 ? k : 0;
  }

  /** Counts what another has seen, whose class number c is {@code number[c]} here. */
  void merge(Thinning other, int[] number) {
    for (int c = 0; c < other.seen.length; c++) {
      seen = number[c] < seen.length ? seen : Arrays.copyOf(seen, number[c] + 1);
      seen[number[c]] += other.seen[c];
    }
  }

  void encode(Encoder out) {
    out.int32(seen.length);
    for (long n : seen) {
      out.int64(n);
    }
  }

  /**
   * Reads what {@link #encode} wrote for a machine of this size and a limited number of classes.
   */
  static Thinning decode(Decoder in, int size, int classes) throws ModelFileException {
    Thinning thinning = new Thinning(size);
    thinning.seen = new long[in.int32("the classes seen", classes)];
    for (int c = 0; c < thinning.seen.length; c++) {
      thinning.seen[c] = in.count("the instances of a class");
    }
    return thinning;
  }
}
