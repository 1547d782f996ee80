package org.avm4j.auto;

import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/** The ranges of all features of a sample, with 0 in each. */
final class Ranges {
  private final double[] least;
  private final double[] largest;
  private final int[] counts;
  private final boolean[] hasOthers;
  private final int rows;
  private long entries;

  Ranges(List<Instance> sample) {
    int d = sample.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
    least = new double[d];
    largest = new double[d];
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
      least[i] = Math.min(least[i], x.value(e));
      largest[i] = Math.max(largest[i], x.value(e));
    }
  }

  boolean isSparse() {
    return 2 * entries < (long) rows * least.length;
  }

  /** Whether most features hold 0 and 1 alone, as categories do, but some are numbers. */
  boolean hasNumbers() {
    long others = IntStream.range(0, counts.length).filter(i -> hasOthers[i]).count();
    return 2 * others <= counts.length
        && IntStream.range(0, counts.length).anyMatch(i -> hasOthers[i] && 2 * counts[i] >= rows);
  }

  /** The widest range over the narrowest, of features that are not all 0. */
  double ratio() {
    double narrowest = Double.POSITIVE_INFINITY;
    double widest = 0;
    for (int i = 0; i < least.length; i++) {
      double width = largest[i] - least[i];
      if (width > 0) {
        narrowest = Math.min(narrowest, width);
        widest = Math.max(widest, width);
      }
    }
    return widest == 0 ? 1 : widest / narrowest;
  }
}
