package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.junit.jupiter.api.Test;

class KernelExpertTest {
  private static final double[] NO_CLASSES = {};
  private static final double PRIOR = 0.5;

  private final Kernel kernel = Kernel.gaussian(0.7);
  private final Moment moment = new Moment();
  private final PastLabels labels = new PastLabels();

  /** As long as no point is replaced, the weights minimise a weighted sum of squares exactly. */
  @Test
  void itIsRidgeRegressionOnKernelValues() {
    KernelExpert expert = new KernelExpert(Inputs.of(Scaler.none()), kernel, PRIOR);
    int n = 30;
    Random random = new Random(3);
    List<double[]> rows = new ArrayList<>();
    double[][] sums = new double[n + 1][n + 2];
    sums[n][n] = PRIOR;
    for (int t = 0; t < n; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      double y = Math.sin(2 * x[0]) + 0.1 * random.nextGaussian();
      rows.add(x);
      expert.learn(moment.of(Features.dense(x), labels), y, 1);
      sums[t][t] += PRIOR * (t + 1);
      double[] values = values(rows, x, n);
      for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
          sums[i][j] += (t + 1) * values[i] * values[j];
        }
        sums[i][n + 1] += (t + 1) * values[i] * y;
      }
    }
    double[] weights = LinearExpertTest.solved(sums);
    double[] at = {0.4, -0.2};
    double[] values = values(rows, at, n);
    double expected = 0;
    for (int i = 0; i <= n; i++) {
      expected += weights[i] * values[i];
    }
    assertThat(score(expert, Features.dense(at))).isCloseTo(expected, within(1e-5));
  }

  /** The kernel values at the rows so far, 0 for those to come, and 1. */
  private double[] values(List<double[]> rows, double[] x, int n) {
    double[] values = new double[n + 1];
    for (int j = 0; j < rows.size(); j++) {
      double a = x[0] - rows.get(j)[0];
      double b = x[1] - rows.get(j)[1];
      values[j] = Math.exp(-0.7 * (a * a + b * b));
    }
    values[n] = 1;
    return values;
  }

  private double score(Opinion opinion, Features x) {
    double[] score = new double[1];
    opinion.score(moment.of(x, labels), NO_CLASSES, score);
    return score[0];
  }

  private void learn(Expert expert, int from, int to) {
    for (int t = from; t < to; t++) {
      expert.learn(moment.of(row(t), labels), 5 + Math.sin(0.3 * t), 1);
      labels.add(5 + Math.sin(0.3 * t));
    }
  }

  private static Features row(int t) {
    return Features.dense(Math.sin(0.3 * t + 0.3), Math.cos(0.1 * t));
  }

  @Test
  void itFollowsASeries() {
    KernelExpert expert = new KernelExpert(labelled(), kernel, PRIOR);
    learn(expert, 0, 3000);
    assertThat(score(expert, row(3000))).isCloseTo(5 + Math.sin(900), within(0.05));
  }

  private static Inputs labelled() {
    return Inputs.of(Scaler.none()).behindLabels(List.of(1, 2), NO_CLASSES, 1);
  }

  @Test
  void itGoesOnFromAFileBitForBit() throws ModelFileException {
    for (int rows : new int[] {0, 20, 100, 700}) {
      KernelExpert expert = new KernelExpert(labelled(), kernel, PRIOR);
      learn(expert, 0, rows);
      Expert again = LinearExpertTest.again(expert);
      PastLabels before = labels.copy();
      learn(expert, rows, rows + 300);
      double expected = score(expert, row(rows + 300));
      KernelExpertTest other = new KernelExpertTest();
      for (int t = 1; t <= 2; t++) {
        if (!Double.isNaN(before.ago(3 - t))) {
          other.labels.add(before.ago(3 - t));
        }
      }
      other.learn(again, rows, rows + 300);
      assertThat(other.score(again, row(rows + 300))).as("after %d rows", rows).isEqualTo(expected);
    }
  }

  @Test
  void whatIsFrozenStaysAsItWas() {
    KernelExpert expert = new KernelExpert(labelled(), kernel, PRIOR);
    learn(expert, 0, 500);
    Opinion frozen = expert.freeze();
    PastLabels then = labels.copy();
    double[] before = new double[1];
    frozen.score(moment.of(row(500), then), NO_CLASSES, before);
    assertThat(before[0]).isEqualTo(score(expert, row(500)));
    learn(expert, 500, 900);
    double[] after = new double[1];
    frozen.score(moment.of(row(500), then), NO_CLASSES, after);
    assertThat(after).isEqualTo(before);
  }
}
