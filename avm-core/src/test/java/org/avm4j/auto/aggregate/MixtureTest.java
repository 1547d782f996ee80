package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixtureTest {
  private static final int ROWS = 20_000;
  private static final int EXPERTS = 5;
  private static final Offset<Double> TINY = within(1e-12);

  /** Streams on which the bound must hold. */
  enum Kind {
    /** One expert is the best throughout. */
    STATIONARY,
    /** Another expert is the best every 1,500 rows. */
    DRIFTING,
    /** Whoever has the most weight is wrong next. */
    ADVERSARIAL,
    /** Errors are tiny for long, and huge now and then. */
    HEAVY_TAILED,
    /** Labels run away. */
    TRENDING
  }

  /** Numbers, what experts say of them, and what the mixture makes of it. */
  private static final class Stream {
    private final Random random = new Random(5);
    private final Mixture mixture = new Mixture(EXPERTS);
    private final HuberLoss huber = new HuberLoss(Task.Kind.REGRESSION);
    private final double[][] scores = new double[EXPERTS][1];
    private final double[] answer = new double[1];
    private final Kind kind;

    Stream(Kind kind) {
      this.kind = kind;
    }

    private double label(int t) {
      return kind == Kind.TRENDING ? t * 0.01 : random.nextGaussian();
    }

    private double noise(int t, int k) {
      int best = kind == Kind.DRIFTING ? t / 1500 % EXPERTS : 2;
      double size = k == best ? 0.3 : 1;
      boolean isJump = kind == Kind.HEAVY_TAILED && random.nextInt(200) == 0;
      return (isJump ? 50 : kind == Kind.HEAVY_TAILED ? 1e-3 : 1) * size * random.nextGaussian();
    }

    /** Writes the losses of all experts and, last, that of the mixture. */
    void step(int t, double[] losses) {
      double y = label(t);
      double[] weights = mixture.weights();
      for (int k = 0; k < EXPERTS; k++) {
        scores[k][0] = y + (kind == Kind.ADVERSARIAL ? 2 * weights[k] : noise(t, k));
      }
      mixture.combine(scores, answer);
      huber.hold(y, answer, new double[0]);
      double[] gains = new double[EXPERTS];
      for (int k = 0; k < EXPERTS; k++) {
        gains[k] = huber.gain(answer, scores[k]);
        losses[k] = huber.loss(scores[k]);
      }
      losses[EXPERTS] = huber.loss(answer);
      mixture.learn(gains, 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lossesLatelyExceedThoseOfEachExpertByNoMoreThanTheBound(Kind kind) {
    Stream stream = new Stream(kind);
    double[] losses = new double[EXPERTS + 1];
    double[] ahead = new double[EXPERTS];
    for (int t = 0; t < ROWS; t++) {
      stream.step(t, losses);
      for (int k = 0; k < EXPERTS; k++) {
        ahead[k] = (1 - 1 / Constants.WINDOW) * ahead[k] + losses[EXPERTS] - losses[k];
        assertThat(ahead[k])
            .as("row %s, expert %s", t, k)
            .isLessThanOrEqualTo(stream.mixture.regret(k) + 1e-6);
        assertThat(stream.mixture.regret(k))
            .as("row %s, expert %s", t, k)
            .isLessThanOrEqualTo(stream.mixture.bound(k));
      }
    }
  }

  @Test
  void aMixtureOfIndependentErrorsIsBetterThanTheBestExpert() {
    Stream stream = new Stream(Kind.STATIONARY);
    double[] losses = new double[EXPERTS + 1];
    double best = 0;
    double mixed = 0;
    for (int t = 0; t < ROWS; t++) {
      stream.step(t, losses);
      best += losses[2];
      mixed += losses[EXPERTS];
    }
    assertThat(mixed).isLessThan(0.95 * best);
  }

  @Test
  void anExpertWhoseGainsAreTinyDoesNotTakeOver() {
    Mixture mixture = new Mixture(2);
    mixture.learn(new double[] {0, 1e-9}, 1);
    for (int t = 0; t < 100; t++) {
      mixture.learn(new double[] {1, -1}, 1);
    }
    assertThat(mixture.weights()).containsExactly(1, 0);
  }

  @Test
  void atFirstTheFirstExpertAnswers() {
    assertThat(new Mixture(3).weights()).containsExactly(1, 0, 0);
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    Stream stream = new Stream(Kind.STATIONARY);
    for (int t = 0; t < 50; t++) {
      stream.step(t, new double[EXPERTS + 1]);
    }
    Encoder out = new Encoder();
    stream.mixture.encode(out);
    Mixture read = Mixture.decode(new Decoder(out.toBytes()), EXPERTS);
    assertThat(read.weights()).isEqualTo(stream.mixture.weights());
    assertThatThrownBy(() -> Mixture.decode(new Decoder(out.toBytes()), EXPERTS + 1))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("each expert must have a weight");
  }

  /** R / (V + L²), in proportion, with what came before at 1023/1024. */
  @Test
  void theWeightsAreThoseOfTheClassComment() {
    Mixture mixture = new Mixture(3);
    mixture.learn(new double[] {-1, 1, 2}, 1);
    double sum = 1 / 5.0 + 2 / 8.0;
    assertThat(mixture.weights()).containsExactly(0, 1 / 5.0 / sum, 2 / 8.0 / sum);
    mixture.learn(new double[] {2, -3, 1}, 0.5);
    double keep = 1023.0 / 1024;
    double[] regret = {-keep + 1, keep - 1.5, 2 * keep + 0.5};
    double[] squares = {keep + 1, keep + 2.25, 4 * keep + 0.25};
    double largest = 2 * keep;
    double first = regret[0] / (squares[0] + largest * largest);
    double last = regret[2] / (squares[2] + largest * largest);
    assertThat(mixture.weights())
        .containsExactly(new double[] {first / (first + last), 0, last / (first + last)}, TINY);
    assertThat(mixture.bound(2))
        .isCloseTo(
            Math.sqrt(3 * (1 + Math.log(1025)) * (squares[2] + largest * largest)), within(1e-9));
    assertThat(mixture.isFirstAlone()).isFalse();
  }

  @Test
  void aRowCountsForNoMoreThanTheWindow() {
    Mixture heavy = new Mixture(2);
    Mixture full = new Mixture(2);
    heavy.learn(new double[] {1, 2}, 1e9);
    full.learn(new double[] {1, 2}, Constants.WINDOW);
    assertThat(heavy.regret(1)).isEqualTo(full.regret(1)).isEqualTo(2 * Constants.WINDOW);
  }

  @Test
  void whoIsForgottenHasNoWeight() {
    Mixture mixture = new Mixture(3);
    mixture.learn(new double[] {1, 2, 3}, 1);
    mixture.forget(2);
    assertThat(mixture.regret(2)).isZero();
    assertThat(mixture.bound(2)).isLessThan(mixture.bound(1));
    assertThat(mixture.weights()[2]).isZero();
    assertThat(mixture.weights()[0] + mixture.weights()[1]).isCloseTo(1, within(1e-15));
  }

  @Test
  void theFirstExpertsAndTheLastAreTakenOver() {
    Mixture small = new Mixture(3);
    small.learn(new double[] {1, 2, 3}, 1);
    Mixture large = new Mixture(5);
    large.learn(new double[] {0, 0, 1, 0, 0}, 1);
    large.takeOver(small, 2);
    double[] weights = small.weights();
    large.forget(2);
    assertThat(large.weights()).containsExactly(weights[0], weights[1], 0, 0, weights[2]);
    Mixture two = new Mixture(3);
    two.takeOver(small, 2);
    assertThat(two.weights()).isEqualTo(weights);
    assertThat(two.bound(1)).isEqualTo(small.bound(1));
    Mixture fewer = new Mixture(2);
    fewer.takeOver(small, 1);
    assertThat(fewer.regret(1)).as("that of the last").isEqualTo(3);
  }

  private static Decoder file(double regret, double square, double largest) {
    Encoder out = new Encoder();
    out.int32(1);
    out.doubles(new double[] {regret}, 1);
    out.doubles(new double[] {square}, 1);
    out.float64(largest);
    return new Decoder(out.toBytes());
  }

  @Test
  void aFileThatNoMixtureWroteIsRefused() throws ModelFileException {
    assertThatThrownBy(() -> Mixture.decode(file(1, 1, -1), 1))
        .hasMessageContaining("the largest gain must not be negative");
    assertThatThrownBy(() -> Mixture.decode(file(1, 0, 0), 1))
        .hasMessageContaining("a regret must have a square");
    assertThat(Mixture.decode(file(1, 0, 1), 1).regret(0)).isEqualTo(1);
    assertThat(Mixture.decode(file(1, 1, 0), 1).regret(0)).isEqualTo(1);
    assertThat(Mixture.decode(file(0, 0, 0), 1).weights()).containsExactly(1);
    assertThat(Mixture.decode(file(-1, 0, 0), 1).weights()).containsExactly(1);
  }
}
