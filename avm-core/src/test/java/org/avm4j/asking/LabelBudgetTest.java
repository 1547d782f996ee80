package org.avm4j.asking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelBudgetTest {
  private static final double[] THREE = {1, 2, 3};

  private static Prediction binary(double score) {
    return new Prediction(score < 0 ? -1 : 1, new double[] {-1, 1}, new double[] {score});
  }

  private static boolean[] asked(LabelBudget budget, int rows, IntToDoubleFunction scores) {
    boolean[] asked = new boolean[rows];
    for (int t = 0; t < rows; t++) {
      asked[t] = budget.ask(binary(scores.applyAsDouble(t)));
    }
    return asked;
  }

  /** The largest difference between labels and budget over all windows. */
  private static double worst(boolean[] asked, double share) {
    double sum = 0;
    double low = 0;
    double high = 0;
    double worst = 0;
    for (boolean each : asked) {
      sum += (each ? 1 : 0) - share;
      worst = Math.max(worst, Math.max(sum - low, high - sum));
      low = Math.min(low, sum);
      high = Math.max(high, sum);
    }
    return worst;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.01, 0.05, 0.3, 0.9, 1})
  void noWindowIsOffItsBudgetByMoreThanTheBucket(double share) {
    Random random = new Random(3);
    IntToDoubleFunction[] streams = {
      t -> random.nextGaussian(),
      t -> 1,
      t -> t,
      t -> 1.0 / (1 + t),
      t -> (t / 700 % 2 == 0 ? 1 : 1e-6) * random.nextGaussian()
    };
    for (IntToDoubleFunction stream : streams) {
      LabelBudget budget = new LabelBudget(new AskOptions(share), 1);
      boolean[] asked = asked(budget, 10_000, stream);
      assertThat(worst(asked, share)).isLessThanOrEqualTo(LabelBudget.TOKENS + 1e-6);
      assertThat(budget.rows()).isEqualTo(10_000);
      assertThat(off(asked, share)).isLessThanOrEqualTo(LabelBudget.TOKENS / 2.0 + 1e-6);
    }
  }

  /** The largest difference between labels and budget from the first row on. */
  private static double off(boolean[] asked, double share) {
    double sum = 0;
    double worst = 0;
    for (boolean each : asked) {
      sum += (each ? 1 : 0) - share;
      worst = Math.max(worst, Math.abs(sum));
    }
    return worst;
  }

  /** 800 labels are 50 times the bucket, 400 labels from the start 50 times half of it. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.05, 0.3})
  void longWindowsKeepTheBudgetWithinTwoPerCent(double share) {
    Random random = new Random(3);
    LabelBudget budget = new LabelBudget(new AskOptions(share), 1);
    boolean[] asked = asked(budget, (int) (2000 / share), t -> random.nextGaussian());
    int length = (int) Math.ceil(LabelBudget.TOKENS / 0.02 / share);
    int labels = 0;
    int all = 0;
    double worst = 0;
    for (int t = 0; t < asked.length; t++) {
      labels += asked[t] ? 1 : 0;
      labels -= t >= length && asked[t - length] ? 1 : 0;
      all += asked[t] ? 1 : 0;
      if (t >= length - 1) {
        worst = Math.max(worst, Math.abs(labels / (share * length) - 1));
      }
      if (2 * (t + 1) >= length) {
        worst = Math.max(worst, Math.abs(all / (share * (t + 1)) - 1));
      }
    }
    assertThat(worst).isPositive().isLessThanOrEqualTo(0.02);
  }

  @Test
  void shortRunsKeepTheBudgetOnAverage() {
    double all = 0;
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      LabelBudget budget = new LabelBudget(new AskOptions(0.05), seed);
      asked(budget, 2500, t -> random.nextGaussian());
      assertThat(budget.labels()).isBetween(117L, 133L);
      all += budget.labels();
    }
    assertThat(all / 100).isCloseTo(125, within(0.5));
  }

  @Test
  void theFirstRowIsAskedFor() {
    for (int seed = 0; seed < 20; seed++) {
      assertThat(new LabelBudget(new AskOptions(0.01), seed).ask(binary(5))).isTrue();
    }
  }

  /** Of the labels, 1 - (1 - r)^(1 + k) are of rows whose rank is below r. */
  @Test
  void theSurerAnAnswerIsTheLessOftenItsLabelIsAskedFor() {
    Random random = new Random(3);
    double[] scores = random.doubles(40_000, -1, 1).toArray();
    boolean[] asked =
        asked(new LabelBudget(new AskOptions(0.05), 1), scores.length, t -> scores[t]);
    double sure = Math.pow(0.9, 1 + LabelBudget.STEEPNESS);
    assertThat(shareOfSure(asked, scores)).isCloseTo(0.9 * sure + 0.09, within(0.03));
    boolean[] drawn =
        asked(new LabelBudget(new AskOptions(0.05, 1), 1), scores.length, t -> scores[t]);
    assertThat(shareOfSure(drawn, scores)).isCloseTo(0.9, within(0.03));
    boolean[] unsure =
        asked(new LabelBudget(new AskOptions(0.05, 0), 1), scores.length, t -> scores[t]);
    assertThat(shareOfSure(unsure, scores)).isCloseTo(sure, within(0.03));
    boolean[] half =
        asked(new LabelBudget(new AskOptions(0.5, 0), 1), scores.length, t -> scores[t]);
    assertThat(shareOfSure(half, scores)).isCloseTo(Math.pow(0.9, 1 / 0.5), within(0.03));
  }

  /** Of the rows that were asked for, those that are not among the tenth of the least sure. */
  private static double shareOfSure(boolean[] asked, double[] scores) {
    int all = 0;
    int sure = 0;
    for (int t = 0; t < asked.length; t++) {
      all += asked[t] ? 1 : 0;
      sure += asked[t] && Math.abs(scores[t]) > 0.1 ? 1 : 0;
    }
    return sure / (double) all;
  }

  @Test
  void ofSeveralClassesTheTwoBestCount() {
    LabelBudget budget = new LabelBudget(new AskOptions(0.1, 0), 1);
    int close = 0;
    for (int t = 0; t < 10_000; t++) {
      boolean isClose = t % 10 == 0;
      double[] scores = {isClose ? 5 : 2, -7, 4.9};
      boolean isAsked = budget.ask(new Prediction(isClose ? 1 : 3, THREE, scores));
      close += isAsked && isClose ? 1 : 0;
    }
    assertThat(close).isBetween(550, 680);
  }

  @Test
  void numbersAndRowsWithoutAnAnswerAreDrawnAtRandom() {
    LabelBudget budget = new LabelBudget(new AskOptions(0.05, 0), 1);
    int large = 0;
    for (int t = 0; t < 20_000; t++) {
      Prediction answer = new Prediction(t % 2, new double[0], new double[] {t % 2});
      large += budget.ask(answer) ? t % 2 : 0;
    }
    assertThat(large).isBetween(400, 600);
    Prediction none = new Prediction(Double.NaN, new double[0], new double[0]);
    assertThat(new LabelBudget(new AskOptions(0.05), 1).ask(none)).isTrue();
  }

  @Test
  void askingWhetherToAskChangesNothing() throws ModelFileException {
    LabelBudget budget = new LabelBudget(new AskOptions(0.2), 7);
    asked(budget, 700, t -> Math.sin(t));
    byte[] before = bytes(budget);
    boolean isWorth = budget.isWorthAsking(binary(0.01));
    assertThat(bytes(budget)).isEqualTo(before);
    assertThat(budget.ask(binary(0.01))).isEqualTo(isWorth);
    assertThat(bytes(budget)).isNotEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 1300})
  void whatWasSavedGoesOnBitForBit(int rows) throws ModelFileException {
    LabelBudget budget = new LabelBudget(new AskOptions(0.1, 0.3), 7);
    asked(budget, rows, t -> Math.sin(t * t));
    LabelBudget loaded = LabelBudget.decode(new Decoder(bytes(budget)));
    assertThat(asked(loaded, 3000, t -> Math.cos(t * t)))
        .isEqualTo(asked(budget, 3000, t -> Math.cos(t * t)));
    assertThat(bytes(loaded)).isEqualTo(bytes(budget));
  }

  @Test
  void damagedBytesAreRefused() {
    LabelBudget budget = new LabelBudget(new AskOptions(0.1, 0.3), 7);
    asked(budget, 20, t -> Math.sin(t));
    for (int at : new int[] {0, 8, 24, 32, 40, 48, 52}) {
      byte[] bytes = bytes(budget);
      Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) -1);
      assertThatThrownBy(() -> LabelBudget.decode(new Decoder(bytes)))
          .isInstanceOf(ModelFileException.class);
    }
  }

  @Test
  void nonsenseIsRefused() {
    for (double wrong : new double[] {0, -0.1, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> new AskOptions(wrong))
          .hasMessageContaining("must be above 0 and at most 1: " + wrong);
    }
    assertThatThrownBy(() -> new AskOptions(0.1, -0.1)).hasMessageContaining("from 0 to 1: -0.1");
    assertThatThrownBy(() -> new AskOptions(0.1, Double.NaN)).hasMessageContaining("NaN");
  }

  private static byte[] bytes(LabelBudget budget) {
    Encoder out = new Encoder();
    budget.encode(out);
    return out.toBytes();
  }
}
