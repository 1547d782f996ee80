package org.avm4j.data;

import java.util.Arrays;
import org.avm4j.Features;

/** Entries of one row in any order, to be sorted. Reusable without garbage. */
final class Entries {
  /** Returned if no index occurred twice. */
  static final int ALL_DIFFERENT = -1;

  private long[] order = new long[16];
  private double[] values = new double[16];
  private int count;

  int count() {
    return count;
  }

  void clear() {
    count = 0;
  }

  /** Adds an entry; the index is not negative. */
  void add(int index, double value) {
    if (count == values.length) {
      order = Arrays.copyOf(order, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    order[count] = (long) index << Integer.SIZE | count;
    values[count++] = value;
  }

  /**
   * Appends the entries to an empty row in ascending order, up to the first index that occurred
   * twice.
   *
   * @return that index, or {@link #ALL_DIFFERENT}
   */
  int sortInto(Features.Buffer row) {
    Arrays.sort(order, 0, count);
    for (int i = 0; i < count; i++) {
      int index = (int) (order[i] >> Integer.SIZE);
      if (index < row.features().dimension()) {
        return index;
      }
      row.add(index, values[(int) order[i]]);
    }
    return ALL_DIFFERENT;
  }
}
