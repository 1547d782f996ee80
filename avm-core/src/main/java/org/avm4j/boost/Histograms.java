package org.avm4j.boost;

/**
 * Sums of first and second derivatives by bin, of all columns of the rows of a node: for bin b of
 * store s they stand at 2 (start(s) + b) and the place behind it.
 */
final class Histograms {
  private final BinnedRows bins;
  private final int[] starts;

  Histograms(BinnedRows bins) {
    this.bins = bins;
    starts = new int[bins.stores() + 1];
    for (int s = 0; s < bins.stores(); s++) {
      starts[s + 1] = starts[s] + bins.bins(s);
    }
  }

  /** An array with a place for every sum. */
  double[] fresh() {
    return new double[2 * starts[bins.stores()]];
  }

  /** Where the sums of a store begin. */
  int start(int store) {
    return 2 * starts[store];
  }

  /**
   * Adds up the derivatives of some rows, store by store.
   *
   * @param places the rows, from {@code from} to before {@code to}
   * @param first first derivatives, those of row {@code places[i]} at i - from
   * @param second second derivatives, likewise
   */
  void fill(
      int[] places,
      int from,
      int to,
      float[] first,
      float[] second,
      boolean[] used,
      double[] into) {
    for (int s = 0; s < bins.stores(); s++) {
      if (used[s]) {
        fill(bins.store(s), places, from, to, first, second, into, start(s), bins.bins(s));
      }
    }
  }

  private static void fill(
      byte[] store,
      int[] places,
      int from,
      int to,
      float[] first,
      float[] second,
      double[] into,
      int start,
      int size) {
    java.util.Arrays.fill(into, start, start + 2 * size, 0);
    for (int i = from, k = 0; i < to; i++, k++) {
      int at = start + 2 * (store[places[i]] & 0xff);
      into[at] += first[k];
      into[at + 1] += second[k];
    }
  }

  /**
   * Subtracts the sums of one child from those of its parent, which leaves those of the other
   * child.
   */
  void subtract(double[] parent, double[] child, boolean[] used) {
    for (int s = 0; s < bins.stores(); s++) {
      if (used[s]) {
        for (int i = start(s), end = start(s + 1); i < end; i++) {
          parent[i] -= child[i];
        }
      }
    }
  }
}
