package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Task;
import org.junit.jupiter.api.Test;

class JudgementTest {
  private static final double[] CLASSES = {2, 5, 9};

  private static Judgement numberOf(double label) {
    Judgement judgement = new Judgement(Task.Kind.REGRESSION);
    assertThat(judgement.hold(label, new double[1], new double[0])).isTrue();
    return judgement;
  }

  private static double[] limited(Task.Kind task, double... scores) {
    new Judgement(task).limit(scores);
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
    Judgement judgement = numberOf(1);
    assertThat(judgement.loss(new double[] {3})).isEqualTo(4);
    assertThat(judgement.loss(new double[] {-1})).isEqualTo(4);
    assertThat(judgement.loss(new double[] {4})).isEqualTo(9);
    assertThat(judgement.loss(new double[] {6})).isEqualTo(21);
    assertThat(judgement.loss(new double[] {-4})).isEqualTo(21);
  }

  @Test
  void theGainIsTheSlopeOfTheLossTimesTheWay() {
    for (double answer : new double[] {-8, 0.2, 1.7, 9}) {
      Judgement judgement = numberOf(1);
      double step = 1e-6;
      double gained =
          judgement.loss(new double[] {answer}) - judgement.loss(new double[] {answer + step});
      assertThat(judgement.gain(new double[] {answer}, new double[] {answer + step}))
          .isCloseTo(gained, within(1e-10));
    }
  }

  @Test
  void ofSeveralClassesTheOwnOneAndTheStrongestOtherCount() {
    Judgement judgement = new Judgement(Task.Kind.MULTICLASS);
    assertThat(judgement.hold(5, new double[] {-0.5, 0, 0.25}, CLASSES)).isTrue();
    double[] scores = {0.75, 0.5, -0.25};
    assertThat(judgement.loss(scores)).isEqualTo(0.5 * 0.5 + 0.75 * 0.75);
    double[] answer = {0, 0.25, 0.5};
    double own = 2 * (0.25 - 1) * (0.25 - 0.5);
    double rival = 2 * (0.5 + 1) * (0.5 + 0.25);
    assertThat(judgement.gain(answer, scores)).isEqualTo(own + rival);
  }

  @Test
  void theRivalIsNeverTheOwnClassAndTheFirstOfTwoThatAreEqual() {
    Judgement judgement = new Judgement(Task.Kind.MULTICLASS);
    judgement.hold(2, new double[] {1, 0, 0}, CLASSES);
    assertThat(judgement.loss(new double[] {1, 1, 0})).as("5, not 9").isEqualTo(4);
    judgement.hold(9, new double[] {0, 0.5, 1}, CLASSES);
    assertThat(judgement.loss(new double[] {1, -1, 1})).as("5, not 2").isZero();
    judgement.hold(9, new double[] {0.5, 0, 1}, CLASSES);
    assertThat(judgement.loss(new double[] {1, -1, 1})).as("2, not 5").isEqualTo(4);
    double[] answer = {0.5, 0, 1};
    assertThat(judgement.gain(answer, new double[] {0, 0, 1})).isEqualTo(2 * 1.5 * 0.5);
  }

  @Test
  void aLoneClassHasNoRival() {
    Judgement judgement = new Judgement(Task.Kind.MULTICLASS);
    assertThat(judgement.hold(2, new double[] {0.5}, new double[] {2})).isTrue();
    assertThat(judgement.loss(new double[] {0.5})).isEqualTo(0.25);
    assertThat(judgement.gain(new double[] {0.5}, new double[] {1})).isEqualTo(0.5);
  }

  @Test
  void aLabelWithoutAColumnIsNotHeld() {
    Judgement judgement = new Judgement(Task.Kind.MULTICLASS);
    assertThat(judgement.hold(2, new double[3], CLASSES)).isTrue();
    assertThat(judgement.hold(7, new double[3], CLASSES)).isFalse();
  }
}
