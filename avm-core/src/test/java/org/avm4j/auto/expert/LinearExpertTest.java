package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.junit.jupiter.api.Test;

class LinearExpertTest {
  private static final double[] NO_CLASSES = {};

  /** Two features and a 1: the weights solve (I + XᵀX) w = Xᵀy. */
  @Test
  void itIsRidgeRegression() {
    LinearExpert expert = new LinearExpert(Task.Kind.REGRESSION, Inputs.of(Scaler.none()), 2);
    Random random = new Random(1);
    double[][] sums = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    Moment moment = new Moment();
    PastLabels labels = new PastLabels();
    for (int t = 0; t < 40; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian(), 1};
      double y = random.nextGaussian() + 2 * x[0];
      expert.learn(moment.of(Features.dense(x[0], x[1]), labels), y, 1 + t % 2);
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          sums[i][j] += (1 + t % 2) * x[i] * x[j];
        }
        sums[i][3] += (1 + t % 2) * x[i] * y;
      }
    }
    double[] weights = solved(sums);
    double[] score = new double[1];
    expert.score(moment.of(Features.dense(0.3, -0.7), labels), NO_CLASSES, score);
    assertThat(score[0]).isCloseTo(0.3 * weights[0] - 0.7 * weights[1] + weights[2], within(1e-9));
  }

  /** The solution of a linear system whose last column is the right side. */
  static double[] solved(double[][] sums) {
    int n = sums.length;
    for (int i = 0; i < n; i++) {
      for (int r = 0; r < n; r++) {
        double factor = r == i ? 0 : sums[r][i] / sums[i][i];
        for (int c = 0; c <= n; c++) {
          sums[r][c] -= factor * sums[i][c];
        }
      }
    }
    double[] solution = new double[n];
    for (int i = 0; i < n; i++) {
      solution[i] = sums[i][n] / sums[i][i];
    }
    return solution;
  }

  @Test
  void classesThatComeLaterAreLearned() {
    LinearExpert expert = new LinearExpert(Task.Kind.MULTICLASS, Inputs.of(Scaler.none()), 1);
    Moment moment = new Moment();
    PastLabels labels = new PastLabels();
    for (int t = 0; t < 300; t++) {
      double y = t < 100 ? 7 : t % 2 == 0 ? 3 : 7;
      expert.learn(moment.of(Features.dense(y - 5), labels), y, 1);
    }
    double[] scores = new double[2];
    expert.score(moment.of(Features.dense(-2), labels), new double[] {3, 7}, scores);
    assertThat(scores[0]).isGreaterThan(scores[1]);
  }

  /**
   * Labels that are right in four of five rows: the expected one is 0.6, its squared error 0.64.
   */
  @Test
  void twoClassesAreAnsweredByTheExpectedLabelOverItsSquaredError() throws ModelFileException {
    LinearExpert expert = new LinearExpert(Task.Kind.BINARY, Inputs.of(Scaler.none()), 1);
    Moment moment = new Moment();
    PastLabels labels = new PastLabels();
    Random random = new Random(4);
    for (int t = 0; t < 20_000; t++) {
      double x = random.nextBoolean() ? 1 : -1;
      expert.learn(moment.of(Features.dense(x), labels), random.nextInt(5) > 0 ? x : -x, 1);
    }
    double[] score = new double[1];
    expert.score(moment.of(Features.dense(1), labels), NO_CLASSES, score);
    assertThat(score[0]).isCloseTo(0.6 / 0.64, within(0.1));

    double[] same = new double[1];
    again(expert).score(moment.of(Features.dense(1), labels), NO_CLASSES, same);
    assertThat(same).isEqualTo(score);
    expert.freeze().score(moment.of(Features.dense(1), labels), NO_CLASSES, same);
    assertThat(same[0]).isCloseTo(score[0], within(1e-12));
  }

  /** What is read after an expert was written. */
  static Expert again(InputExpert expert) throws ModelFileException {
    SharedInputs shared = new SharedInputs();
    Experts.take(expert, shared);
    Encoder out = new Encoder();
    shared.encode(out);
    Experts.encode(expert, out, shared);
    Decoder in = new Decoder(out.toBytes());
    return Experts.decodeLive(in, SharedInputs.decode(in), expert.task);
  }

  @Test
  void itSeesPastNumbersAsDifferencesToTheLatest() throws ModelFileException {
    Inputs inputs = Inputs.of(Scaler.none()).behindLabels(List.of(1, 2), NO_CLASSES, 1);
    LinearExpert expert = new LinearExpert(Task.Kind.REGRESSION, inputs, 0);
    PastLabels labels = new PastLabels();
    Moment moment = new Moment();
    Features nothing = Features.dense();
    for (int t = 0; t < 400; t++) {
      expert.learn(moment.of(nothing, labels), 1000 + 2.0 * t, 1);
      labels.add(1000 + 2.0 * t);
    }
    double[] score = new double[1];
    expert.score(moment.of(nothing, labels), NO_CLASSES, score);
    assertThat(score[0]).as("a trend far beyond what inputs show").isCloseTo(1800, within(0.1));

    again(expert).score(moment.of(nothing, labels), NO_CLASSES, score);
    double[] same = new double[1];
    expert.score(moment.of(nothing, labels), NO_CLASSES, same);
    assertThat(score).isEqualTo(same);
  }
}
