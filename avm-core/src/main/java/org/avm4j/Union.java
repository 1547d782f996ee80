package org.avm4j;

/**
 * Takes what one learner has learned into another with equal options: which column and which vector
 * here corresponds to each of the other's.
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

  /** The class number here of each class number of the other. */
  int[] classNumbers() {
    return mine.columns.classNumbers(columns);
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
