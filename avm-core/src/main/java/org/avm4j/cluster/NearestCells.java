package org.avm4j.cluster;

import java.util.Arrays;

/**
 * The nearest points of each of n points, in ascending order of distance; the first is the point
 * itself, or one at the same place.
 *
 * <p>Points are sorted by the feature with the largest variance. Those that differ by more in this
 * feature than the farthest of the nearest points so far need not be measured.
 */
final class NearestCells {
  private final int near;
  private final int[] points;
  private final double[] squares;
  private final int[] order;
  private final double[][] sorted;
  private final double[] along;
  private final double[] measured;
  private int found;

  /** Finds the {@code near} nearest of the first n points, which are stored by feature. */
  NearestCells(double[][] columns, int n, int near) {
    this.near = near;
    points = new int[n * near];
    squares = new double[n * near];
    measured = new double[n];
    double[] widest = columns.length == 0 ? new double[n] : widest(columns, n);
    order = Order.ascending(widest, n);
    along = sort(widest);
    sorted = new double[columns.length][];
    for (int i = 0; i < columns.length; i++) {
      sorted[i] = columns[i] == widest ? along : sort(columns[i]);
    }
    for (int at = 0; at < n; at++) {
      find(at);
    }
  }

  private double[] sort(double[] column) {
    double[] values = new double[order.length];
    for (int at = 0; at < values.length; at++) {
      values[at] = column[order[at]];
    }
    return values;
  }

  private static double[] widest(double[][] columns, int n) {
    double[] found = columns[0];
    double most = -1;
    for (double[] column : columns) {
      double sum = 0;
      double squares = 0;
      for (int j = 0; j < n; j++) {
        sum += column[j];
        squares += column[j] * column[j];
      }
      double variance = squares - sum / n * sum;
      if (variance > most) {
        most = variance;
        found = column;
      }
    }
    return found;
  }

  /** Measures more and more of the points beside one, until all others are farther. */
  private void find(int at) {
    int low = at;
    int high = at;
    found = 0;
    for (int width = near; ; width *= 2) {
      int from = low;
      int to = high;
      while (low > 0 && at - low < width && mayBeNear(at, low - 1)) {
        low--;
      }
      while (high < order.length && high - at <= width && mayBeNear(at, high)) {
        high++;
      }
      if (low == from && high == to) {
        return;
      }
      add(at, low, from);
      add(at, to, high);
    }
  }

  private boolean mayBeNear(int at, int other) {
    double gap = along[at] - along[other];
    return found < near || gap * gap < squares[order[at] * near + near - 1];
  }

  /** Adds a range of the sorted points, by insertion: most are too far and need none. */
  private void add(int at, int from, int to) {
    Arrays.fill(measured, from, to, 0);
    for (double[] column : sorted) {
      SquaredDistances.add(column, column[at], from, to, measured);
    }
    int start = order[at] * near;
    for (int p = from; p < to; p++) {
      double square = measured[p];
      if (found == near && square >= squares[start + near - 1]) {
        continue;
      }
      int place = found < near ? found++ : near - 1;
      for (; place > 0 && square < squares[start + place - 1]; place--) {
        squares[start + place] = squares[start + place - 1];
        points[start + place] = points[start + place - 1];
      }
      squares[start + place] = square;
      points[start + place] = order[p];
    }
  }

  /** The n-th nearest point of point j, starting with 0. */
  int point(int j, int n) {
    return points[j * near + n];
  }

  /** Its squared distance. */
  double square(int j, int n) {
    return squares[j * near + n];
  }
}
