package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * A model's scores of rows that it has not learned.
 *
 * @param model the model
 * @param scores its scores of each row
 */
record HeldScores(Model model, double[][] scores) {
  static HeldScores of(Model model, List<Instance> rows) {
    return new HeldScores(
        model, rows.stream().map(row -> model.score(row.features())).toArray(double[][]::new));
  }

  /** The rows that the model accepts. */
  static List<Instance> taken(Model model, List<Instance> rows) {
    return rows.stream().filter(row -> isTaken(model, row)).toList();
  }

  private static boolean isTaken(Model model, Instance row) {
    try {
      Task.regression().check(row.label());
      model.score(row.features());
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  /** The loss of the mean of several models on each row. */
  static double[] losses(List<HeldScores> some, List<Instance> rows) {
    Model model = some.get(0).model;
    double[] losses = new double[rows.size()];
    for (int r = 0; r < losses.length; r++) {
      double answer = model.task().predict(means(some, r), model.classes());
      losses[r] = Estimate.loss(model.task(), answer, rows.get(r).label());
    }
    return losses;
  }

  /** The mean scores of several models. */
  static HeldScores mean(List<HeldScores> some) {
    double[][] means = new double[some.get(0).scores.length][];
    Arrays.setAll(means, r -> means(some, r));
    return new HeldScores(some.get(0).model, means);
  }

  private static double[] means(List<HeldScores> some, int r) {
    double[] means = new double[some.get(0).scores[r].length];
    for (HeldScores one : some) {
      for (int c = 0; c < means.length; c++) {
        means[c] += one.scores[r][c] / some.size();
      }
    }
    return means;
  }
}
