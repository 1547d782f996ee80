package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/** The mean and the deviation of each column of a sample; an entry that is left out is 0. */
final class ColumnMoments {
  private static final double ROUNDING = 1e-12;

  private final double[] means;
  private final double[] deviations;
  private final boolean[] areDense;

  ColumnMoments(List<Instance> rows) {
    int d = rows.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
    means = new double[d];
    deviations = new double[d];
    areDense = new boolean[d];
    long[] counts = new long[d];
    rows.forEach(row -> sum(row.features(), means, counts));
    Arrays.setAll(means, i -> means[i] / rows.size());
    rows.forEach(row -> sumSquares(row.features()));
    for (int i = 0; i < d; i++) {
      double zeros = (rows.size() - counts[i]) * means[i] * means[i];
      double deviation = Math.sqrt((deviations[i] + zeros) / rows.size());
      deviations[i] = deviation > ROUNDING * Math.abs(means[i]) ? deviation : 0;
      areDense[i] = 2 * counts[i] > rows.size();
    }
  }

  private static void sum(Features x, double[] sums, long[] counts) {
    for (int i = 0; i < x.count(); i++) {
      sums[x.index(i)] += x.value(i);
      counts[x.index(i)]++;
    }
  }

  private void sumSquares(Features x) {
    for (int i = 0; i < x.count(); i++) {
      double off = x.value(i) - means[x.index(i)];
      deviations[x.index(i)] += off * off;
    }
  }

  int columns() {
    return means.length;
  }

  double mean(int i) {
    return means[i];
  }

  /** The deviation; 0 for a column that is always the same. */
  double deviation(int i) {
    return deviations[i];
  }

  /** Whether most rows have an entry in this column. */
  boolean isDense(int i) {
    return areDense[i];
  }

  /** A value in deviations from the mean, at most 3. */
  double standard(Features x, int i) {
    if (deviations[i] == 0) {
      return 0;
    }
    return Math.max(-3, Math.min(3, (x.get(i) - means[i]) / deviations[i]));
  }
}
