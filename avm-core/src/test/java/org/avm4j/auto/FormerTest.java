package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Labels that are wrong for a while, and rules that change for good. */
@Tag("slow")
class FormerTest {
  private final Random random = new Random(7);
  private AutoAvm auto = new AutoAvm(AutoOptions.of(Task.binary()));

  /** Learns rows whose labels are right, or all wrong. */
  private void learn(int rows, boolean isRight) {
    for (int t = 0; t < rows; t++) {
      double[] x = row(random);
      auto.learn(Features.dense(x), isRight ? label(x) : -label(x));
    }
  }

  private static double[] row(Random random) {
    return random.doubles(8, -1, 1).toArray();
  }

  private static double label(double[] x) {
    return Math.sin(4 * x[0]) + x[1] > 0 ? 1 : -1;
  }

  private double error() {
    Model model = auto.snapshot();
    Random probes = new Random(8);
    int mistakes = 0;
    for (int i = 0; i < 2000; i++) {
      double[] x = row(probes);
      mistakes += model.predict(Features.dense(x)) == label(x) ? 0 : 1;
    }
    return mistakes / 2000.0;
  }

  private boolean hasFormer() {
    return new String(auto.toBytes(), StandardCharsets.ISO_8859_1).contains("former");
  }

  /** Eight features, of which two matter: a metric is learned. */
  @Test
  void wrongLabelsAreForgottenOnceTheyAreRightAgain() throws IOException {
    learn(4500, true);
    double before = error();
    assertThat(before).isLessThan(0.03);
    for (int length : new int[] {50, 200, 1000}) {
      learn(length, false);
      assertThat(error()).isGreaterThan(0.4);
      assertThat(hasFormer()).isTrue();
      AutoAvm whole = auto;
      auto = (AutoAvm) OnlineLearner.fromBytes(whole.toBytes());
      learn(length, true);
      assertThat(error()).isLessThan(1.1 * before + 0.005);
      assertThat(hasFormer()).isFalse();
      assertThat(auto.instances()).isEqualTo(whole.instances() + length);
    }
  }

  /** The second search begins at 8,192 rows and takes some hundred of them. */
  @Test
  void wrongLabelsDuringTheSecondSearchAreForgotten() throws IOException {
    learn(8210, true);
    double before = error();
    learn(60, false);
    assertThat(error()).isGreaterThan(0.4);
    auto = (AutoAvm) OnlineLearner.fromBytes(auto.toBytes());
    learn(60, true);
    assertThat(error()).isLessThan(1.1 * before + 0.005);
    assertThat(hasFormer()).isFalse();
  }

  @Test
  void wrongNumbersAreForgotten() {
    auto = new AutoAvm(AutoOptions.of(Task.regression()));
    learnNumbers(9000, 1);
    double before = numericError();
    learnNumbers(1, -1);
    assertThat(numericError()).as("after one wrong label").isLessThan(1.3 * before);
    learnNumbers(1, 1);
    learnNumbers(100, -1);
    assertThat(numericError()).isGreaterThan(1);
    learnNumbers(100, 1);
    assertThat(numericError()).isLessThan(1.3 * before);
  }

  private static double number(double[] x) {
    return 3 * Math.sin(4 * x[0]) + x[1] * x[1];
  }

  private void learnNumbers(int rows, int factor) {
    for (int t = 0; t < rows; t++) {
      double[] x = row(random);
      auto.learn(Features.dense(x), factor * number(x) + 0.1 * random.nextGaussian());
    }
  }

  private double numericError() {
    Model model = auto.snapshot();
    Random probes = new Random(8);
    double squares = 0;
    for (int i = 0; i < 2000; i++) {
      double[] x = row(probes);
      double miss = model.predict(Features.dense(x)) - number(x);
      squares += miss * miss;
    }
    return Math.sqrt(squares / 2000);
  }

  @Test
  void itResumesBitForBitWhileLabelsAreWrong() throws IOException {
    learn(2600, true);
    learn(100, false);
    assertThat(hasFormer()).isTrue();
    AutoAvm other = (AutoAvm) OnlineLearner.fromBytes(auto.toBytes());
    for (int t = 0; t < 200; t++) {
      double[] x = row(random);
      Features row = Features.dense(x);
      assertThat(other.predict(row)).isEqualTo(auto.predict(row));
      other.learn(row, label(x));
      auto.learn(row, label(x));
    }
    assertThat(hasFormer()).isFalse();
    assertThat(other.toBytes()).isEqualTo(auto.toBytes());
  }

  /** The fourth class comes in blocks; nothing about it is wrong. */
  @Test
  void aClassThatAppearsIsNotForgotten() {
    auto = new AutoAvm(AutoOptions.of(Task.multiclass()));
    learnBlobs(2700, 3, 0);
    for (int block = 0; block < 2; block++) {
      learnBlobs(200, 1, 3);
      learnBlobs(300, 3, 0);
      assertThat(auto.classes()).containsExactly(0, 1, 2, 3);
    }
    assertThat(auto.snapshot().predict(blob(3))).isEqualTo(3);
  }

  private void learnBlobs(int rows, int classes, int first) {
    for (int t = 0; t < rows; t++) {
      int y = first + random.nextInt(classes);
      auto.learn(blob(y), y);
    }
  }

  private Features blob(int y) {
    double x = y % 2 * 4 + 0.5 * random.nextGaussian();
    return Features.dense(x, y / 2 * 4 + 0.5 * random.nextGaussian());
  }

  @Test
  void aRuleThatChangesForGoodIsLearned() {
    learn(2600, true);
    learn(2500, false);
    assertThat(hasFormer()).isFalse();
    assertThat(error()).isGreaterThan(0.9);
  }
}
