package org.avm4j.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.Features;

/**
 * The values of one column in bins that two samples share: quantiles of numbers, or the most
 * frequent categories. The last bin of categories holds all others.
 */
record ColumnBins(int[] bins, int count, double[] values, List<String> categories) {
  /** The most bins of numbers, and the most categories that have a bin of their own. */
  private static final int MOST = 10;

  /** The most of the finer bins. */
  private static final int FINEST = 50;

  /**
   * What some rows have in this column, in the words of the data: the median of numbers, or how
   * frequent a category is.
   *
   * @param bin the bin of the category that is told
   */
  String text(int from, int to, int bin) {
    if (categories.isEmpty()) {
      return "median " + ColumnView.number(median(from, to));
    }
    long inside = Arrays.stream(bins, from, to).filter(each -> each == bin).count();
    return String.format(Locale.ROOT, "%s %.1f %%", category(bin), 100.0 * inside / (to - from));
  }

  /** The median of some rows of a column of numbers. */
  double median(int from, int to) {
    double[] some = Arrays.copyOfRange(values, from, to);
    Arrays.sort(some);
    return some[some.length / 2];
  }

  /** Whether the column holds numbers, so that its bins ascend. */
  boolean isNumber() {
    return categories.isEmpty();
  }

  String category(int bin) {
    return bin < categories.size() ? categories.get(bin) : "others";
  }

  int of(int row) {
    return bins[row];
  }

  /** The bins of a column by all rows of both samples. */
  static ColumnBins of(List<Features> rows, int column, ColumnView view, int feature) {
    return feature < 0
        ? ofCategories(rows, column, view)
        : ofNumbers(rows.stream().mapToDouble(row -> row.get(feature)).toArray(), MOST);
  }

  /** The values of a column of numbers in finer bins; for categories the same. */
  ColumnBins finer() {
    return isNumber() ? ofNumbers(values, FINEST) : this;
  }

  private static ColumnBins ofNumbers(double[] values, int most) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    List<Double> edges = new ArrayList<>();
    for (int q = 1; q < most; q++) {
      double edge = sorted[(int) ((long) sorted.length * q / most)];
      boolean isNew = edges.isEmpty() || edge > edges.get(edges.size() - 1);
      if (isNew && edge > sorted[0]) {
        edges.add(edge);
      }
    }
    int[] bins = new int[values.length];
    for (int i = 0; i < bins.length; i++) {
      int found = Collections.binarySearch(edges, values[i] + 0.0);
      bins[i] = found >= 0 ? found + 1 : -found - 1;
    }
    return new ColumnBins(bins, edges.size() + 1, values, List.of());
  }

  private static ColumnBins ofCategories(List<Features> rows, int column, ColumnView view) {
    Map<String, Integer> frequent = new TreeMap<>();
    String[] texts = rows.stream().map(row -> view.text(row, column)).toArray(String[]::new);
    for (String text : texts) {
      frequent.merge(text, 1, Integer::sum);
    }
    List<String> kept =
        frequent.entrySet().stream()
            .sorted((a, b) -> Integer.compare(b.getValue(), a.getValue()))
            .limit(MOST)
            .map(Map.Entry::getKey)
            .toList();
    int[] bins = new int[texts.length];
    for (int i = 0; i < bins.length; i++) {
      int at = kept.indexOf(texts[i]);
      bins[i] = at < 0 ? kept.size() : at;
    }
    return new ColumnBins(bins, kept.size() + 1, new double[0], kept);
  }
}
