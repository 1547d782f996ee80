package org.avm4j.boost;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;

/**
 * Chooses columns where there are more than trees can use: those that alone tell most of the label.
 * A column is as good as its best cut into two leaves, by the squared error of their means; for
 * classes the means are those of an indicator for each class.
 */
final class ColumnChoice {
  /** Maximum number of entries that are looked at; of more, every second, third, … row counts. */
  private static final int MOST_ENTRIES = 1 << 22;

  private final double[] targets;
  private final int classes;

  /**
   * A choice by these targets.
   *
   * @param targets the number or the index of the class of each row
   * @param classes the number of classes; 0 if targets are numbers
   */
  ColumnChoice(double[] targets, int classes) {
    this.targets = targets;
    this.classes = classes;
  }

  /** The best of some features in ascending order, at most {@code most} of them. */
  int[] best(List<Features> rows, int[] features, int most) {
    if (features.length <= most) {
      return features;
    }
    long entries = rows.stream().mapToLong(Features::count).sum();
    int step = (int) ((entries + MOST_ENTRIES - 1) / MOST_ENTRIES);
    int[] places = IntStream.range(0, rows.size()).filter(r -> r % step == 0).toArray();
    double[] some = Arrays.stream(places).mapToDouble(r -> targets[r]).toArray();
    List<Features> sample = Arrays.stream(places).mapToObj(rows::get).toList();
    double[] gains = new ColumnChoice(some, classes).gains(sample, features);
    return IntStream.range(0, features.length)
        .boxed()
        .sorted(Comparator.comparingDouble(f -> -gains[f]))
        .limit(most)
        .mapToInt(f -> features[f])
        .sorted()
        .toArray();
  }

  /** The gain of the best cut of each feature. */
  private double[] gains(List<Features> rows, int[] features) {
    long[][] columns = columns(rows, features);
    Leaves leaves = new Leaves(rows.size());
    double[] gains = new double[features.length];
    for (int f = 0; f < features.length; f++) {
      Arrays.sort(columns[f]);
      gains[f] = leaves.best(columns[f]);
    }
    return gains;
  }

  /** The entries of each feature: a value, in the order of its bits, and the row. */
  private static long[][] columns(List<Features> rows, int[] features) {
    int[] counts = new int[features.length];
    rows.forEach(row -> eachEntry(row, features, (place, value) -> counts[place]++));
    long[][] columns = new long[features.length][];
    Arrays.setAll(columns, place -> new long[counts[place]]);
    Arrays.fill(counts, 0);
    for (int r = 0; r < rows.size(); r++) {
      long row = r;
      eachEntry(
          rows.get(r),
          features,
          (place, value) -> columns[place][counts[place]++] = (long) key(value) << 32 | row);
    }
    return columns;
  }

  private interface Entry {
    void at(int place, double value);
  }

  private static void eachEntry(Features row, int[] features, Entry entry) {
    for (int e = 0; e < row.count(); e++) {
      int place = Arrays.binarySearch(features, row.index(e));
      if (place >= 0 && row.value(e) != 0) {
        entry.at(place, row.value(e));
      }
    }
  }

  /** A number in the order of floats. */
  private static int key(double value) {
    int bits = Float.floatToIntBits((float) value);
    return bits ^ bits >> 31 & Integer.MAX_VALUE;
  }

  /** The targets of the rows in two leaves, as sums for each class, or one sum of numbers. */
  private final class Leaves {
    private final int rows;
    private final double mean;
    private final double[] all;
    private final double[] left;
    private double leftSquares;
    private double rightSquares;
    private int count;
    private double best;

    Leaves(int rows) {
      this.rows = rows;
      mean = classes > 0 ? 0 : Arrays.stream(targets, 0, rows).average().orElse(0);
      all = new double[Math.max(1, classes)];
      left = new double[all.length];
      for (int r = 0; r < rows; r++) {
        all[place(r)] += amount(r);
      }
    }

    private int place(int row) {
      return classes > 0 ? (int) targets[row] : 0;
    }

    private double amount(int row) {
      return classes > 0 ? 1 : targets[row] - mean;
    }

    /** The best gain of a cut of a column, of which these are the sorted entries. */
    double best(long[] entries) {
      Arrays.fill(left, 0);
      leftSquares = 0;
      rightSquares = Arrays.stream(all).map(sum -> sum * sum).sum();
      count = 0;
      best = 0;
      double[] zeros = all.clone();
      for (long entry : entries) {
        zeros[place((int) entry)] -= amount((int) entry);
      }
      boolean areZerosMoved = entries.length == rows;
      for (int e = 0; e < entries.length; e++) {
        if (!areZerosMoved && entries[e] >= 0) {
          cut();
          moveAll(zeros, rows - entries.length);
          areZerosMoved = true;
        }
        if (e == 0 || entries[e] >> 32 != entries[e - 1] >> 32) {
          cut();
        }
        move(place((int) entries[e]), amount((int) entries[e]));
        count++;
      }
      cut();
      return best;
    }

    private void moveAll(double[] amounts, int rowsMoved) {
      for (int c = 0; c < amounts.length; c++) {
        move(c, amounts[c]);
      }
      count += rowsMoved;
    }

    private void move(int place, double amount) {
      double right = all[place] - left[place];
      leftSquares += (2 * left[place] + amount) * amount;
      rightSquares += (amount - 2 * right) * amount;
      left[place] += amount;
    }

    private void cut() {
      if (count > 0 && count < rows) {
        best = Math.max(best, leftSquares / count + rightSquares / (rows - count));
      }
    }
  }
}
