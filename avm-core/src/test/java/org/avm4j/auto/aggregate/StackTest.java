package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class StackTest {
  private static final int MEMBERS = 4;
  private static final int ROWS = 300;

  private static double[][] scores(SplitMix random, double label) {
    double[][] scores = new double[MEMBERS][1];
    for (int m = 0; m < MEMBERS; m++) {
      scores[m][0] = (m + 1) * 0.2 * label + random.getAsDouble() - 0.5;
    }
    return scores;
  }

  /** A stack that learned all rows; one member said nothing, or none if -1. */
  private static Stack without(int member) {
    SplitMix random = new SplitMix(7);
    Stack stack = new Stack(MEMBERS);
    for (int t = 0; t < ROWS; t++) {
      double label = random.nextInt(2) * 2 - 1;
      double[][] scores = scores(random, label);
      if (member >= 0) {
        scores[member][0] = 0;
      }
      stack.learn(scores, 0, label, 1);
      stack.settle();
    }
    return stack;
  }

  /** The sum of the class comment, term by term. */
  @Test
  void theDistanceIsWhatTheWeightsMinimise() {
    Stack stack = without(-1);
    double[] w = stack.weights();
    double[] start = {1, 0, 0, 0, 0};
    double expected = 0;
    for (int i = 0; i < w.length; i++) {
      expected += 3 * (w[i] - start[i]) * (w[i] - start[i]);
    }
    SplitMix random = new SplitMix(7);
    for (int t = 0; t < ROWS; t++) {
      double label = random.nextInt(2) * 2 - 1;
      double[][] scores = scores(random, label);
      double sum = w[MEMBERS];
      for (int m = 0; m < MEMBERS; m++) {
        sum += w[m] * scores[m][0];
      }
      expected += Math.pow(0.999, ROWS - t) * (sum - label) * (sum - label);
    }
    assertThat(stack.distance()).isCloseTo(expected, within(1e-9 * expected));
  }

  @Test
  void aMemberIsWorthWhatAStackThatNeverHadItLacks() {
    Stack all = without(-1);
    for (int m = 1; m < MEMBERS; m++) {
      double lacks = without(m).distance() - all.distance();
      assertThat(all.worth(m)).isPositive().isCloseTo(lacks, within(1e-9 * all.distance()));
    }
  }
}
