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

  /** Share of copies from which they are told. */
  private static final double TOLD = 0.01;

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

  /** The share of the rows that are copies of a row before them. */
  double share() {
    long counted = rows.values().stream().mapToLong(Integer::longValue).sum();
    return counted == 0 ? 0 : (double) (counted - rows.size()) / counted;
  }

  /** A warning for users who hold out rows; empty if there are few copies. */
  public Optional<String> warning() {
    return share() <= TOLD
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%.0f %% of the rows are exact copies of others, so that held-out rows were also"
                    + " learned and the expected error may be far too low; leave copies out unless"
                    + " new rows repeat old ones, too",
                100 * share()));
  }
}
