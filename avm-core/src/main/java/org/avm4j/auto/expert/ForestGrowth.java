package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.math.SplitMix;

/**
 * Grows decision trees over the rows of a window, whose values are sorted into bins first. At each
 * node a few features are drawn at random. Of all cuts between two bins of these features, the one
 * that leaves the least variance of the labels is taken; for classes this is the least Gini
 * impurity.
 */
final class ForestGrowth {
  /**
   * The least variance that a cut must explain, for labels of deviation 1; less is rounding error.
   */
  private static final double ROUNDING = 1e-9;

  /** A cut of a node: rows whose bin of the feature is at most {@code bin} go left. */
  private record Cut(int feature, int bin, double explained) {}

  private final Task.Kind task;
  private final SplitMix random;
  private final double[] classes;
  private final int[] columns;
  private final double[] targets;
  private final float[][] edges;
  private final byte[][] bins;
  private final int[] features;
  private final double[] sums;
  private final int[] counts = new int[Constants.FOREST_BINS];
  private final int newest;
  private final List<DecisionTree> trees = new ArrayList<>();
  private int[] sample;

  ForestGrowth(RowWindow rows, Task.Kind task, SplitMix random) {
    this.task = task;
    this.random = random;
    classes = hasClasses() ? rows.distinctLabels() : new double[1];
    columns = IntStream.range(0, rows.size()).map(i -> column(rows.label(i))).toArray();
    targets = IntStream.range(0, rows.size()).mapToDouble(i -> target(rows.label(i))).toArray();
    edges = new float[rows.features()][];
    bins = new byte[rows.features()][rows.size()];
    for (int f = 0; f < edges.length; f++) {
      edges[f] = edges(Arrays.copyOf(rows.columns()[f], rows.size()));
      fillBins(rows.columns()[f], edges[f], bins[f]);
    }
    features = IntStream.range(0, edges.length).filter(f -> edges[f].length > 0).toArray();
    sums = new double[Constants.FOREST_BINS * classes.length];
    newest = rows.newest();
  }

  private boolean hasClasses() {
    return task == Task.Kind.MULTICLASS;
  }

  /**
   * The column of a label: each class has its own, in which its rows have target 1; numbers and
   * signs share one column.
   */
  private int column(double label) {
    return hasClasses() ? Arrays.binarySearch(classes, label) : 0;
  }

  private double target(double label) {
    return hasClasses() ? 1 : label;
  }

  /**
   * The lower bounds of all bins but the first. Bins hold about equal numbers of rows, and equal
   * values share a bin. A feature that has nearly always the same value has two bins, unless all
   * the given values are equal.
   */
  private static float[] edges(float[] values) {
    Arrays.sort(values);
    float[] edges = new float[Constants.FOREST_BINS - 1];
    int count = 0;
    for (int b = 1; b < Constants.FOREST_BINS; b++) {
      float edge = values[b * values.length / Constants.FOREST_BINS];
      if (edge > (count == 0 ? values[0] : edges[count - 1])) {
        edges[count++] = edge;
      }
    }
    float largest = values[values.length - 1];
    if (count == 0 && largest > values[0]) {
      edges[count++] = largest;
    }
    return Arrays.copyOf(edges, count);
  }

  private static void fillBins(float[] values, float[] edges, byte[] bins) {
    for (int i = 0; i < bins.length; i++) {
      int place = Arrays.binarySearch(edges, values[i]);
      bins[i] = (byte) (place >= 0 ? place + 1 : -place - 1);
    }
  }

  /** Grows trees until there are the given number. */
  void growTo(int count) {
    while (trees.size() < count) {
      trees.add(grow(drawn()));
    }
  }

  /** The trees so far. */
  DecisionTrees trees() {
    return new DecisionTrees(classes, List.copyOf(trees));
  }

  /**
   * Grows a tree over the rows at some places. A place may occur several times; the array is
   * reordered.
   */
  DecisionTree grow(int[] places) {
    sample = places;
    DecisionTree tree = new DecisionTree(classes.length);
    grow(tree, 0, 0, places.length);
    return tree;
  }

