package org.avm4j.cluster;

import java.util.Arrays;
import org.avm4j.Features;

/** Squared distances to points that are stored by feature. */
final class SquaredDistances {
  private SquaredDistances() {}

  /** Writes the squared distances of z to the first n points. */
  static void measure(Features z, double[][] columns, int n, double[] into) {
    Arrays.fill(into, 0, n, 0);
    int e = 0;
    for (int i = 0; i < columns.length; i++) {
      boolean isEntry = e < z.count() && z.index(e) == i;
      add(columns[i], isEntry ? z.value(e) : 0, 0, n, into);
      e += isEntry ? 1 : 0;
    }
    for (; e < z.count(); e++) {
      double beyond = z.value(e) * z.value(e);
      for (int j = 0; j < n; j++) {
        into[j] += beyond;
      }
    }
  }

  /** Adds the squared differences of one feature for a range of points. */
  static void add(double[] column, double value, int from, int to, double[] into) {
    for (int j = from; j < to; j++) {
      double difference = column[j] - value;
      into[j] += difference * difference;
    }
  }

  /** The first of the nearest of n points; -1 if there is none. */
  static int nearest(double[] squares, int n) {
    int found = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < n; j++) {
      if (squares[j] < least) {
        least = squares[j];
        found = j;
      }
    }
    return found;
  }
}
