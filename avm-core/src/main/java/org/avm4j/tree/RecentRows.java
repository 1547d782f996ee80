package org.avm4j.tree;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.points.KernelRow;

/**
 * The latest instances, up to a limit, the oldest first. Values are stored as floats, the precision
 * that machines use.
 */
final class RecentRows {
  record Row(Features x, double y, double weight) {}

  private final int most;
  private float[][] values = {};
  private int[][] indices = {};
  private int[] dimensions = {};
  private double[] labels = {};
  private double[] weights = {};
  private long seen;

  RecentRows(int most) {
    this.most = most;
  }

  void add(Features x, double y, double weight) {
    int at = (int) (seen++ % most);
    reserve(at + 1);
    values[at] = fitting(values[at], x.count());
    indices[at] = isDense(x) ? null : fitting(indices[at], x.count());
    for (int e = 0; e < x.count(); e++) {
      values[at][e] = (float) x.value(e);
      if (indices[at] != null) {
        indices[at][e] = x.index(e);
      }
    }
    dimensions[at] = x.dimension();
    labels[at] = y;
    weights[at] = weight;
  }

  /** Adds all instances of another buffer. */
  void addAll(RecentRows other) {
    for (int i = 0; i < other.size(); i++) {
      Row row = other.get(i);
      add(row.x, row.y, row.weight);
    }
  }

  private void reserve(int n) {
    if (n > values.length) {
      int capacity = Math.min(most, Math.max(16, 2 * n));
      values = Arrays.copyOf(values, capacity);
      indices = Arrays.copyOf(indices, capacity);
      dimensions = Arrays.copyOf(dimensions, capacity);
      labels = Arrays.copyOf(labels, capacity);
      weights = Arrays.copyOf(weights, capacity);
    }
  }

  private static float[] fitting(float[] array, int count) {
    return array != null && array.length == count ? array : new float[count];
  }

  private static int[] fitting(int[] array, int count) {
    return array != null && array.length == count ? array : new int[count];
  }

  /** Whether no entry is 0, so that no indices need to be stored. */
  private static boolean isDense(Features x) {
    return x.count() == x.dimension();
  }

  int size() {
    return (int) Math.min(seen, most);
  }

  /** The i-th instance, 0 for the oldest. */
  Row get(int i) {
    int at = (int) ((Math.max(0, seen - most) + i) % most);
    return new Row(features(at), labels[at], weights[at]);
  }

  private Features features(int at) {
    Features.Buffer buffer = new Features.Buffer();
    for (int e = 0; e < values[at].length; e++) {
      buffer.add(indices[at] == null ? e : indices[at][e], values[at][e]);
    }
    return withDimension(buffer, dimensions[at]);
  }

  private static Features withDimension(Features.Buffer buffer, int dimension) {
    if (buffer.features().dimension() < dimension) {
      buffer.add(dimension - 1, 0);
    }
    return buffer.features();
  }

  /** The mean squared distance of two instances, computed from their variance. */
  double meanSquare() {
    int d = 0;
    for (int i = 0; i < size(); i++) {
      d = Math.max(d, dimensions[i]);
    }
    double[] sums = new double[d];
    double squares = 0;
    for (int i = 0; i < size(); i++) {
      Features x = get(i).x;
      for (int e = 0; e < x.count(); e++) {
        sums[x.index(e)] += x.value(e);
        squares += x.value(e) * x.value(e);
      }
    }
    double ofMean = 0;
    for (double sum : sums) {
      ofMean += sum * sum / size();
    }
    return size() < 2 ? 0 : 2 * Math.max(0, squares - ofMean) / (size() - 1);
  }

  void encode(Encoder out) {
    out.int32(most);
    out.int32(size());
    for (int i = 0; i < size(); i++) {
      Row row = get(i);
      row.x.encode(out);
      out.float64(row.y);
      out.float64(row.weight);
    }
  }

  /** Reads a limited number of instances of a task whose classes are known. */
  static RecentRows decode(Decoder in, int most, Task task, Columns columns)
      throws ModelFileException {
    int room = in.int32();
    Decoder.check(room == most, most + " rows must be kept", room);
    RecentRows rows = new RecentRows(most);
    int count = in.int32("the rows kept", most);
    for (int i = 0; i < count; i++) {
      Row row = in.valid(from -> decodeRow(from, task));
      boolean isKnown = columns.find(row.y) != Columns.NONE;
      Decoder.check(isKnown, "the class of a row must be known", row.y);
      rows.add(row.x, row.y, row.weight);
    }
    return rows;
  }

  private static Row decodeRow(Decoder in, Task task) throws ModelFileException {
    Row row = new Row(Features.decode(in), in.finite("a label"), in.float64());
    KernelRow.check(row.x);
    task.check(row.y);
    OnlineLearner.checkWeight(row.weight);
    return row;
  }
}
