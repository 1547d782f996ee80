package org.avm4j.boost;

/** Rows in the order of the nodes that they belong to: those of a node are next to each other. */
final class NodeRows {
  private final int[] places;
  private final int[] spare;
  private final int size;

  /** All of some rows in one node. */
  NodeRows(int[] places, int size) {
    this.places = places;
    this.size = size;
    spare = new int[size];
  }

  int size() {
    return size;
  }

  /** The rows, node by node; the caller must not change them. */
  int[] places() {
    return places;
  }

  /**
   * Moves the rows of a node that go left to the front; returns the index of the first of the
   * others.
   */
  int split(int from, int to, byte[] store, BinnedRows.Column column, Cut cut) {
    int offset = column.offset();
    int bins = column.bins().size();
    int middle = from;
    int right = 0;
    for (int i = from; i < to; i++) {
      int place = places[i];
      int bin = (store[place] & 0xff) - offset;
      boolean hasEntry = bin > 0 && bin <= bins;
      boolean goesLeft = hasEntry ? bin < cut.bin() : cut.zeroGoesLeft();
      if (goesLeft) {
        places[middle++] = place;
      } else {
        spare[right++] = place;
      }
    }
    System.arraycopy(spare, 0, places, middle, right);
    return middle;
  }
}
