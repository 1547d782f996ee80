package org.avm4j.explain;

import java.util.List;

/**
 * Tests whether the mean loss of the last rows is above that of the rows before them: a z-test for
 * several numbers of last rows.
 */
final class RiseTest {
  /** Numbers of last rows that are tested, for sharp rises and for slow ones. */
  private static final int[] LAST = {50, 100, 200, 400, 800};

  /** Fewest rows that the last ones are compared with. */
  private static final int FEWEST = 500;

  /** Fewest rows on each side of the row at which the error rose. */
  private static final int LEAST_SIDE = 10;

  /**
   * Standard errors of a rise that is worth a study. On a stream without changes about one in ten
   * thousand rows reaches it.
   */
  private static final double WORTHWHILE = 3;

  /**
   * Standard errors by which a later row must separate the losses better than the start that was
   * found first. A few mistakes in a row before a change at row 3,500 made row 2,964 the start;
   * with this, a row within 50 of the change is found.
   */
  private static final double CLEARER = 2;

  private final List<WatchedRow> rows;
  private final double[] sums;
  private final double variance;

  /** The latest rows, without those before a given number. */
  RiseTest(List<WatchedRow> latest, long from) {
    rows = latest.stream().filter(row -> row.number() >= from).toList();
    sums = new double[rows.size() + 1];
    double squares = 0;
    for (int i = 0; i < rows.size(); i++) {
      sums[i + 1] = sums[i] + rows.get(i).loss();
      squares += rows.get(i).loss() * rows.get(i).loss();
    }
    double mean = sums[rows.size()] / Math.max(1, rows.size());
    variance = Math.max(0, squares / Math.max(1, rows.size()) - mean * mean);
  }

  /** Whether the error rose lately; by chance this happens once in thousands of rows. */
  boolean isRise() {
    int n = rows.size();
    for (int last : LAST) {
      if (n - last >= FEWEST && rise(n - last) > WORTHWHILE) {
        return true;
      }
    }
    return false;
  }

  /** The difference between the mean from place i on and the mean before it, in standard errors. */
  private double rise(int i) {
    int n = rows.size();
    double gap = (sums[n] - sums[i]) / (n - i) - sums[i] / i;
    return gap / Math.sqrt(Math.max(Double.MIN_NORMAL, variance * (1.0 / i + 1.0 / (n - i))));
  }

  /**
   * Number of the row at which the error rose: the one that separates the losses best.
   *
   * @param cut returned if no row separates them clearly, for instance if the rise is older than
   *     these rows
   */
  long start(long cut) {
    double best = WORTHWHILE;
    long at = cut;
    for (int i = LEAST_SIDE; i <= rows.size() - LEAST_SIDE; i++) {
      double rise = rise(i);
      if (rise > best) {
        best = rise;
        at = rows.get(i).number();
      }
    }
    return Math.max(1, at);
  }

  /**
   * Number of the row at which the error rose, if the start found first may be chance: a later row
   * that separates the losses clearly better, else that start.
   *
   * @param start the start found first
   * @param after only rows after this one are considered
   */
  long laterStart(long start, long after) {
    double best = Double.POSITIVE_INFINITY;
    long at = start;
    for (int i = 1; i <= rows.size() - LEAST_SIDE; i++) {
      double rise = rise(i);
      long number = rows.get(i).number();
      if (number == start) {
        best = Math.max(WORTHWHILE, rise + CLEARER);
      } else if (number > after && rise > best) {
        best = rise;
        at = number;
      }
    }
    return at;
  }
}
