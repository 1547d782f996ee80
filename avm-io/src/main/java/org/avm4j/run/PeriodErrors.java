package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.PreparedModel;

/**
 * Measures how much the error varies from one period to the next. Rows in order of time are cut
 * into fifths. Boosted trees that are trained on all rows before a fifth answer the rows of that
 * fifth. The trees are the same whatever is promised, a single learner or a mean of several.
 */
final class PeriodErrors {
  private static final int PERIODS = 5;

  /** Maximum number of rows; of more, evenly spaced ones are taken, which takes a second or two. */
  private static final int MOST_ROWS = 20_000;

  private static final BoostOptions TREES =
      BoostOptions.DEFAULT.withRounds(100).withSamples(0.7, 0.7, 1);

  /**
   * Lower bound of the loss of a period, as a fraction of the mean. A period in which nothing
   * happens, for instance with a stuck sensor, says little about the others.
   */
  private static final double QUIET = 0.01;

  private final TreeTraining training;
  private final PreparedModel like;
  private final List<Instance> rows;

  private PeriodErrors(PreparedModel like, List<Instance> rows) {
    this.training = new TreeTraining(like, RunListener.NONE);
    this.like = like;
    this.rows = rows;
  }

  /**
   * The standard deviation of the logarithm of the error between periods. Empty if a period has too
   * few rows, or if the trees could not be trained.
   *
   * @param like a model whose preparation the trees share
   */
  static OptionalDouble deviation(PreparedModel like, HeldParts parts) {
    return new PeriodErrors(like, HeldParts.spaced(parts.all(), MOST_ROWS)).deviation();
  }

  private OptionalDouble deviation() {
    Labels labels = like.preparation().labels();
    double[] classes = Arrays.stream(like.classes()).map(labels::transform).toArray();
    List<double[]> losses = new ArrayList<>();
    for (int period = 1; period < PERIODS; period++) {
      List<Instance> before = rows.subList(0, start(period));
      List<Instance> asked = HeldScores.taken(like, rows.subList(start(period), start(period + 1)));
      BoostedModel trees =
          asked.size() < Estimate.FEWEST ? null : training.all(before, classes, TREES);
      if (trees == null) {
        return OptionalDouble.empty();
      }
      HeldScores scores = HeldScores.of(like.with(trees), asked);
      losses.add(HeldScores.losses(List.of(scores), asked));
    }
    double all = losses.stream().flatMapToDouble(Arrays::stream).average().orElse(0);
    double[] logs = losses.stream().mapToDouble(one -> logError(one, QUIET * all)).toArray();
    double mean = Arrays.stream(logs).average().orElse(0);
    double squares = Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
    return OptionalDouble.of(Math.sqrt(squares / (logs.length - 1)));
  }

  private int start(int period) {
    return (int) ((long) period * rows.size() / PERIODS);
  }

  /** The logarithm of the RMSE, or of the mistake rate with one mistake and one hit added. */
  private double logError(double[] losses, double least) {
    double sum = Arrays.stream(losses).sum();
    return like.task().isRegression()
        ? StrictMath.log(Math.max(Double.MIN_NORMAL, Math.max(least, sum / losses.length))) / 2
        : StrictMath.log((sum + 1) / (losses.length + 2));
  }
}
