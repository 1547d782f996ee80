package org.avm4j.run;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Features;

/**
 * Counts rows that are exact copies of others, their label included. Rows are known by a hash of 64
 * bits; of many different ones, only those in a random part are counted.
 */
public final class RowCopies {
  /** Maximum number of different rows that are counted. */
  private static final int MOST = 1 << 16;

  /**
   * Share of rows with a copy from which they are told: with fewer, the error on other rows is at
   * most 11 % higher.
   */
  private static final double TOLD = 0.1;

  private final Map<Long, Integer> rows = new HashMap<>();
  private long mask;

  void add(Features x, double label) {
    long hash = mixed(Double.doubleToLongBits(label));
    for (int i = 0; i < x.count(); i++) {
      hash = mixed(hash ^ mixed(x.index(i)) + Double.doubleToLongBits(x.value(i)));
    }
    if ((hash & mask) == 0) {
      rows.merge(hash, 1, Integer::sum);
    }
    while (rows.size() > MOST) {
      mask = 2 * mask + 1;
      rows.keySet().removeIf(known -> (known & mask) != 0);
    }
  }

  /** Distributes the bits of a number, by the constants of SplitMix64. */
  private static long mixed(long bits) {
    long z = bits + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** The share of the rows that have a copy. */
  double share() {
    long all = 0;
    long copied = 0;
    for (int count : rows.values()) {
      all += count;
      copied += count > 1 ? count : 0;
    }
    return all == 0 ? 0 : (double) copied / all;
  }

  /** A warning for users who hold out rows; empty if few rows have copies. */
  public Optional<String> warning() {
    return share() <= TOLD
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%.0f %% of the rows have an exact copy, which may be learned while they are held"
                    + " out; on rows that are no copies the error may be higher",
                100 * share()));
  }
}
