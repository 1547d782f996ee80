package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.junit.jupiter.api.Test;

/** Rows without labels teach automatic mode. */
class ObservedRowsTest {
  private static final double LABELS = 0.01;

  /** Two spirals, one turned against the other. */
  private static final class Spirals {
    private final Random random = new Random(8);

    Features row(int label) {
      double angle = 1 + 8 * random.nextDouble();
      double turned = angle + Math.PI * label;
      return Features.dense(
          angle * Math.cos(turned) + 0.1 * random.nextGaussian(),
          angle * Math.sin(turned) + 0.1 * random.nextGaussian());
    }
  }

  /** The number of wrong answers to 3,000 rows, of which about 30 have a label. */
  private static int mistakes(AutoAvm auto, boolean observes) {
    Spirals spirals = new Spirals();
    Random random = new Random(9);
    int mistakes = 0;
    for (int t = 0; t < 3000; t++) {
      int y = random.nextInt(2);
      Features x = spirals.row(y);
      mistakes += auto.predict(x) == y ? 0 : 1;
      if (random.nextDouble() < LABELS) {
        auto.learn(x, y);
      } else if (observes) {
        auto.observe(x);
      }
    }
    return mistakes;
  }

  @Test
  void rowsWithoutLabelsLowerTheError() {
    int labelsOnly = mistakes(new AutoAvm(), false);
    int both = mistakes(new AutoAvm(), true);
    assertThat(both).isLessThan(labelsOnly * 9 / 10);
  }

  @Test
  void aSavedLearnerGoesOnBitForBit() throws IOException {
    AutoAvm whole = new AutoAvm();
    OnlineLearner parted = new AutoAvm();
    Spirals spirals = new Spirals();
    Random random = new Random(10);
    for (int t = 0; t < 1500; t++) {
      int y = random.nextInt(3) == 0 ? 1 : 0;
      Features x = spirals.row(y);
      for (OnlineLearner each : new OnlineLearner[] {whole, parted}) {
        if (t % 4 == 0) {
          each.learn(x, y);
        } else {
          each.observe(x);
        }
      }
      if (t % 97 == 0) {
        parted = OnlineLearner.fromBytes(parted.toBytes());
      }
    }
    assertThat(parted.toBytes()).isEqualTo(whole.toBytes());
    Features x = spirals.row(1);
    assertThat(whole.snapshot().predict(x)).isEqualTo(parted.snapshot().predict(x));
  }

  /** The bytes by which the first row without a label makes a learner larger. */
  private static int growth(int labels) {
    AutoAvm auto = new AutoAvm(AutoOptions.of(Task.multiclass()));
    Spirals spirals = new Spirals();
    for (int t = 0; t < labels; t++) {
      auto.learn(spirals.row(t % 2), t % 2);
    }
    int before = auto.toBytes().length;
    assertThat(auto.observe(spirals.row(0))).isTrue();
    return auto.toBytes().length - before;
  }

  /** A point of the graph takes 40 bytes and more. */
  @Test
  void labelsFromBeforeTheFirstSuchRowCount() {
    assertThat(growth(40) - growth(10)).isGreaterThan(30 * 40);
  }

  @Test
  void anExtremeValueLeavesALearnerThatCanBeRead() throws IOException {
    AutoAvm auto = new AutoAvm(AutoOptions.of(Task.multiclass()));
    Spirals spirals = new Spirals();
    for (int t = 0; t < 300; t++) {
      Features x = spirals.row(t % 2);
      double nearlyConstant = t % 2 == 0 ? 0.3 : Math.nextUp(0.3);
      Features row = Features.dense(x.get(0), x.get(1), t == 200 ? 1e14 : nearlyConstant);
      auto.learn(row, t % 2);
      auto.observe(row);
    }
    assertThat(OnlineLearner.fromBytes(auto.toBytes()).toBytes()).isEqualTo(auto.toBytes());
  }

  @Test
  void nothingChangesWhereSuchRowsAreOfNoUse() {
    AutoAvm numbers = new AutoAvm(AutoOptions.of(Task.regression()));
    AutoAvm fresh = new AutoAvm();
    for (int t = 0; t < 40; t++) {
      numbers.learn(Features.dense(t, 1), t / 3.0);
    }
    for (AutoAvm auto : new AutoAvm[] {numbers, fresh}) {
      byte[] before = auto.toBytes();
      assertThat(auto.observe(Features.dense(1, 2))).isFalse();
      assertThat(auto.toBytes()).isEqualTo(before);
    }
  }

  @Test
  void aRowThatCannotBeLearnedIsRefusedAndChangesNothing() {
    AutoAvm auto = new AutoAvm();
    Spirals spirals = new Spirals();
    for (int t = 0; t < 40; t++) {
      auto.learn(spirals.row(t % 2), t % 2);
      auto.observe(spirals.row(0));
    }
    byte[] before = auto.toBytes();
    assertThatThrownBy(() -> auto.observe(Features.dense(Double.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(auto.toBytes()).isEqualTo(before);
  }
}
