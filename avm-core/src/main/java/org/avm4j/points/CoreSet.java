package org.avm4j.points;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The vectors of a model, stored feature by feature: column i holds feature i of all vectors. A
 * column is created with the first vector that is not 0 there. Values are floats, which are precise
 * enough for distances.
 */
public final class CoreSet {
  private static final float[] ABSENT = null;

  private float[][] columns = {};
  private float[] norms = {};
  private boolean[] cell = {};
  private int dimension;
  private int size;
  private int cells;
  private int[] indices = {};
  private int present;
  private int version;

  /** A set without vectors. */
  public CoreSet() {}

  /** The number of vectors. */
  public int size() {
    return size;
  }

  /** The number of vectors that are core points of cells. */
  public int cells() {
    return cells;
  }

  /** d: the number of features known so far. */
  public int dimension() {
    return dimension;
  }

  /** A number that changes whenever a vector is added, removed or moved. */
  int version() {
    return version;
  }

  /** Whether vector j is the core point of a cell. */
  public boolean isCell(int j) {
    return cell[j];
  }

  /** Makes vector j the core point of a cell. */
  public void makeCell(int j) {
    cells += cell[j] ? 0 : 1;
    cell[j] = true;
  }

  /** ‖c_j‖² for all j. */
  float[] norms() {
    return norms;
  }

  /** Feature i of all vectors; null if all are 0. */
  public float[] column(int i) {
    return i < columns.length ? columns[i] : ABSENT;
  }

  /** All columns, some of them null unless the set {@link #isFull}. */
  float[][] columns() {
    return columns;
  }

  /** The number of features that have a column. */
  int present() {
    return present;
  }

  /** The p-th feature that has a column, in ascending order. */
  int index(int p) {
    return indices[p];
  }

  /** Whether each feature below d has a column. */
  boolean isFull(int d) {
    return present >= d;
  }

  /** The set of some vectors, all of which are cells. */
  public static CoreSet of(List<Features> vectors) {
    CoreSet core = new CoreSet();
    KernelRow row = new KernelRow(new CoreSet(), Kernel.rationalQuadratic(1));
    for (Features vector : vectors) {
      row.measure(vector);
      core.add(row, true);
    }
    return core;
  }

  /** Raises the number of known features to at least d. */
  public void extend(int d) {
    dimension = Math.max(dimension, d);
  }

  /** Adds the vector of the row and returns its place. */
  public int add(KernelRow row, boolean isCell) {
    extend(row.rowDimension());
    reserve(size + 1);
    int j = size++;
    write(j, row);
    cell[j] = isCell;
    cells += isCell ? 1 : 0;
    return j;
  }

  /** Replaces vector j by the vector of the row; it stays a cell if it was one. */
  public void replace(int j, KernelRow row) {
    extend(row.rowDimension());
    clear(j);
    write(j, row);
  }

  /** Removes vector j; the last vector takes its place. */
  public void remove(int j) {
    int last = --size;
    for (int p = 0; p < present; p++) {
      float[] column = columns[indices[p]];
      column[j] = column[last];
      column[last] = 0;
    }
    norms[j] = norms[last];
    cells -= cell[j] ? 1 : 0;
    cell[j] = cell[last];
    version++;
  }

  /** Vector j as a row. */
  public Features vector(int j) {
    Features.Buffer buffer = new Features.Buffer();
    for (int p = 0; p < present; p++) {
      float value = columns[indices[p]][j];
      if (value != 0) {
        buffer.add(indices[p], value);
      }
    }
    return buffer.features();
  }

  /** A deep copy without spare capacity. */
  public CoreSet copy() {
    CoreSet copy = new CoreSet();
    copy.columns = new float[present == 0 ? 0 : indices[present - 1] + 1][];
    for (int p = 0; p < present; p++) {
      copy.columns[indices[p]] = Arrays.copyOf(columns[indices[p]], size);
    }
    copy.indices = Arrays.copyOf(indices, present);
    copy.norms = Arrays.copyOf(norms, size);
    copy.cell = Arrays.copyOf(cell, size);
    copy.dimension = dimension;
    copy.size = size;
    copy.cells = cells;
    copy.present = present;
    return copy;
  }

  /** Appends all vectors, feature by feature. */
  public void encode(Encoder out) {
    out.int32(dimension);
    out.int32(size);
    for (int j = 0; j < size; j++) {
      out.bool(cell[j]);
    }
    out.int32(present);
    for (int p = 0; p < present; p++) {
      out.int32(indices[p]);
      out.floats(columns[indices[p]], size);
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static CoreSet decode(Decoder in) throws ModelFileException {
    CoreSet core = new CoreSet();
    core.dimension = in.int32("the dimension", Features.MAX_DIMENSION);
    int size = in.int32("the number of vectors", Integer.MAX_VALUE);
    boolean[] cell = new boolean[Math.min(size, 1 << 16)];
    for (int j = 0; j < size; j++) {
      cell = j == cell.length ? Arrays.copyOf(cell, Math.min(size, 2 * j)) : cell;
      cell[j] = in.bool();
      core.cells += cell[j] ? 1 : 0;
    }
    core.cell = cell;
    core.size = size;
    core.norms = new float[size];
    core.decodeColumns(in);
    return core;
  }

  private void decodeColumns(Decoder in) throws ModelFileException {
    int count = in.int32("the number of columns", dimension);
    double[] squares = new double[size];
    for (int c = 0; c < count; c++) {
      int i = in.int32("a feature index", dimension - 1);
      Decoder.check(c == 0 || i > indices[c - 1], "feature indices must ascend", i);
      addSquares(put(i, in.floats(size, size)), squares);
    }
    for (int j = 0; j < size; j++) {
      norms[j] = (float) squares[j];
    }
  }

  private void addSquares(float[] column, double[] squares) throws ModelFileException {
    for (int j = 0; j < size; j++) {
      boolean isInRange = Math.abs(column[j]) <= KernelRow.LARGEST;
      Decoder.check(isInRange, "a feature must be within ±1e15", column[j]);
      squares[j] += (double) column[j] * column[j];
    }
  }

  private void write(int j, KernelRow row) {
    int before = present;
    for (int i = 0; i < row.count(); i++) {
      writable(row.index(i))[j] = row.value(i);
    }
    if (present > before) {
      Arrays.sort(indices, 0, present);
    }
    norms[j] = (float) row.norm();
    version++;
  }

  private void clear(int j) {
    for (int p = 0; p < present; p++) {
      columns[indices[p]][j] = 0;
    }
  }

  private float[] writable(int i) {
    float[] column = column(i);
    return column == null ? put(i, new float[norms.length]) : column;
  }

  /** Creates the column of feature i; the caller must sort the indices afterwards. */
  private float[] put(int i, float[] column) {
    if (i >= columns.length) {
      int roomy = Math.min(dimension, 2 * columns.length);
      columns = Arrays.copyOf(columns, Math.max(i + 1, roomy));
    }
    columns[i] = column;
    indices = present < indices.length ? indices : Arrays.copyOf(indices, 2 * present + 8);
    indices[present++] = i;
    return column;
  }

  private void reserve(int wanted) {
    if (wanted <= norms.length) {
      return;
    }
    int capacity = Math.max(16, wanted + wanted / 16);
    norms = Arrays.copyOf(norms, capacity);
    cell = Arrays.copyOf(cell, capacity);
    for (int p = 0; p < present; p++) {
      columns[indices[p]] = Arrays.copyOf(columns[indices[p]], capacity);
    }
  }
}
