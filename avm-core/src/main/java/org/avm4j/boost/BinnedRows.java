package org.avm4j.boost;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.avm4j.Features;

/**
 * Rows as columns of bins, one byte for each row. Sparse columns that never have entries in the
 * same row share their bytes, for instance the one-hot columns of a category.
 */
final class BinnedRows {
  /**
   * The most columns; of more, those that alone tell most of the label are used. This bounds memory
   * and time.
   */
  static final int MOST_COLUMNS = 4096;

  /** A column with an entry in fewer than one of this number of rows may share its bytes. */
  private static final int SPARSE = 4;

  /** The most stores that are tried for a column before it gets one of its own. */
  private static final int MOST_TRIED = 64;

  /** The most values held at once while columns are built, but at least those of one column. */
  private static final int MOST_VALUES = 1 << 22;

  /**
   * A column that trees may use.
   *
   * @param feature its number in the rows
   * @param bins the bounds of its bins
   * @param store which bytes hold its bins
   * @param offset what is added to bins above 0 there; all bytes outside of its range are bin 0
   * @param hasZeros whether any learned row has no entry
   */
  record Column(int feature, Quantiles bins, int store, int offset, boolean hasZeros) {}

  /** Bytes of one or several columns, and which rows have an entry. */
  private static final class Store {
    private final byte[] bytes;
    private final BitSet taken = new BitSet();
    private int used;

    Store(int rows) {
      bytes = new byte[rows];
    }
  }

  private final int rows;
  private final List<Store> stores = new ArrayList<>();
  private final List<Column> columns = new ArrayList<>();

  /**
   * Sorts values into bins.
   *
   * @param all the rows
   * @param learned the number of rows, from the first on, that the bounds of bins follow from
   * @param choice chooses columns if there are too many
   */
  BinnedRows(List<Features> all, int learned, ColumnChoice choice) {
    rows = all.size();
    int[] chosen = choice.best(all.subList(0, learned), present(all, learned), MOST_COLUMNS);
    int step = Math.max(1, MOST_VALUES / Math.max(1, rows));
    for (int from = 0; from < chosen.length; from += step) {
      int[] some = Arrays.copyOfRange(chosen, from, Math.min(chosen.length, from + step));
      double[][] values = values(all, some);
      for (int i = 0; i < some.length; i++) {
        add(some[i], values[i], learned);
      }
    }
  }

  /** The features with an entry in a row that is learned, in ascending order. */
  private static int[] present(List<Features> all, int learned) {
    int dimension = all.stream().mapToInt(Features::dimension).max().orElse(0);
    BitSet present = new BitSet(dimension);
    for (Features row : all.subList(0, learned)) {
      for (int e = 0; e < row.count(); e++) {
        present.set(row.index(e));
      }
    }
    return present.stream().toArray();
  }

  private static double[][] values(List<Features> all, int[] features) {
    double[][] values = new double[features.length][all.size()];
    for (int r = 0; r < all.size(); r++) {
      Features row = all.get(r);
      for (int e = 0, i = 0; e < row.count() && i < features.length; ) {
        if (row.index(e) == features[i]) {
          values[i++][r] = row.value(e++);
        } else if (row.index(e) < features[i]) {
          e++;
        } else {
          i++;
        }
      }
    }
    return values;
  }

  private void add(int feature, double[] values, int learned) {
    double[] entries = Arrays.stream(values, 0, learned).filter(value -> value != 0).toArray();
    Quantiles bins = Quantiles.of(entries, entries.length);
    BitSet taken = new BitSet(values.length);
    for (int r = 0; r < values.length; r++) {
      taken.set(r, values[r] != 0);
    }
    boolean isSparse = taken.cardinality() * (long) SPARSE < values.length;
    int place = isSparse ? shared(taken, bins.size()) : -1;
    if (place < 0) {
      place = stores.size();
      stores.add(new Store(rows));
    }
    Store store = stores.get(place);
    columns.add(new Column(feature, bins, place, store.used, entries.length < learned));
    for (int r = taken.nextSetBit(0); r >= 0; r = taken.nextSetBit(r + 1)) {
      store.bytes[r] = (byte) (store.used + bins.bin(values[r]));
    }
    store.used += bins.size();
    store.taken.or(taken);
  }

  /** A store with room for a column, or -1. */
  private int shared(BitSet taken, int bins) {
    for (int s = stores.size() - 1; s >= Math.max(0, stores.size() - MOST_TRIED); s--) {
      Store store = stores.get(s);
      if (store.used + bins <= Quantiles.MOST_BINS && !store.taken.intersects(taken)) {
        return s;
      }
    }
    return -1;
  }

  int rows() {
    return rows;
  }

  /** The columns that trees may use, in ascending order of feature. */
  List<Column> columns() {
    return columns;
  }

  int stores() {
    return stores.size();
  }

  /** The bytes of a store, one for each row. */
  byte[] store(int s) {
    return stores.get(s).bytes;
  }

  /** One more than the largest byte of a store. */
  int bins(int s) {
    return stores.get(s).used + 1;
  }
}
