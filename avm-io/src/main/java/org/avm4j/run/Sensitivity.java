package org.avm4j.run;

import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;

/**
 * How fast the scores of a model change with each column: the diagonal of the average outer product
 * of gradients (Radhakrishnan et al., 2024), by finite differences, so that any model will do.
 */
final class Sensitivity {
  /** The step to either side, in deviations of the column. */
  private static final double STEP = 0.2;

  private static final int MOST_ROWS = 500;
  private static final int MOST_DIFFERENCES = 30_000;

  private final Model model;
  private final ColumnMoments moments;

  Sensitivity(Model model, ColumnMoments moments) {
    this.model = model;
    this.moments = moments;
  }

  /** The mean of the squared slope in each column, a deviation at a time, summed over scores. */
  double[] metric(List<Instance> rows) {
    int d = moments.columns();
    int most = Math.min(MOST_ROWS, Math.max(50, MOST_DIFFERENCES / Math.max(1, d)));
    int count = Math.min(rows.size(), most);
    double[][] squares =
        IntStream.range(0, count)
            .parallel()
            .mapToObj(t -> squares(rows.get(t).features()))
            .toArray(double[][]::new);
    double[] metric = new double[d];
    for (double[] row : squares) {
      for (int i = 0; i < d; i++) {
        metric[i] += row[i] / count;
      }
    }
    return metric;
  }

  private double[] squares(Features x) {
    int d = moments.columns();
    double[] row = new double[d];
    for (int i = 0; i < d; i++) {
      row[i] = x.get(i);
    }
    double[] squares = new double[d];
    for (int i = 0; i < d; i++) {
      squares[i] = moments.deviation(i) == 0 ? 0 : square(row, i);
    }
    return squares;
  }

  private double square(double[] row, int i) {
    double was = row[i];
    double step = STEP * moments.deviation(i);
    row[i] = was + step;
    double[] above = model.score(Features.dense(row));
    row[i] = was - step;
    double[] below = model.score(Features.dense(row));
    row[i] = was;
    double sum = 0;
    for (int c = 0; c < above.length; c++) {
      double slope = (above[c] - below[c]) / (2 * STEP);
      sum += slope * slope;
    }
    return sum;
  }
}
