package org.avm4j.tree;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * Subsamples classes of which a machine has seen many instances, because each further one adds
 * less. One of k instances, chosen at random, is learned with k times its weight. k is 1 at first
 * and grows with the number seen, up to {@value #MOST}. All instances of a rare class are learned.
 */
final class ClassSubsampling {
  private static final int MOST = 8;

  /** Instances of a class, as a multiple of the machine's size, after which k grows by 1. */
  private static final long EACH = 64;

  private final long enough;
  private long[] seen = {};

  /** The subsampling for a machine of this size. */
  ClassSubsampling(int size) {
    enough = EACH * size;
  }

  /** The factor on the weight of the next instance of a class; 0 if the instance is skipped. */
  int next(int classNumber) {
    seen = classNumber < seen.length ? seen : Arrays.copyOf(seen, classNumber + 1);
    long n = seen[classNumber]++;
    int k = (int) Math.max(1, Math.min(MOST, n / enough));
    return k == 1 || new SplitMix(n).nextInt(k) == 0 ? k : 0;
  }

  /** Adds the counts of another tree, whose class c is class {@code number[c]} here. */
  void merge(ClassSubsampling other, int[] number) {
    for (int c = 0; c < other.seen.length; c++) {
      seen = number[c] < seen.length ? seen : Arrays.copyOf(seen, number[c] + 1);
      seen[number[c]] += other.seen[c];
    }
  }

  void encode(Encoder out) {
    out.int32(seen.length);
    out.longs(seen);
  }

  /**
   * Reads what {@link #encode} wrote for a machine of this size and a limited number of classes.
   */
  static ClassSubsampling decode(Decoder in, int size, int classes) throws ModelFileException {
    ClassSubsampling subsampling = new ClassSubsampling(size);
    int count = in.int32("the classes seen", classes);
    subsampling.seen = in.counts("the instances of a class", count);
    return subsampling;
  }
}
