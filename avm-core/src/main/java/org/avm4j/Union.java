package org.avm4j;

/**
 * Takes what one learner has learned into another with equal options: which column and which vector
 * here corresponds to each of the other's.
 *
 * <p>In the sum form w = -(1/(λT)) Σ α Φ(c) both sums and both T add up, so w becomes the mean of
 * both, weighted by their instances, and so does the average; the other's core points fall into
 * this one's cells or open new ones; where cells merge, δ becomes the larger one. A suffix average
 * reaches back to the first instance until the stream has gone on long enough.
 *
 * <p>By the second-order step the sums A and b of both add up: for squared loss and a shared core
 * set that is to have learned both parts in one stream. Kernel values at points that one of them
 * did not have are interpolated from those it had. For other losses the parabolas of both count as
 * they were fitted, each instance by the weight it had in its own part.
 */
final class Union {
  private final AvmOptions options;
  private final AvmState mine;
  private final AvmState its;
  private final CoreSet before;
  private final int[] columns;
  private final int[] places;

  /** Gives the columns and vectors of {@code from} a place in {@code into}. */
  Union(Avm into, Avm from) {
    check(into, from);
    options = into.options();
    mine = into.state();
    its = from.state();
    columns = new int[from.columns()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = into.columnOf(its.columns.label(c));
    }
    before = mine.core().copy();
    mine.core().extend(from.dimension());
    mine.cap.beginUnion(its.cap);
    places = new int[from.size()];
    KernelRow row = new KernelRow(mine.core(), options.kernel());
    for (int j = 0; j < places.length; j++) {
      places[j] = place(j, row);
    }
  }

  private static void check(Avm into, Avm from) {
    if (into == from) {
      throw new IllegalArgumentException("a learner must be merged with another one");
    }
    AvmOptions mine = into.options().change().seed(0).build();
    if (!mine.equals(from.options().change().seed(0).build())) {
      throw new IllegalArgumentException(
          "learners to merge must have equal options: "
              + into.options()
              + " and "
              + from.options());
    }
  }

  /** Takes in coefficients, memory and counts, and lets cells merge down to the cap. */
  void apply() {
    mine.weights.merge(its.weights, this);
    mine.memory.merge(its.memory, mine.points.size(), mine.weights.t());
    mine.counts.merge(its.counts, mine.columns.classNumbers(columns));
    mine.cap.endUnion();
    mine.yMax = Math.max(mine.yMax, its.yMax);
    mine.cap.reached(its.cap.reached());
  }

  private int place(int j, KernelRow row) {
    row.measure(its.core().vector(j));
    boolean isCell = its.core().isCell(j);
    int found = isCell ? options.coverage().find(row) : Coverage.NONE;
    boolean hasWeight = !its.weights.isZero(j);
    return mine.cap.unite(found, row, its.cap, j, isCell, hasWeight);
  }

  /** The column here of each column of the other. */
  int[] columns() {
    return columns;
  }

  /** The vector here of each vector of the other, or {@link Coverage#NONE}. */
  int[] places() {
    return places;
  }

  /** How kernel values at the united vectors follow from those at the vectors that were here. */
  double[][] fromThis() {
    return Interpolation.map(before, mine.core(), options.kernel());
  }

  /** How kernel values at the united vectors follow from those at the other's vectors. */
  double[][] fromOther() {
    return Interpolation.map(its.core(), mine.core(), options.kernel());
  }
}
