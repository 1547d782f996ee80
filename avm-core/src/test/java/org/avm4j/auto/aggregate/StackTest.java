package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.avm4j.Dense;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class StackTest {
  private static final int MEMBERS = 4;
  private static final int ROWS = 300;
  private static final Offset<Double> TINY = within(1e-12);

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
    Stack stack = new Stack(Task.Kind.REGRESSION, MEMBERS);
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
      expected += (w[i] - start[i]) * (w[i] - start[i]);
    }
    SplitMix random = new SplitMix(7);
    for (int t = 0; t < ROWS; t++) {
      double label = random.nextInt(2) * 2 - 1;
      double[][] scores = scores(random, label);
      double sum = w[MEMBERS];
      for (int m = 0; m < MEMBERS; m++) {
        sum += w[m] * scores[m][0];
      }
      expected += Math.pow(1023.0 / 1024, ROWS - t) * (sum - label) * (sum - label);
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

  /** Two members, one of them far off, against the normal equations. */
  @Test
  void itIsRidgeRegressionTowardsTheFirstMember() {
    Stack stack = new Stack(Task.Kind.REGRESSION, 2);
    double[][] a = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double[] b = {1, 0, 0};
    SplitMix random = new SplitMix(4);
    for (int t = 0; t < 40; t++) {
      double label = 30 * random.getAsDouble() - 15;
      double weight = t == 7 ? 1e9 : 1 + t % 2;
      double[][] scores = {{label + random.getAsDouble()}, {label - 3 * random.getAsDouble()}};
      stack.learn(scores, 0, label, weight);
      double[] row = {clipped(scores[0][0]), clipped(scores[1][0]), 1};
      Dense.add(a, b, Math.min(1024, weight), clipped(label), row);
    }
    stack.solve();
    assertThat(stack.weights()).containsExactly(Dense.solve(a, b), within(1e-9));
  }

  private static double clipped(double score) {
    return score > 12 ? 12 : score < -12 ? -12 : score;
  }

  @Test
  void scoresFarOffAreClipped() {
    double[] into = new double[2];
    double[][] scores = {{30, 5}, {-30, -5}};
    Stack.combine(new double[] {1, 0.5, 0.25}, scores, into);
    assertThat(into).containsExactly(12 - 6 + 0.25, 5 - 2.5 + 0.25);
  }

  @Test
  void theColumnIsTheOneThatIsNamed() {
    Stack second = new Stack(Task.Kind.REGRESSION, 1);
    Stack only = new Stack(Task.Kind.REGRESSION, 1);
    second.learn(new double[][] {{7, 2}}, 1, 3, 1);
    only.learn(new double[][] {{2}}, 0, 3, 1);
    second.settle();
    only.settle();
    assertThat(second.weights()).isEqualTo(only.weights());
  }

  @Test
  void aMemberThatIsForgottenIsAsIfItHadNeverSaidAnything() {
    for (int m = 1; m < MEMBERS; m++) {
      Stack forgotten = without(-1);
      forgotten.forget(m);
      assertThat(forgotten.weights()[m]).isZero();
      forgotten.solve();
      Stack never = without(m);
      assertThat(forgotten.weights()).containsExactly(never.weights(), within(1e-12));
      assertThat(forgotten.distance()).isCloseTo(never.distance(), within(1e-9));
    }
  }

  @Test
  void aLargerOneTakesOverTheFirstMembersAndTheBias() {
    Stack small = without(-1);
    Stack large = new Stack(Task.Kind.REGRESSION, MEMBERS + 2);
    large.takeOver(small, MEMBERS);
    double[] w = small.weights();
    double[] padded = {w[0], w[1], w[2], w[3], 0, 0, w[4]};
    assertThat(large.weights()).isEqualTo(padded);
    large.solve();
    small.solve();
    assertThat(large.weights()).containsExactly(padded, within(1e-9));
    assertThat(large.distance()).isCloseTo(small.distance(), within(1e-9));
    Stack part = new Stack(Task.Kind.REGRESSION, 2);
    part.takeOver(small, 2);
    part.solve();
    small.forget(2);
    small.forget(3);
    small.solve();
    double[] rest = small.weights();
    assertThat(part.weights()).containsExactly(new double[] {rest[0], rest[1], rest[4]}, TINY);
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    Stack stack = without(-1);
    Encoder out = new Encoder();
    stack.encode(out);
    Stack read = Stack.decode(new Decoder(out.toBytes()), Task.Kind.REGRESSION, MEMBERS);
    assertThat(read.weights()).isEqualTo(stack.weights());
    stack.solve();
    read.solve();
    assertThat(read.weights()).isEqualTo(stack.weights());
    assertThat(read.distance()).isEqualTo(stack.distance());
  }

  @Test
  void aDistanceIsNeverNegative() {
    Stack stack = new Stack(Task.Kind.REGRESSION, 1);
    stack.solve();
    assertThat(stack.distance()).isBetween(0.0, 1e-12);
    assertThat(stack.weights()).containsExactly(new double[] {1, 0}, TINY);
  }
}
