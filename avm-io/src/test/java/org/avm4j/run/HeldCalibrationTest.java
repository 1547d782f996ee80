package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Labels;
import org.junit.jupiter.api.Test;

/** What makes probabilities of the scores of rows held out. */
class HeldCalibrationTest {
  private static final int CLASSES = 12;
  private static final int ROWS = 1500;

  private static Model model() {
    Avm learner = new Avm(AvmOptions.multiclass().build());
    for (int c = 0; c < CLASSES; c++) {
      learner.learn(Features.dense(c), c);
    }
    return learner.snapshot();
  }

  /** Labels that follow a softmax of three times the scores. */
  @Test
  void logOddsOfManyClassesKeepASoftmax() {
    Random random = new Random(1);
    List<Instance> rows = new ArrayList<>();
    double[][] scores = new double[ROWS][CLASSES];
    for (double[] row : scores) {
      double[] likely = new double[CLASSES];
      double sum = 0;
      for (int c = 0; c < CLASSES; c++) {
        row[c] = random.nextGaussian();
        likely[c] = Math.exp(3 * row[c]);
        sum += likely[c];
      }
      double left = sum * random.nextDouble();
      int label = 0;
      while (label < CLASSES - 1 && left > likely[label]) {
        left -= likely[label++];
      }
      rows.add(new Instance(Features.dense(1), label));
    }
    Calibration found = found(rows, scores);
    assertThat(found.isSoftmax()).isTrue();
    assertThat(found.slope(0)).isCloseTo(3, within(0.25));
  }

  /** A softmax that fits best would be sure of all answers. */
  @Test
  void fewRowsWithoutAMistakeAreNoCertainty() {
    List<Instance> rows = new ArrayList<>();
    double[][] scores = new double[60][CLASSES];
    for (int r = 0; r < scores.length; r++) {
      rows.add(new Instance(Features.dense(1), r % CLASSES));
      scores[r][r % CLASSES] = 1;
    }
    double[] likely = found(rows, scores).probabilities(scores[0], model().classes());
    assertThat(likely[0]).isBetween(0.9, 0.98);
  }

  /** The scores of half of the classes say nothing of them. */
  @Test
  void scoresOfDifferentScalesKeepAFitEach() {
    Random random = new Random(1);
    List<Instance> rows = new ArrayList<>();
    double[][] scores = new double[ROWS][CLASSES];
    for (double[] row : scores) {
      int label = random.nextInt(CLASSES);
      rows.add(new Instance(Features.dense(1), label));
      for (int c = 0; c < CLASSES; c++) {
        boolean isNoise = c % 2 == 0;
        row[c] = isNoise ? 3 * random.nextGaussian() : c == label ? 2 : -2;
      }
    }
    assertThat(found(rows, scores).isSoftmax()).isFalse();
  }

  private static Calibration found(List<Instance> rows, double[][] scores) {
    return new HeldCalibration(rows, new HeldScores(model(), scores), new Labels.Plain()).found();
  }
}
