package org.avm4j.auto.expert;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Distances;

/**
 * Nearest neighbours among the latest rows: their labels, weighted by how near they are. It can
 * follow decision boundaries of any shape as soon as it has seen a few rows.
 */
public final class Neighbours extends InputExpert {
  /** Added to a distance, so that the weight of an identical row is finite. */
  private static final double LEAST = 1e-6;

  private final RowWindow rows;

  /** An expert that remembers no row; if there are no features, it never does. */
  public Neighbours(Task.Kind task, Inputs inputs, int features) {
    this(task, inputs, new RowWindow(features, Constants.RECENT_ROWS));
  }

  private Neighbours(Task.Kind task, Inputs inputs, RowWindow rows) {
    super("neighbours", task, inputs, true);
    this.rows = rows;
  }

  /** The number of remembered rows. */
  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public double memory(long instances) {
    return rows.size();
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    rows.add(now.through(inputs), y);
  }

  /**
   * Writes the weighted mean of numbers, or the share of each class in the weight mapped to [-1,
   * 1].
   */
  @Override
  public void score(Moment now, double[] classes, double[] into) {
    Arrays.fill(into, 0);
    if (rows.size() == 0) {
      return;
    }
    float[] distances = distances(now.through(inputs));
    double total = 0;
    for (int j : nearest(distances, Constants.FEW_ROWS, j -> true)) {
      double weight = 1 / (Math.sqrt(distances[j]) + LEAST);
      total += weight;
      add(weight, rows.label(j), classes, into);
    }
    boolean hasClasses = task == Task.Kind.MULTICLASS;
    for (int c = 0; c < into.length; c++) {
      into[c] = hasClasses ? 2 * into[c] / total - 1 : into[c] / total;
    }
  }

  private void add(double weight, double label, double[] classes, double[] into) {
    if (task != Task.Kind.MULTICLASS) {
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

  /**
   * The indices of the smallest distances among those that {@code counts} accepts, the smallest
   * first.
   */
  static int[] nearest(float[] distances, int most, IntPredicate counts) {
    int[] near = new int[Math.min(most, distances.length)];
    int found = 0;
    for (int j = 0; j < distances.length; j++) {
      boolean isNear = found < near.length || distances[j] < distances[near[found - 1]];
      if (isNear && counts.test(j)) {
        int at = found < near.length ? found++ : found - 1;
        for (; at > 0 && distances[j] < distances[near[at - 1]]; at--) {
          near[at] = near[at - 1];
        }
        near[at] = j;
      }
    }
    return Arrays.copyOf(near, found);
  }

  @Override
  public Neighbours freeze() {
    return new Neighbours(task, inputs, rows.snapshot());
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    out.section("rows", rows::encode);
  }

  static Neighbours decode(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Inputs inputs = shared.read(in);
    return in.section("rows", section -> decode(section, inputs, task));
  }

  /** Reads rows that were written without their inputs. */
  public static Neighbours decode(Decoder in, Inputs inputs, Task.Kind task)
      throws ModelFileException {
    return new Neighbours(task, inputs, RowWindow.decode(in, Constants.RECENT_ROWS));
  }

  /** Appends the rows alone. */
  public void encodeRows(Encoder out) {
    rows.encode(out);
  }
}
