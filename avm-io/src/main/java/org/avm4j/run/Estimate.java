package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * The expected error of a model on new data, estimated on held-out rows.
 *
 * @param name the name of the figure: {@code rmse}, or {@code mistakeRate} in percent
 * @param value the estimated figure
 * @param margin in nine cases of ten, the figure on the same number of new rows differs from {@code
 *     value} by at most this
 * @param rows the number of answers behind the estimate
 */
public record Estimate(String name, double value, double margin, long rows) {
  /** Minimum number of rows for an estimate. */
  static final int FEWEST = 20;

  /** Standard deviations around the mean that hold nine in ten normal deviates. */
  private static final double NINE_IN_TEN = 1.645;

  /** Number of periods of equal length that the latest rows are divided into. */
  private static final int STRETCHES = 5;

  /**
   * The same as {@link #NINE_IN_TEN} if the deviation is estimated from five values: Student's t.
   */
  private static final double NINE_IN_TEN_OF_STRETCHES = 2.132;

  /** The same for four values. */
  private static final double NINE_IN_TEN_OF_PERIODS = 2.353;

  /** The estimate from rows that the model has not learned. */
  static Estimate of(Model model, List<Instance> rows) {
    return of(model.task(), losses(model, rows));
  }

  private static double[] losses(Model model, List<Instance> rows) {
    return rows.stream()
        .mapToDouble(
            row -> {
              Prediction answer = model.answer(row.features());
              return loss(model.task(), answer.label(), row.label());
            })
        .toArray();
  }

  /** The squared error of an answer, or 1 for a mistake. */
  static double loss(Task task, double answer, double label) {
    double error = answer - label;
    return task.isRegression() ? error * error : error == 0 ? 0 : 1;
  }

  /** The estimate from the losses of rows that were held out at random. */
  static Estimate of(Task task, double[] losses) {
    return ofParts(task, List.of(losses));
  }

  /**
   * The estimate from several parts of the rows, each held out by different models. Differences
   * between parts beyond chance are differences between models, and widen the margin.
   */
  static Estimate ofParts(Task task, List<double[]> parts) {
    double[] losses = parts.stream().flatMapToDouble(Arrays::stream).toArray();
    double ofRows = variance(task, losses) / Math.max(1, losses.length);
    double ofPromise = Math.max(ofRows, betweenParts(parts) / parts.size());
    return of(task, losses, NINE_IN_TEN * Math.sqrt(ofRows + ofPromise));
  }

  /**
   * The estimate for future rows from the latest rows in order of time. Errors of neighbouring rows
   * are correlated, so the variance is also estimated between periods; the wider margin counts.
   */
  static Estimate ofTime(Task task, double[] losses) {
    List<double[]> stretches =
        IntStream.range(0, STRETCHES)
            .mapToObj(
                s ->
                    Arrays.copyOfRange(
                        losses, s * losses.length / STRETCHES, (s + 1) * losses.length / STRETCHES))
            .toList();
    double ofStretches =
        NINE_IN_TEN_OF_STRETCHES * Math.sqrt(2 * betweenParts(stretches) / STRETCHES);
    Estimate ofRows = of(task, losses);
    Estimate ofTime = of(task, losses, ofStretches);
    return ofTime.margin > ofRows.margin ? ofTime : ofRows;
  }

  /** The variance of the mean losses of parts; 0 for a single part. */
  private static double betweenParts(List<double[]> parts) {
    double[] means = parts.stream().mapToDouble(Estimate::mean).toArray();
    double mean = mean(means);
    double squares = Arrays.stream(means).map(one -> square(one - mean)).sum();
    return squares / Math.max(1, means.length - 1);
  }

  /** The variance of the losses; for mistakes, after adding one mistake and one right answer. */
  private static double variance(Task task, double[] losses) {
    double mean = mean(losses);
    double squares = Arrays.stream(losses).map(loss -> square(loss - mean)).sum();
    double variance = squares / Math.max(1, losses.length);
    double rate = (Math.max(0, mean) * losses.length + 1) / (losses.length + 2);
    return task.isRegression() ? variance : Math.max(variance, rate * (1 - rate));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  /** The estimate for a given margin of the mean loss. */
  private static Estimate of(Task task, double[] losses, double margin) {
    double mean = Math.max(0, mean(losses));
    if (!task.isRegression()) {
      return new Estimate("mistakeRate", 100 * mean, 100 * margin, losses.length);
    }
    double rmse = Math.sqrt(mean);
    return new Estimate("rmse", rmse, rmse == 0 ? 0 : margin / (2 * rmse), losses.length);
  }

  /**
   * The same with a wider margin if the error varies strongly from period to period.
   *
   * @param deviation the standard deviation of the logarithm of the error from period to period
   */
  Estimate overPeriods(double deviation) {
    double wide = NINE_IN_TEN_OF_PERIODS * Math.sqrt(2) * deviation * value;
    return new Estimate(name, value, Math.max(margin, wide), rows);
  }

  /** The same with at least the margin of another estimate, by the same held-out rows. */
  Estimate noSurerThan(Estimate other) {
    return new Estimate(name, value, Math.max(margin, other.margin), rows);
  }

  private static double square(double value) {
    return value * value;
  }

  /** Whether there were enough rows for an estimate. */
  public boolean isTelling() {
    return rows >= FEWEST;
  }
}
