package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.data.Instance;

/**
 * Finds columns that a model has missed: those that tell something about what it leaves of the
 * labels. A gradient cannot show them, since the model does not depend on them yet.
 *
 * <p>A column tells something if the mean residual differs between 16 equal parts of its values,
 * whatever the shape; two columns do if their product goes with the residual. What chance alone
 * would explain is taken off.
 */
final class ResidualScreen {
  private static final int PARTS = 16;

  /** An effect counts if it is so many deviations above what chance explains. */
  private static final double DEVIATIONS = 3;

  /** A smooth effect of variance V has a mean squared slope of at least about so many times V. */
  private static final double SLOPE = 2;

  private final int rows;
  private final double[][] values;

  ResidualScreen(List<Instance> rows, ColumnMoments moments) {
    this.rows = rows.size();
    values = new double[moments.columns()][this.rows];
    for (int t = 0; t < this.rows; t++) {
      for (int i = 0; i < values.length; i++) {
        values[i][t] = moments.standard(rows.get(t).features(), i);
      }
    }
  }

  /** What each column explains of the residuals of one score, as a squared slope. */
  double[] metric(double[] residuals) {
    double[] centred = centred(residuals);
    double variance = Arrays.stream(centred).map(r -> r * r).sum() / rows;
    double[] metric = new double[values.length];
    if (variance > 0) {
      double[][] pairs =
          IntStream.range(0, values.length)
              .parallel()
              .mapToObj(i -> pairs(i, centred, variance))
              .toArray(double[][]::new);
      for (int i = 0; i < metric.length; i++) {
        metric[i] += SLOPE * alone(values[i], centred, variance);
        for (int j = 0; j < i; j++) {
          metric[i] += SLOPE * pairs[i][j];
          metric[j] += SLOPE * pairs[i][j];
        }
      }
    }
    return metric;
  }

  private static double[] centred(double[] residuals) {
    double mean = Arrays.stream(residuals).average().orElse(0);
    return Arrays.stream(residuals).map(r -> r - mean).toArray();
  }

  /** The variance that the parts of a column explain, less that of chance. */
  private double alone(double[] column, double[] residuals, double variance) {
    double[] cuts = cuts(column);
    double[] sums = new double[PARTS];
    int[] counts = new int[PARTS];
    for (int t = 0; t < rows; t++) {
      int part = part(cuts, column[t]);
      sums[part] += residuals[t];
      counts[part]++;
    }
    double explained = 0;
    int used = 0;
    for (int part = 0; part < PARTS; part++) {
      explained += counts[part] > 0 ? sums[part] * sums[part] / counts[part] / rows : 0;
      used += counts[part] > 0 ? 1 : 0;
    }
    double chance = used - 1 + DEVIATIONS * Math.sqrt(2.0 * (used - 1));
    return Math.max(0, explained - variance * chance / rows);
  }

  private double[] cuts(double[] column) {
    double[] sorted = column.clone();
    Arrays.sort(sorted);
    double[] cuts = new double[PARTS - 1];
    Arrays.setAll(cuts, part -> sorted[(int) ((part + 1L) * rows / PARTS)]);
    return cuts;
  }

  private static int part(double[] cuts, double value) {
    int part = 0;
    while (part < cuts.length && value >= cuts[part]) {
      part++;
    }
    return part;
  }

  /** The variance that the product of column i with each before it explains; 0 for chance. */
  private double[] pairs(int i, double[] residuals, double variance) {
    double d = values.length;
    double least = 2 * Math.log(d * d / 2 + 2) + 4;
    double[] explained = new double[i];
    for (int j = 0; j < i; j++) {
      double found = product(values[i], values[j], residuals);
      explained[j] = rows * found / variance > least ? found - variance / rows : 0;
    }
    return explained;
  }

  private double product(double[] one, double[] other, double[] residuals) {
    double sum = 0;
    double squares = 0;
    double with = 0;
    for (int t = 0; t < rows; t++) {
      double product = one[t] * other[t];
      sum += product;
      squares += product * product;
      with += product * residuals[t];
    }
    double spread = squares - sum * sum / rows;
    return spread > 1e-9 * rows ? with * with / spread / rows : 0;
  }
}
