package org.avm4j.explain;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/**
 * Describes how labels depended on a column before and after a change. For a column of numbers it
 * gives the mean label in the lower and the upper half of the column; for categories, the mean
 * label of the category that changed most. If labels are classes, it gives the share of one class
 * instead of the mean: that of the class that changed most.
 */
final class EffectWords {
  private final List<WatchedRow> rows;
  private final int before;
  private final boolean isRegression;
  private final DoubleFunction<String> labelText;

  /**
   * Descriptions for two samples.
   *
   * @param labelText the text of a class
   */
  EffectWords(
      List<WatchedRow> before,
      List<WatchedRow> after,
      boolean isRegression,
      DoubleFunction<String> labelText) {
    rows = Stream.concat(before.stream(), after.stream()).toList();
    this.before = before.size();
    this.isRegression = isRegression;
    this.labelText = labelText;
  }

  /** A description of each sample. */
  record Pair(String before, String after) {}

  /** The mean label, or the share of a class, in each group of rows, before and after. */
  private final class Means {
    private final double[][] sums;
    private final int[][] counts;

    /**
     * The means of labels, or of 1 for a class and 0 for others.
     *
     * @param wanted the class; NaN for labels
     */
    Means(ColumnBins bins, int groups, double wanted) {
      sums = new double[2][groups];
      counts = new int[2][groups];
      for (int i = 0; i < rows.size(); i++) {
        double label = rows.get(i).label();
        int side = i < before ? 0 : 1;
        int group = group(bins, i);
        sums[side][group] += Double.isNaN(wanted) ? label : label == wanted ? 1 : 0;
        counts[side][group]++;
      }
    }

    double mean(int side, int group) {
      return sums[side][group] / Math.max(1, counts[side][group]);
    }

    /** The change of a group's mean; 0 if one of the samples has too few rows of the group. */
    double change(int group) {
      boolean isKnown = Math.min(counts[0][group], counts[1][group]) >= ChangeStudy.FEWEST;
      return isKnown ? Math.abs(mean(1, group) - mean(0, group)) : 0;
    }

    double change() {
      double most = 0;
      for (int group = 0; group < counts[0].length; group++) {
        most = Math.max(most, change(group));
      }
      return most;
    }
  }

  private static int group(ColumnBins bins, int row) {
    return bins.isNumber() ? (2 * bins.of(row) < bins.count() ? 0 : 1) : bins.of(row);
  }

  /** Describes how labels depended on a column in both samples. */
  Pair of(ColumnBins bins) {
    int groups = bins.isNumber() ? 2 : bins.count();
    Means most = null;
    double of = Double.NaN;
    for (double wanted : wanted()) {
      Means one = new Means(bins, groups, wanted);
      if (most == null || one.change() > most.change()) {
        most = one;
        of = wanted;
      }
    }
    return new Pair(text(bins, most, of, 0), text(bins, most, of, 1));
  }

  /** The classes to choose from; NaN alone if labels are numbers. */
  private List<Double> wanted() {
    return isRegression
        ? List.of(Double.NaN)
        : rows.stream().map(WatchedRow::label).distinct().sorted().toList();
  }

  private String text(ColumnBins bins, Means means, double wanted, int side) {
    String what = isRegression ? "mean label" : "class " + labelText.apply(wanted);
    if (bins.isNumber()) {
      return what
          + " "
          + figure(means.mean(side, 0))
          + " in its lower half and "
          + figure(means.mean(side, 1))
          + " in its upper half";
    }
    int most = 0;
    for (int group = 1; group < bins.count(); group++) {
      most = means.change(group) > means.change(most) ? group : most;
    }
    return what + " " + figure(means.mean(side, most)) + " for " + bins.category(most);
  }

  private String figure(double mean) {
    return String.format(
        Locale.ROOT, isRegression ? "%.4g" : "%.1f %%", isRegression ? mean : 100 * mean);
  }
}
