package org.avm4j.run;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;

/**
 * How much each column counts in the distance of two rows: column i is divided by its deviation and
 * multiplied by its weight, 1 for the heaviest.
 *
 * @param moments the means and deviations
 * @param weights the weights in [0, 1]
 */
record ColumnWeights(ColumnMoments moments, double[] weights) {
  /**
   * Weights that follow a metric: s_i = √(M_i / max M).
   *
   * @param metric M_i, how fast the answer changes with column i, squared, a deviation at a time
   */
  static ColumnWeights of(ColumnMoments moments, double[] metric) {
    double most = Arrays.stream(metric).max().orElse(0);
    double[] weights = new double[metric.length];
    Arrays.setAll(weights, i -> most > 0 ? Math.sqrt(metric[i] / most) : 1);
    return new ColumnWeights(moments, weights);
  }

  /** Weights half way to all columns alike: their square roots. */
  ColumnWeights tempered() {
    return new ColumnWeights(moments, Arrays.stream(weights).map(Math::sqrt).toArray());
  }

  /** The scaler that weighs columns so; columns that are mostly 0 keep their zeros. */
  Scaler scaler() {
    double[] factors = new double[weights.length];
    double[] shifts = new double[weights.length];
    for (int i = 0; i < factors.length; i++) {
      double deviation = moments.deviation(i);
      factors[i] = deviation > 0 ? weights[i] / deviation : 0;
      shifts[i] = moments.isDense(i) ? -factors[i] * moments.mean(i) : 0;
    }
    return Scaler.of(Scaling.NUMBERS, factors, shifts);
  }

  /** The columns by weight, the heaviest first. */
  int[] heaviest(int most) {
    return IntStream.range(0, weights.length)
        .boxed()
        .sorted((a, b) -> Double.compare(weights[b], weights[a]))
        .limit(most)
        .mapToInt(i -> i)
        .toArray();
  }
}
