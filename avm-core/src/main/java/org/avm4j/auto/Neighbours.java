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
  /** The number of rows that are remembered. */
  static final int ROWS = 2000;

  private static final int NEAREST = 5;

  /** Added to a distance, so that a row that is there already does not count without end. */
  private static final double LEAST = 1e-6;

  private final Window rows;

  /** Nothing is remembered yet; without features nothing ever is. */
  Neighbours(int features) {
    this(new Window(features, ROWS));
  }

  private Neighbours(Window rows) {
    this.rows = rows;
  }

  /** The number of rows that are remembered. */
  int size() {
    return rows.size();
  }

  void learn(Features x, double y) {
    rows.add(x, y);
  }

  /** Writes the mean of numbers; of each class its part of the weight, from -1 to 1. */
  void score(Features x, Task task, double[] classes, double[] into) {
    Arrays.fill(into, 0);
    if (rows.size() == 0) {
      return;
    }
    float[] distances = distances(x);
    double total = 0;
    for (int j : nearest(distances)) {
      double weight = 1 / (Math.sqrt(distances[j]) + LEAST);
      total += weight;
      add(weight, rows.label(j), task, classes, into);
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
    float[] distances = new float[rows.size()];
    float[] row = rows.dense(x);
    Distances.dense(row, rows.columns(), row.length, distances.length, 0, distances);
    return distances;
  }

  private static int[] nearest(float[] distances) {
    int[] near = new int[Math.min(NEAREST, distances.length)];
    int found = 0;
    for (int j = 0; j < distances.length; j++) {
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
    return new Neighbours(rows.snapshot());
  }

  void encode(Encoder out) {
    rows.encode(out);
  }

  static Neighbours decode(Decoder in) throws ModelFileException {
    return new Neighbours(Window.decode(in, ROWS));
  }
}
