package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.Labels;

/**
 * Finds what makes probabilities of the scores of rows that were held out. Two classes get a fit of
 * Platt's. Several classes get one each, or a softmax with one factor unless its log loss is larger
 * by more than chance, where both are fitted on one half of the rows and tried on the other: scores
 * that learners and trees were weighted for are log-odds already, which fits of single classes
 * spoil where classes are many.
 */
final class HeldCalibration {
  /** Least probability of a class in a log loss, so that one surprise does not decide alone. */
  private static final double LEAST_PROBABILITY = 1e-9;

  private final List<Instance> rows;
  private final HeldScores scores;
  private final Labels labels;
  private final double[] classes;

  /**
   * Rows and their scores.
   *
   * @param labels the map of labels before the model that is to be calibrated
   */
  HeldCalibration(List<Instance> rows, HeldScores scores, Labels labels) {
    this.rows = rows;
    this.scores = scores;
    this.labels = labels;
    classes = Arrays.stream(scores.model().classes()).map(labels::transform).toArray();
  }

  Calibration found() {
    int[] all = IntStream.range(0, rows.size()).toArray();
    boolean isPair = scores.model().columns() < classes.length;
    return !isPair && isSoftmaxGood() ? softmax(all) : platt(all).snapshot();
  }

  private boolean isSoftmaxGood() {
    double[] more = new double[rows.size()];
    for (int half = 0; half < 2; half++) {
      Calibration softmax = softmax(half(1 - half));
      Calibration platt = platt(half(1 - half)).snapshot();
      for (int r : half(half)) {
        more[r] = loss(softmax, r) - loss(platt, r);
      }
    }
    return !CommonTrial.isAboveChance(more);
  }

  private int[] half(int half) {
    return IntStream.range(0, rows.size()).filter(r -> r % 2 == half).toArray();
  }

  /** The fits of single classes by all rows. */
  Calibrator platt() {
    return platt(IntStream.range(0, rows.size()).toArray());
  }

  private Calibrator platt(int[] some) {
    Calibrator calibrator = new Calibrator();
    for (int r : some) {
      calibrator.learn(scores.scores()[r], classes, label(r));
    }
    return calibrator;
  }

  private double label(int r) {
    return labels.transform(rows.get(r).label());
  }

  private Calibration softmax(int[] some) {
    Model model = scores.model();
    Stacking.Rows alone = new Stacking.Rows(model, rows, scores.scores(), scores.scores());
    return Calibration.softmax(classes, Stacking.treesAlone(alone, some).trees());
  }

  private double loss(Calibration calibration, int r) {
    int own = Arrays.binarySearch(classes, label(r));
    double[] likely = calibration.probabilities(scores.scores()[r], classes);
    return own < 0 ? 0 : -StrictMath.log(Math.max(LEAST_PROBABILITY, likely[own]));
  }
}
