package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * How good a model is to be expected on new data, by rows that were held out until it had answered
 * them.
 *
 * @param name the name of the figure
 * @param value the figure
 * @param margin nine times in ten the figure over other rows, as numerous as these, is within this
 *     distance
 * @param rows how many answers it is of
 */
public record Estimate(String name, double value, double margin, long rows) {
  /** Fewer rows tell nothing of new data. */
  static final int FEWEST = 20;

  /** Standard deviations around the mean that hold nine in ten normal deviates. */
  private static final double NINE_IN_TEN = 1.645;

  /** The estimate of a model by rows that it has not learned. */
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

  /** The estimate by the losses of rows that were held out. */
  static Estimate of(Task task, double[] losses) {
    double mean = Math.max(0, Arrays.stream(losses).average().orElse(0));
    double squares = Arrays.stream(losses).map(loss -> square(loss - mean)).sum();
    double variance = squares / Math.max(1, losses.length);
    return task.isRegression()
        ? rmse(mean, variance, losses.length)
        : rate(mean, variance, losses.length);
  }

  private static Estimate rmse(double mean, double variance, int rows) {
    double rmse = Math.sqrt(mean);
    double margin = rmse == 0 ? 0 : margin(variance, rows) / (2 * rmse);
    return new Estimate("rmse", rmse, margin, rows);
  }

  /** The margin counts one mistake more, and one right answer: no mistake yet is no promise. */
  private static Estimate rate(double mean, double variance, int rows) {
    double rate = (mean * rows + 1) / (rows + 2);
    double margin = margin(Math.max(variance, rate * (1 - rate)), rows);
    return new Estimate("mistakeRate", 100 * mean, 100 * margin, rows);
  }

  /** Both these rows and the others are a sample, so that the variance of the mean counts twice. */
  private static double margin(double variance, int rows) {
    return NINE_IN_TEN * Math.sqrt(2 * variance / Math.max(1, rows));
  }

  private static double square(double value) {
    return value * value;
  }

  /** Whether there were enough rows to tell anything of new data. */
  public boolean isTelling() {
    return rows >= FEWEST;
  }
}
