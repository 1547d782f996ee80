package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A sliding window of the latest rows and their labels, stored by feature. */
public final class RowWindow {
  private final float[][] columns;
  private final double[] labels;
  private int count;
  private int next;

  /** An empty window for up to {@code most} rows; if there are no features, it stays empty. */
  RowWindow(int features, int most) {
    columns = new float[features][most];
    labels = new double[most];
  }

  /** The number of remembered features. */
  int features() {
    return columns.length;
  }

  /** The number of remembered rows. */
  int size() {
    return count;
  }

  void add(Features x, double y) {
    for (float[] column : columns) {
      column[next] = 0;
    }
    for (int i = 0; i < x.count() && x.index(i) < columns.length; i++) {
      columns[x.index(i)][next] = (float) x.value(i);
    }
    if (columns.length == 0) {
      return;
    }
    labels[next] = y + 0.0;
    next = (next + 1) % labels.length;
    count = Math.min(count + 1, labels.length);
  }

  /**
   * The values of each feature, of which the first {@link #size} are in use; the caller must not
   * change them.
   */
  float[][] columns() {
    return columns;
  }

  /** The label of a row by its place in the columns. */
  double label(int place) {
    return labels[place];
  }

  /** The labels that occur, in ascending order. */
  double[] distinctLabels() {
    return Arrays.stream(labels, 0, count).distinct().sorted().toArray();
  }

  /** The place of the latest row; those before it have the places before, round the end. */
  int newest() {
    return Math.floorMod(next - 1, labels.length);
  }

  /** The remembered features of a row as a dense array. */
  float[] dense(Features x) {
    float[] row = new float[columns.length];
    for (int i = 0; i < x.count() && x.index(i) < row.length; i++) {
      row[x.index(i)] = (float) x.value(i);
    }
    return row;
  }

  /** An independent copy. */
  RowWindow snapshot() {
    RowWindow same = new RowWindow(columns.length, labels.length);
    for (int i = 0; i < columns.length; i++) {
      System.arraycopy(columns[i], 0, same.columns[i], 0, count);
    }
    System.arraycopy(labels, 0, same.labels, 0, count);
    same.count = count;
    same.next = next;
    return same;
  }

  void encode(Encoder out) {
    out.int32(columns.length);
    out.int32(count);
    out.int32(next);
    for (float[] column : columns) {
      out.floats(column, count);
    }
    out.doubles(labels, count);
  }

  /**
   * Reads what {@link #encode} wrote, with room for up to {@code most} rows; a full window keeps
   * its size.
   */
  static RowWindow decode(Decoder in, int most) throws ModelFileException {
    int features = in.int32("the features", Constants.FEW_INPUTS);
    int n = in.int32("the rows", most);
    Decoder.check(n == 0 || features > 0, "rows must have features", n);
    int next = in.int32("the next row", most);
    Decoder.check(next <= n || features == 0, "the next row must follow the last", next);
    RowWindow window = new RowWindow(features, next < n ? n : most);
    window.count = n;
    window.next = features == 0 ? 0 : next % window.labels.length;
    for (float[] column : window.columns) {
      System.arraycopy(in.floats(n, n), 0, column, 0, n);
    }
    System.arraycopy(in.doubles(n, n), 0, window.labels, 0, n);
    return window;
  }
}
