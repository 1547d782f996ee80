package org.avm4j.conformal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.Random;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConformalTest {
  private static final double[] NONE = {};
  private static final double[] PAIR = {-1, 1};

  private static Prediction number(double answer) {
    return new Prediction(answer, NONE, new double[] {answer});
  }

  private static Prediction pair(double likely) {
    return new Prediction(
        likely < 0.5 ? -1 : 1,
        PAIR,
        new double[] {likely - 0.5},
        new double[] {1 - likely, likely});
  }

  /** The errors of a stream, one after the other; how large they are is up to the stream. */
  private interface Errors {
    double at(int t, Interval interval, Random random);
  }

  /** Whether each of the answers of a stream of errors around 0 was covered. */
  private static boolean[] covered(Conformal certainty, double level, int n, Errors errors) {
    Random random = new Random(5);
    boolean[] covered = new boolean[n];
    for (int t = 0; t < n; t++) {
      Prediction answer = certainty.of(number(0));
      double y = errors.at(t, answer.interval(level), random);
      covered[t] = answer.interval(level).contains(y);
      certainty.learn(answer, y);
    }
    return covered;
  }

  private static double part(boolean[] covered, int from, int to) {
    int count = 0;
    for (int t = from; t < to; t++) {
      count += covered[t] ? 1 : 0;
    }
    return count / (double) (to - from);
  }

  private static void assertEveryWindowHolds(boolean[] covered, double level) {
    for (int from = 2000; from + 1000 <= covered.length; from += 50) {
      assertThat(part(covered, from, from + 1000)).isCloseTo(level, within(0.03));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.8, 0.85, 0.9, 0.95, 0.99})
  void aLevelThatWasAskedForHoldsInAStreamThatStaysTheSame(double level) {
    boolean[] covered =
        covered(new Conformal(level), level, 20_000, (t, i, random) -> random.nextGaussian());
    assertThat(part(covered, 0, covered.length)).isCloseTo(level, within(0.005));
    assertEveryWindowHolds(covered, level);
  }

  @Test
  void oneStateTellsOfAllLevels() {
    Conformal certainty = new Conformal(0.9);
    Random random = new Random(3);
    double[] levels = {0.4, 0.7, 0.8, 0.87, 0.95, 0.97, 0.995};
    int[] covered = new int[levels.length];
    int n = 20_000;
    for (int t = 0; t < n; t++) {
      Prediction answer = certainty.of(number(0));
      double y = random.nextGaussian();
      for (int i = 0; i < levels.length; i++) {
        covered[i] += answer.interval(levels[i]).contains(y) ? 1 : 0;
      }
      certainty.learn(answer, y);
    }
    for (int i = 0; i < levels.length; i++) {
      assertThat(covered[i] / (double) n).isCloseTo(levels[i], within(0.02));
    }
  }

  @Test
  void intervalsOfHigherLevelsHoldThoseOfLowerOnes() {
    Conformal certainty = new Conformal(0.9);
    covered(certainty, 0.9, 3000, (t, i, random) -> random.nextGaussian() * (1 + t % 100));
    Prediction answer = certainty.of(number(2));
    double narrower = 0;
    for (double level = 0.02; level < 0.999; level += 0.01) {
      double width = answer.interval(level).width();
      assertThat(width).isGreaterThanOrEqualTo(narrower);
      narrower = width;
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.95})
  void coverageComesBackSoonAfterErrorsGrowAtOnce(double level) {
    boolean[] covered =
        covered(
            new Conformal(level),
            level,
            12_000,
            (t, i, random) -> random.nextGaussian() * (t < 6000 ? 1 : 20));
    assertThat(part(covered, 6500, 7500)).isCloseTo(level, within(0.02));
    assertEveryWindowHolds(covered, level);
  }

  @Test
  void coverageComesBackSoonAfterErrorsShrinkAtOnce() {
    boolean[] covered =
        covered(
            new Conformal(0.9),
            0.9,
            12_000,
            (t, i, random) -> random.nextGaussian() * (t < 6000 ? 20 : 1));
    assertThat(part(covered, 6500, 7500)).isCloseTo(0.9, within(0.02));
  }

  @Test
  void coverageHoldsWhileErrorsGrowWithoutEnd() {
    boolean[] covered =
        covered(
            new Conformal(0.9),
            0.9,
            20_000,
            (t, i, random) -> random.nextGaussian() * StrictMath.exp(t / 1000.0));
    assertThat(part(covered, 0, covered.length)).isCloseTo(0.9, within(0.005));
    assertEveryWindowHolds(covered, 0.9);
  }

  /** Errors are as large as they may be, or just beyond the interval, to be missed. */
  @Test
  void anAdversaryWhoSeesTheIntervalMissesNoMoreThanIsDue() {
    double largest = 1e6;
    boolean[] covered =
        covered(
            new Conformal(0.9),
            0.9,
            20_000,
            (t, interval, random) -> Math.min(largest, 1.01 * interval.high() + 1e-9));
    assertThat(part(covered, 0, covered.length)).isCloseTo(0.9, within(0.01));
  }

  @Test
  void errorsInTurnsOfAnyLengthAreCovered() {
    for (int length : new int[] {1, 2, 7, 30, 500}) {
      boolean[] covered =
          covered(
              new Conformal(0.9),
              0.9,
              10_000,
              (t, i, random) -> random.nextGaussian() * (t / length % 2 == 0 ? 1 : 1000));
      assertThat(part(covered, 0, covered.length)).isCloseTo(0.9, within(0.005));
    }
  }

  @Test
  void intervalsAreNarrowWhereErrorsAreSmall() {
    Conformal certainty = new Conformal(0.9);
    Random random = new Random(8);
    for (int t = 0; t < 10_000; t++) {
      double answer = random.nextGaussian();
      double y = answer + random.nextGaussian() * (answer < 0 ? 1 : 10);
      certainty.learn(number(answer), y);
    }
    double low = certainty.of(number(-1)).interval(0.9).width();
    double high = certainty.of(number(1)).interval(0.9).width();
    assertThat(high / low).isBetween(5.0, 20.0);
  }

  @Test
  void beforeTheFirstRowAnythingMayCome() {
    Interval interval = new Conformal(0.9).of(number(3)).interval(0.9);
    assertThat(interval.contains(-1e300) && interval.contains(1e300)).isTrue();
    assertThat(new Conformal(0.9).of(pair(0.9)).labels(0.9)).containsExactly(-1, 1);
  }

  @Test
  void answersThatAreAlwaysRightNeedNoInterval() {
    Conformal certainty = new Conformal(0.9);
    for (int t = 0; t < 100; t++) {
      certainty.learn(number(4), 4);
    }
    assertThat(certainty.of(number(4)).interval(0.9)).isEqualTo(new Interval(4, 4));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.8, 0.9, 0.95})
  void setsOfLabelsHoldAsOftenAsTheyPromise(double level) {
    Conformal certainty = new Conformal(level);
    Random random = new Random(2);
    int n = 20_000;
    boolean[] covered = new boolean[n];
    for (int t = 0; t < n; t++) {
      double likely = random.nextDouble();
      double y = random.nextDouble() < likely ? 1 : -1;
      Prediction answer = certainty.of(pair(t < n / 2 ? likely : StrictMath.sqrt(likely)));
      for (double label : answer.labels(level)) {
        covered[t] |= label == y;
      }
      certainty.learn(answer, y);
    }
    assertThat(part(covered, 0, n)).isCloseTo(level, within(0.005));
    assertEveryWindowHolds(covered, level);
  }

  @Test
  void aClassThatNobodyKnewIsNotOwed() {
    Conformal certainty = new Conformal(0.9);
    Random random = new Random(2);
    for (int t = 0; t < 2000; t++) {
      double likely = random.nextDouble();
      certainty.learn(pair(likely), random.nextDouble() < likely ? 1 : -1);
    }
    Prediction before = certainty.of(pair(0.97));
    for (int t = 0; t < 100; t++) {
      certainty.learn(pair(0.97), 7);
    }
    assertThat(certainty.of(pair(0.97)).labels(0.9)).isEqualTo(before.labels(0.9));
  }

  @Test
  void numbersThatBecomeClassesAreGatheredAnew() {
    Conformal certainty = new Conformal(0.9);
    covered(certainty, 0.9, 100, (t, i, random) -> 1000);
    assertThat(certainty.of(pair(0.6)).labels(0.9)).containsExactly(-1, 1);
    for (int t = 0; t < 100; t++) {
      certainty.learn(pair(0.99), 1);
    }
    assertThat(certainty.of(pair(0.999)).labels(0.9)).containsExactly(1);
  }

  @Test
  void whatWasSavedGoesOnBitForBit() throws ModelFileException {
    Conformal whole = new Conformal(0.83);
    covered(whole, 0.83, 1700, (t, i, random) -> random.nextGaussian() * (1 + t % 10));
    Conformal resumed = Conformal.decode(new Decoder(bytes(whole)));
    assertThat(bytes(resumed)).isEqualTo(bytes(whole));
    covered(whole, 0.83, 700, (t, i, random) -> random.nextGaussian());
    covered(resumed, 0.83, 700, (t, i, random) -> random.nextGaussian());
    assertThat(bytes(resumed)).isEqualTo(bytes(whole));
    assertThat(resumed.of(number(1))).isEqualTo(whole.of(number(1)));
  }

  @Test
  void aFrozenModelAnswersAsTheLearnerDid() throws ModelFileException {
    Conformal certainty = new Conformal(0.9);
    covered(certainty, 0.9, 3000, (t, i, random) -> random.nextGaussian());
    ConformalModel frozen = certainty.snapshot();
    Prediction before = certainty.of(number(0.3));
    covered(certainty, 0.9, 100, (t, i, random) -> 1e6);
    assertThat(frozen.of(number(0.3))).isEqualTo(before);
    Encoder out = new Encoder();
    frozen.encode(out);
    ConformalModel loaded = ConformalModel.decode(new Decoder(out.toBytes()));
    assertThat(loaded.of(number(0.3))).isEqualTo(before);
    assertThat(loaded.detached().of(number(0.3)).interval(0.9).width())
        .isCloseTo(2 * 1.645, within(0.3));
  }

  @Test
  void heldOutRowsGiveTheQuantileOfTheirErrors() {
    Conformal certainty = new Conformal(0.9);
    covered(certainty, 0.9, 3000, (t, i, random) -> random.nextGaussian());
    int n = 999;
    double[] labels = new double[n];
    for (int i = 0; i < n; i++) {
      labels[i] = i + 1;
    }
    ConformalModel split = certainty.snapshot().split(Collections.nCopies(n, number(0)), labels);
    assertThat(split.of(number(0)).interval(0.9).high()).isCloseTo(900, within(1e-6));
  }

  @Test
  void aForgedStateIsRefused() {
    Conformal certainty = new Conformal(0.9);
    covered(certainty, 0.9, 30, (t, i, random) -> random.nextGaussian());
    byte[] bytes = bytes(certainty);
    byte[] level = bytes.clone();
    level[0] = 0x7f;
    assertThatThrownBy(() -> Conformal.decode(new Decoder(level)))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("a level");
    byte[] debt = bytes.clone();
    int debts = 8 + 1 + 4 + 2 * (4 + 29 * 8) + 4;
    debt[debts] = 0x7f;
    assertThatThrownBy(() -> Conformal.decode(new Decoder(debt)))
        .isInstanceOf(ModelFileException.class);
  }

  @Test
  void aLevelMustBeAPart() {
    assertThatThrownBy(() -> new Conformal(1)).hasMessageContaining("above 0 and below 1: 1.0");
    Prediction answer = new Conformal(0.9).of(number(0));
    assertThatThrownBy(() -> answer.interval(0)).hasMessageContaining("above 0 and below 1: 0.0");
  }

  @Test
  void whatIsNotKnownIsNotTold() {
    assertThatThrownBy(() -> number(1).interval(0.9)).hasMessageContaining("how sure it is");
    Prediction set = new Conformal(0.9).of(pair(0.5));
    assertThatThrownBy(() -> set.interval(0.9)).hasMessageContaining("the answer is a class");
    Prediction interval = new Conformal(0.9).of(number(0.5));
    assertThatThrownBy(() -> interval.labels(0.9)).hasMessageContaining("the answer is a number");
  }

  private static byte[] bytes(Conformal certainty) {
    Encoder out = new Encoder();
    certainty.encode(out);
    return out.toBytes();
  }
}
