package org.avm4j.auto;

import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/** Which features of a sample hold only 0 and 1, and which hold other numbers. */
final class ValueKinds {
  private final int[] counts;
  private final boolean[] hasOthers;
  private final int rows;
  private long entries;

  ValueKinds(List<Instance> sample) {
    int d = LearnerFactory.dimension(sample);
    counts = new int[d];
    hasOthers = new boolean[d];
    rows = sample.size();
    sample.forEach(row -> add(row.features()));
  }

  private void add(Features x) {
    entries += x.count();
    for (int e = 0; e < x.count(); e++) {
      int i = x.index(e);
      counts[i]++;
      hasOthers[i] |= x.value(e) != 0 && x.value(e) != 1;
    }
  }

  boolean isSparse() {
    return 2 * entries < (long) rows * counts.length;
  }

  /**
   * Whether at least half of the features hold only 0 and 1, as categories do, but some are
   * numbers.
   */
  boolean hasNumbers() {
    long others = IntStream.range(0, counts.length).filter(i -> hasOthers[i]).count();
    return 2 * others <= counts.length
        && IntStream.range(0, counts.length).anyMatch(i -> hasOthers[i] && 2 * counts[i] >= rows);
  }
}
