package org.avm4j.run;

import java.util.List;
import org.avm4j.Model;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;

/**
 * The losses of a model on rows that it has not learned: the squared error, or 1 for a mistake plus
 * a tenth of the hinge loss, which tells more than mistakes alone where they are rare.
 */
final class HeldOut {
  private static final double CLEARLY = 0.98;
  private static final double HINGE = 0.1;
  private static final double MOST_HINGE = 2;

  private final boolean isRegression;
  private final double[] losses;
  private int mistakes;

  HeldOut(Model model, List<Instance> rows) {
    isRegression = model.task().isRegression();
    losses = rows.stream().mapToDouble(row -> loss(model, row)).toArray();
  }

  private double loss(Model model, Instance row) {
    double[] scores = model.score(row.features());
    double label = row.label();
    if (isRegression) {
      return (scores[0] - label) * (scores[0] - label);
    }
    boolean isWrong = model.predict(row.features()) != label;
    mistakes += isWrong ? 1 : 0;
    double hinge = Math.max(0, 1 - margin(scores, model.classes(), label));
    return (isWrong ? 1 : 0) + HINGE * Math.min(MOST_HINGE, hinge);
  }

  /** How far the score of the own class is above all others; of two classes, the signed score. */
  private static double margin(double[] scores, double[] classes, double label) {
    if (scores.length == 1) {
      return label == classes[classes.length - 1] ? scores[0] : -scores[0];
    }
    double own = -1;
    double other = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < scores.length; c++) {
      if (classes[c] == label) {
        own = scores[c];
      } else {
        other = Math.max(other, scores[c]);
      }
    }
    return own - other;
  }

  /** What a learner leaves of each score: of a number the error, of a class what hinge loss is. */
  static double[] residuals(Predictor learner, Instance row) {
    double[] left = learner.score(row.features());
    if (learner.task().isRegression()) {
      left[0] = row.label() - left[0];
      return left;
    }
    double[] classes = learner.classes();
    for (int c = 0; c < left.length; c++) {
      boolean isOwn = classes[left.length == 1 ? classes.length - 1 : c] == row.label();
      double sign = isOwn ? 1 : -1;
      left[c] = sign * Math.max(0, 1 - sign * left[c]);
    }
    return left;
  }

  double mean() {
    double sum = 0;
    for (double loss : losses) {
      sum += loss;
    }
    return sum / losses.length;
  }

  /** Whether the mean is lower by 2 %, and by more than chance makes it. */
  boolean isClearlyBelow(HeldOut other) {
    double sum = 0;
    double squares = 0;
    for (int t = 0; t < losses.length; t++) {
      double less = other.losses[t] - losses[t];
      sum += less;
      squares += less * less;
    }
    double n = losses.length;
    double error = Math.sqrt(Math.max(0, squares - sum * sum / n));
    return mean() < CLEARLY * other.mean() && sum > error;
  }

  /** The name of the figure that people know. */
  String figure() {
    return isRegression ? "rmse" : "mistakeRate";
  }

  /** The figure that people know. */
  double value() {
    return isRegression ? Math.sqrt(mean()) : (double) mistakes / losses.length;
  }
}
