package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Task;
import org.junit.jupiter.api.Test;

class HuberLossTest {
  private static final double[] CLASSES = {2, 5, 9};

  private static HuberLoss numberOf(double label) {
    HuberLoss huber = new HuberLoss(Task.Kind.REGRESSION);
    assertThat(huber.hold(label, new double[1], new double[0])).isTrue();
    return huber;
  }

  private static double[] limited(Task.Kind task, double... scores) {
    new HuberLoss(task).limit(scores);
    return scores;
  }

  @Test
  void onlyScoresOfClassesAreLimited() {
    double[] wild = {-3, -0.5, Double.NaN, 0.5, 3};
    assertThat(limited(Task.Kind.BINARY, wild.clone())).containsExactly(-1, -0.5, 0, 0.5, 1);
    assertThat(limited(Task.Kind.REGRESSION, wild)).containsExactly(-3, -0.5, 0, 0.5, 3);
  }

  /** The square up to 3, then the tangent: 9 + 6 (|miss| - 3). */
  @Test
  void theLossOfANumberIsHubers() {
    HuberLoss huber = numberOf(1);
    assertThat(huber.loss(new double[] {3})).isEqualTo(4);
    assertThat(huber.loss(new double[] {-1})).isEqualTo(4);
    assertThat(huber.loss(new double[] {4})).isEqualTo(9);
    assertThat(huber.loss(new double[] {6})).isEqualTo(21);
    assertThat(huber.loss(new double[] {-4})).isEqualTo(21);
  }

  @Test
  void theGainIsTheSlopeOfTheLossTimesTheWay() {
    for (double answer : new double[] {-8, 0.2, 1.7, 9}) {
      HuberLoss huber = numberOf(1);
      double step = 1e-6;
      double gained = huber.loss(new double[] {answer}) - huber.loss(new double[] {answer + step});
      assertThat(huber.gain(new double[] {answer}, new double[] {answer + step}))
          .isCloseTo(gained, within(1e-10));
    }
  }

  @Test
  void ofSeveralClassesTheOwnOneAndTheStrongestOtherCount() {
    HuberLoss huber = new HuberLoss(Task.Kind.MULTICLASS);
    assertThat(huber.hold(5, new double[] {-0.5, 0, 0.25}, CLASSES)).isTrue();
    double[] scores = {0.75, 0.5, -0.25};
    assertThat(huber.loss(scores)).isEqualTo(0.5 * 0.5 + 0.75 * 0.75);
    double[] answer = {0, 0.25, 0.5};
    double own = 2 * (0.25 - 1) * (0.25 - 0.5);
    double rival = 2 * (0.5 + 1) * (0.5 + 0.25);
    assertThat(huber.gain(answer, scores)).isEqualTo(own + rival);
  }

  @Test
  void theRivalIsNeverTheOwnClassAndTheFirstOfTwoThatAreEqual() {
    HuberLoss huber = new HuberLoss(Task.Kind.MULTICLASS);
    huber.hold(2, new double[] {1, 0, 0}, CLASSES);
    assertThat(huber.loss(new double[] {1, 1, 0})).as("5, not 9").isEqualTo(4);
    huber.hold(9, new double[] {0, 0.5, 1}, CLASSES);
    assertThat(huber.loss(new double[] {1, -1, 1})).as("5, not 2").isZero();
    huber.hold(9, new double[] {0.5, 0, 1}, CLASSES);
    assertThat(huber.loss(new double[] {1, -1, 1})).as("2, not 5").isEqualTo(4);
    double[] answer = {0.5, 0, 1};
    assertThat(huber.gain(answer, new double[] {0, 0, 1})).isEqualTo(2 * 1.5 * 0.5);
  }

  @Test
  void aLoneClassHasNoRival() {
    HuberLoss huber = new HuberLoss(Task.Kind.MULTICLASS);
    assertThat(huber.hold(2, new double[] {0.5}, new double[] {2})).isTrue();
    assertThat(huber.loss(new double[] {0.5})).isEqualTo(0.25);
    assertThat(huber.gain(new double[] {0.5}, new double[] {1})).isEqualTo(0.5);
  }

  @Test
  void aLabelWithoutAColumnIsNotHeld() {
    HuberLoss huber = new HuberLoss(Task.Kind.MULTICLASS);
    assertThat(huber.hold(2, new double[3], CLASSES)).isTrue();
    assertThat(huber.hold(7, new double[3], CLASSES)).isFalse();
  }
}
