package org.avm4j.tree;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * Which instances a machine learns that has seen many. Its error falls with the number of instances
 * over that of its points, so the more of a class it has seen, the less the next one adds. From
 * some number on it learns one of k, at random, and that one counts k times; k grows with what was
 * seen, up to {@value #MOST}. A rare class is learned whole.
 */
final class Thinning {
  private static final int MOST = 8;

  /** A machine learns all of a class until it has seen this many times its size of it. */
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
