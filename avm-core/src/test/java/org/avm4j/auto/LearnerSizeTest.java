package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.Features;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/** The size of a saved learner, which docs/research/automatic.md states. */
class LearnerSizeTest {
  private static final int FEATURES = 10;

  private static long bytes(AutoAvm auto, int rows) {
    SplitMix random = new SplitMix(1);
    for (int i = 0; i < rows; i++) {
      double[] x = new double[FEATURES];
      for (int j = 0; j < FEATURES; j++) {
        x[j] = random.getAsDouble();
      }
      double y = 10 * StrictMath.sin(3 * x[0] * x[1]) + 5 * x[2] + random.getAsDouble();
      auto.learn(Features.dense(x), y);
    }
    return auto.toBytes().length;
  }

  /** 3 MB, and 3 KB a row. */
  @Test
  void theLearnerIsWithinItsBound() {
    AutoAvm auto = new AutoAvm();
    assertThat(bytes(auto, 300)).isLessThan(3_900_000);
    assertThat(bytes(auto, 2500)).isLessThan(10_500_000);
  }

  @Test
  void oneMachineStaysSmall() {
    AutoAvm auto = new AutoAvm(AutoOptions.all(100));
    assertThat(bytes(auto, 2500)).isLessThan(1_500_000);
  }
}
