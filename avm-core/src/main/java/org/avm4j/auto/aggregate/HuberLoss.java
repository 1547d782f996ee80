package org.avm4j.auto.aggregate;

import java.util.Arrays;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;

/**
 * The loss of scores for a label: Huber's (1964), which is the squared error up to 3 deviations of
 * the labels and linear beyond, summed over the columns that count. Numbers have one column. With
 * two classes there is one column too, and the label is -1 or 1. With more classes two columns
 * count: that of the true class, whose target is 1, and the largest of all others, whose target is
 * -1.
 */
public final class HuberLoss {
  private final Task.Kind task;
  private int own;
  private int rival;
  private double goal;

  /** A judge for a task. */
  public HuberLoss(Task.Kind task) {
    this.task = task;
  }

  /** Limits the scores of classes to ±1, so that no expert outweighs others by mere size. */
  public void limit(double[] scores) {
    for (int c = 0; c < scores.length; c++) {
      if (Double.isNaN(scores[c])) {
        scores[c] = 0;
      } else if (task != Task.Kind.REGRESSION) {
        scores[c] = Math.max(-1, Math.min(1, scores[c]));
      }
    }
  }

  /**
   * Sets the label that scores are compared with from now on.
   *
   * @param answer the scores that decide which other class is the rival
   * @param classes the labels of the columns in ascending order; empty where there is one column
   * @return whether the label has a column
   */
  public boolean hold(double label, double[] answer, double[] classes) {
    rival = -1;
    own = 0;
    goal = label;
    if (task != Task.Kind.MULTICLASS) {
      return true;
    }
    own = Arrays.binarySearch(classes, label);
    goal = 1;
    for (int c = 0; c < classes.length; c++) {
      if (c != own && (rival < 0 || answer[c] > answer[rival])) {
        rival = c;
      }
    }
    return own >= 0;
  }

  /** The loss of scores. */
  public double loss(double[] scores) {
    return loss(scores[own] - goal) + (rival < 0 ? 0 : loss(scores[rival] + 1));
  }

  private static double loss(double miss) {
    double size = Math.abs(miss);
    return size <= Constants.SURE ? size * size : Constants.SURE * (2 * size - Constants.SURE);
  }

  private static double slope(double miss) {
    return 2 * Math.max(-Constants.SURE, Math.min(Constants.SURE, miss));
  }

  /** The decrease of the loss, to first order, if an answer were replaced by other scores. */
  public double gain(double[] answer, double[] scores) {
    double gain = slope(answer[own] - goal) * (answer[own] - scores[own]);
    return rival < 0 ? gain : gain + slope(answer[rival] + 1) * (answer[rival] - scores[rival]);
  }
}
