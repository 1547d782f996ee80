package org.avm4j.auto;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Distances;

/**
 * The labels of the nearest among the latest rows, weighted by how near they are: a member that
 * does nothing but remember. It follows rules of any shape as soon as it has seen them.
 */
final class Neighbours {
  /** So many rows are remembered. */
  static final int WINDOW = 1000;

  private static final int NEAREST = 5;

  /** Added to a distance, so that a row that is there already does not count without end. */
  private static final double LEAST = 1e-6;

  private final float[][] columns;
  private final double[] labels = new double[WINDOW];
  private int count;
  private int next;

  /** Nothing is remembered yet; without features nothing ever is. */
  Neighbours(int features) {
    columns = new float[features][WINDOW];
  }

  /** The number of rows that are remembered. */
  int size() {
    return count;
  }

  void learn(Features x, double y) {
    for (float[] column : columns) {
      column[next] = 0;
    }
    for (int i = 0; i < x.count() && x.index(i) < columns.length; i++) {
      columns[x.index(i)][next] = (float) x.value(i);
    }
    labels[next] = y;
    next = (next + 1) % WINDOW;
    count = columns.length == 0 ? 0 : Math.min(count + 1, WINDOW);
  }

  /** Writes the mean of numbers; of each class its part of the weight, from -1 to 1. */
  void score(Features x, Task task, double[] classes, double[] into) {
    Arrays.fill(into, 0);
    if (count == 0) {
      return;
    }
    float[] distances = distances(x);
    double total = 0;
    for (int j : nearest(distances)) {
      double weight = 1 / (Math.sqrt(distances[j]) + LEAST);
      total += weight;
      add(weight, labels[j], task, classes, into);
    }
    boolean hasClasses = task.kind() == Task.Kind.MULTICLASS;
    for (int c = 0; c < into.length; c++) {
      into[c] = hasClasses ? 2 * into[c] / total - 1 : into[c] / total;
    }
  }

  private static void add(double weight, double label, Task task, double[] classes, double[] into) {
    if (task.kind() != Task.Kind.MULTICLASS) {
      into[0] += weight * label;
      return;
    }
    int own = Arrays.binarySearch(classes, label);
    if (own >= 0) {
      into[own] += weight;
    }
  }

  private float[] distances(Features x) {
    float[] row = new float[columns.length];
    for (int i = 0; i < x.count() && x.index(i) < row.length; i++) {
      row[x.index(i)] = (float) x.value(i);
    }
    float[] distances = new float[count];
    Distances.dense(row, columns, row.length, count, 0, distances);
    return distances;
  }

  private int[] nearest(float[] distances) {
    int[] near = new int[Math.min(NEAREST, count)];
    int found = 0;
    for (int j = 0; j < count; j++) {
      if (found < near.length || distances[j] < distances[near[found - 1]]) {
        int at = found < near.length ? found++ : found - 1;
        for (; at > 0 && distances[j] < distances[near[at - 1]]; at--) {
          near[at] = near[at - 1];
        }
        near[at] = j;
      }
    }
    return near;
  }

  /** The same rows, whatever is learned later. */
  Neighbours snapshot() {
    Neighbours same = new Neighbours(columns.length);
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

  static Neighbours decode(Decoder in) throws ModelFileException {
    Neighbours neighbours = new Neighbours(in.int32("the features", Committee.MOST_LINEAR));
    neighbours.count = in.int32("the rows", WINDOW);
    neighbours.next = in.int32("the next row", WINDOW - 1);
    int n = neighbours.count;
    for (int i = 0; i < neighbours.columns.length; i++) {
      System.arraycopy(in.floats(n, n), 0, neighbours.columns[i], 0, n);
    }
    System.arraycopy(in.doubles(n, n), 0, neighbours.labels, 0, n);
    boolean isNext = n == WINDOW || n == 0 || neighbours.next == n;
    Decoder.check(isNext, "the next row must follow the last", neighbours.next);
    return neighbours;
  }
}
