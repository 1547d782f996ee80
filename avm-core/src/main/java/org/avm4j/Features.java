package org.avm4j;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * An instance x, dense or sparse.
 *
 * <p>Only the non-zero entries are kept, in ascending order of their 0-based index, so dense and
 * sparse rows with the same entries and dimension are the same value and give the same digits. The
 * dimension is one more than the largest index that the row was given, zero entries included.
 *
 * <p>Rows made by {@link #dense} and {@link #sparse} are immutable. A {@link Buffer} reuses one row
 * to avoid garbage; a caller that keeps such a row must {@link #copy} it.
 */
public final class Features {
  /** Upper bound of the dimension, because a core set has a column for each feature. */
  public static final int MAX_DIMENSION = 1 << 24;

  /** The largest absolute value that learners accept, so that squared distances stay finite. */
  public static final double LARGEST = 1e15;

  private static final int[] NO_INDEX = {};
  private static final double[] NO_VALUE = {};

  private int[] index;
  private double[] value;
  private int count;
  private int dimension;

  private Features(int[] index, double[] value) {
    this.index = index;
    this.value = value;
  }

  /** The row with the given entries. */
  public static Features dense(double... row) {
    Buffer buffer = new Buffer(row.length);
    for (int i = 0; i < row.length; i++) {
      buffer.add(i, row[i]);
    }
    return buffer.features();
  }

  /** The row whose entry {@code index[i]}, counted from 0 and ascending, is {@code value[i]}. */
  public static Features sparse(int[] index, double[] value) {
    if (index.length != value.length) {
      String both = index.length + " and " + value.length;
      throw new IllegalArgumentException(
          "the numbers of indices and values must be equal: " + both);
    }
    Buffer buffer = new Buffer(index.length);
    for (int i = 0; i < index.length; i++) {
      buffer.add(index[i], value[i]);
    }
    return buffer.features();
  }

  /** The number of non-zero entries. */
  public int count() {
    return count;
  }

  /** One more than the largest index that the row was given. */
  public int dimension() {
    return dimension;
  }

  /** The index of the i-th non-zero entry. */
  public int index(int i) {
    return index[i];
  }

  /** The value of the i-th non-zero entry. */
  public double value(int i) {
    return value[i];
  }

  /** The value of a feature; 0 if the row has no entry for it. */
  public double get(int feature) {
    int at = Arrays.binarySearch(index, 0, count, feature);
    return at < 0 ? 0 : value[at];
  }

  /** An immutable row with the same entries. */
  public Features copy() {
    Features copy = new Features(Arrays.copyOf(index, count), Arrays.copyOf(value, count));
    copy.count = count;
    copy.dimension = dimension;
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Features that
        && dimension == that.dimension
        && Arrays.equals(index, 0, count, that.index, 0, that.count)
        && Arrays.equals(value, 0, count, that.value, 0, that.count);
  }

  @Override
  public int hashCode() {
    int hash = dimension;
    for (int i = 0; i < count; i++) {
      hash = 31 * (31 * hash + index[i]) + Double.hashCode(value[i]);
    }
    return hash;
  }

  /** The entries as {@code index:value}, with 1-based indices as LIBSVM writes them. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : " ").append(index[i] + 1).append(':').append(value[i]);
    }
    return text.toString();
  }

  /**
   * Appends the dimension (4), the number of entries (4), and the index (4) and value (8) of each.
   */
  public void encode(Encoder out) {
    out.int32(dimension);
    out.int32(count);
    for (int e = 0; e < count; e++) {
      out.int32(index(e));
      out.float64(value(e));
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static Features decode(Decoder in) throws ModelFileException {
    int dimension = in.int32("the dimension", MAX_DIMENSION);
    int entries = in.int32("the entries", dimension);
    Buffer buffer = in.valid(from -> decodeEntries(from, entries));
    if (buffer.features().dimension() < dimension) {
      buffer.add(dimension - 1, 0);
    }
    return buffer.features();
  }

  private static Buffer decodeEntries(Decoder in, int count) throws ModelFileException {
    Buffer buffer = new Buffer();
    for (int e = 0; e < count; e++) {
      buffer.add(in.int32(), in.float64());
    }
    return buffer;
  }

  /** A reusable row, to stream instances without garbage. */
  public static final class Buffer {
    private final Features row;

    /** An empty row. */
    public Buffer() {
      this(0);
    }

    private Buffer(int capacity) {
      row =
          capacity == 0
              ? new Features(NO_INDEX, NO_VALUE)
              : new Features(new int[capacity], new double[capacity]);
    }

    /** Forgets all entries. */
    public Buffer clear() {
      row.count = 0;
      row.dimension = 0;
      return this;
    }

    /** Appends an entry; indices must ascend and values must be finite. */
    public Buffer add(int index, double value) {
      if (index < row.dimension) {
        throw new IllegalArgumentException(outOfOrder(index));
      }
      if (index >= MAX_DIMENSION) {
        throw new IllegalArgumentException(
            "a feature index must be below " + MAX_DIMENSION + ": " + index);
      }
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(
            "a feature must be a finite number: " + value + " at index " + index);
      }
      row.dimension = index + 1;
      if (value != 0) {
        append(index, value);
      }
      return this;
    }

    /** The row itself, not a copy: the next {@link #clear} or {@link #add} changes it. */
    public Features features() {
      return row;
    }

    private String outOfOrder(int index) {
      return index < 0
          ? "a feature index must not be negative: " + index
          : "feature indices must ascend: " + index + " after " + (row.dimension - 1);
    }

    private void append(int index, double value) {
      int at = row.count;
      if (at == row.index.length) {
        int capacity = Math.max(8, 2 * at);
        row.index = Arrays.copyOf(row.index, capacity);
        row.value = Arrays.copyOf(row.value, capacity);
      }
      row.index[at] = index;
      row.value[at] = value;
      row.count++;
    }
  }
}
