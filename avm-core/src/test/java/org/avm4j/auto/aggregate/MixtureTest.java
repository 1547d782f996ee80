package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
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
    private final Judgement judgement = new Judgement(Task.Kind.REGRESSION);
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
      judgement.hold(y, answer, new double[0]);
      double[] gains = new double[EXPERTS];
      for (int k = 0; k < EXPERTS; k++) {
        gains[k] = judgement.gain(answer, scores[k]);
        losses[k] = judgement.loss(scores[k]);
      }
      losses[EXPERTS] = judgement.loss(answer);
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
}