  /** Places of rows drawn with exponentially distributed ages, cut off at the oldest row. */
  private int[] drawn() {
    int[] places = new int[targets.length];
    for (int i = 0; i < places.length; i++) {
      double age = places.length;
      while (age >= places.length) {
        age = -Constants.FOREST_AGE * StrictMath.log(1 - random.getAsDouble());
      }
      places[i] = Math.floorMod(newest - (int) age, places.length);
    }
    return places;
  }

  /** Grows a node over a part of the sample. */
  private void grow(DecisionTree tree, int node, int from, int to) {
    double[] total = total(from, to);
    Cut cut = to - from >= 2 * Constants.FEW_ROWS ? best(from, to, total) : null;
    if (cut == null) {
      tree.setLeaf(node, means(total, to - from));
      return;
    }
    int middle = partition(from, to, cut);
    int left = tree.split(node, cut.feature, edges[cut.feature][cut.bin]);
    grow(tree, left, from, middle);
    grow(tree, left + 1, middle, to);
  }

  /** Moves the rows that go left to the front; returns the index of the first of the others. */
  private int partition(int from, int to, Cut cut) {
    byte[] of = bins[cut.feature];
    int middle = from;
    for (int i = from; i < to; i++) {
      if (of[sample[i]] <= cut.bin) {
        swap(sample, i, middle++);
      }
    }
    return middle;
  }

  private static void swap(int[] some, int i, int j) {
    int first = some[i];
    some[i] = some[j];
    some[j] = first;
  }

  private double[] total(int from, int to) {
    double[] total = new double[classes.length];
    for (int i = from; i < to; i++) {
      total[columns[sample[i]]] += targets[sample[i]];
    }
    return total;
  }

  private double[] means(double[] total, int count) {
    return Arrays.stream(total)
        .map(sum -> hasClasses() ? 2 * sum / count - 1 : sum / count)
        .toArray();
  }

  /** The best cut over randomly drawn features; null if none explains anything. */
  private Cut best(int from, int to, double[] total) {
    double least = explained(total, to - from) + ROUNDING * (to - from);
    if (squares(from, to) <= least) {
      return null;
    }
    Cut best = new Cut(-1, -1, least);
    int tries = Math.min(features.length, 1 + (int) Math.ceil(Math.sqrt(features.length)));
    for (int i = 0; i < tries; i++) {
      swap(features, i, i + random.nextInt(features.length - i));
      fillSums(features[i], from, to);
      best = better(best, features[i], to - from, total);
    }
    return best.feature < 0 ? null : best;
  }

  private double squares(int from, int to) {
    double squares = 0;
    for (int i = from; i < to; i++) {
      squares += targets[sample[i]] * targets[sample[i]];
    }
    return squares;
  }

  private void fillSums(int feature, int from, int to) {
    int used = edges[feature].length + 1;
    Arrays.fill(sums, 0, used * classes.length, 0);
    Arrays.fill(counts, 0, used, 0);
    byte[] of = bins[feature];
    for (int i = from; i < to; i++) {
      int place = sample[i];
      counts[of[place]]++;
      sums[of[place] * classes.length + columns[place]] += targets[place];
    }
  }

  /**
   * The best cut of a feature, by the sums of its bins, if it explains more than {@code than}; else
   * {@code than}.
   */
  private Cut better(Cut than, int feature, int rows, double[] total) {
    double[] left = new double[classes.length];
    double[] right = total.clone();
    int count = 0;
    int bin = -1;
    double most = than.explained;
    for (int b = 0; b < edges[feature].length && rows - count >= Constants.FEW_ROWS; b++) {
      if (counts[b] == 0) {
        continue;
      }
      count += counts[b];
      for (int c = 0; c < left.length; c++) {
        left[c] += sums[b * left.length + c];
        right[c] = total[c] - left[c];
      }
      if (count >= Constants.FEW_ROWS && rows - count >= Constants.FEW_ROWS) {
        double explained = explained(left, count) + explained(right, rows - count);
        bin = explained > most ? b : bin;
        most = Math.max(most, explained);
      }
    }
    return bin < 0 ? than : new Cut(feature, bin, most);
  }

  /** The sum of squares that the means of some rows explain. */
  private static double explained(double[] sums, int count) {
    double squares = 0;
    for (double sum : sums) {
      squares += sum * sum;
    }
    return squares / count;
  }
}
