package org.avm4j.internal;

import java.util.Arrays;
import java.util.List;

/**
 * The classes of a stream. Each has a column of coefficients for ever, in the order in which they
 * appeared, and a place in the scores, in ascending order of label.
 */
public final class Classes {
  private double[] labels = {};
  private int[] ascending = {};

  public Classes(List<Double> declared) {
    declared.forEach(this::add);
  }

  public int size() {
    return labels.length;
  }

  /** The label of a column. */
  public double label(int column) {
    return labels[column];
  }

  /** The column whose score stands at a place. */
  public int column(int place) {
    return ascending[place];
  }

  /** The labels in ascending order. */
  public double[] sorted() {
    return Arrays.stream(ascending).mapToDouble(column -> labels[column]).toArray();
  }

  /** The column of a label, or -1 if it is new. */
  public int find(double label) {
    int place = place(label);
    return place < size() && labels[ascending[place]] == label ? ascending[place] : -1;
  }

  /** Adds a label, which must be new, and returns its column. */
  public int add(double label) {
    int column = labels.length;
    int place = place(label);
    labels = Arrays.copyOf(labels, column + 1);
    labels[column] = label + 0.0;
    int[] wider = Arrays.copyOf(ascending, column + 1);
    System.arraycopy(ascending, place, wider, place + 1, column - place);
    wider[place] = column;
    ascending = wider;
    return column;
  }

  /**
   * z_t: the column with the largest score besides {@code own}, of equals the lowest label; or -1.
   */
  public int runnerUp(double[] scores, int own) {
    int best = -1;
    for (int column : ascending) {
      if (column != own && (best < 0 || scores[column] > scores[best])) {
        best = column;
      }
    }
    return best;
  }

  /** The first place whose label is not below this one. */
  private int place(double label) {
    int from = 0;
    int to = ascending.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (labels[ascending[middle]] < label) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
