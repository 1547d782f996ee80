package org.avm4j.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Forgetting;
import org.avm4j.Loss;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.step.Memory;
import org.junit.jupiter.api.Test;

class NewtonScaleTest {
  private static final double PRIOR = 0.5;

  /** A scale and its memory after some steps. */
  private record After(NewtonScale scale, Memory memory) {
    static After steps(Loss loss, Forgetting forgetting, int n) {
      Memory memory = new Memory(forgetting);
      Parabolas parabolas = new Parabolas(loss, Columns.single(), 0);
      NewtonScale scale = new NewtonScale(PRIOR, memory, parabolas);
      for (int t = 1; t <= n; t++) {
        memory.advance(0, t);
        scale.advance();
      }
      return new After(scale, memory);
    }
  }

  private static NewtonScale after(Loss loss, Forgetting forgetting, int n) {
    return After.steps(loss, forgetting, n).scale;
  }

  /** A scale without forgetting with this w, and w at the last renewal. */
  private static NewtonScale read(double w, double renewedAt) throws ModelFileException {
    Encoder out = new Encoder();
    out.float64(w);
    out.float64(renewedAt);
    NewtonScale scale = after(Loss.squared(), Forgetting.none(), 0);
    scale.decode(new Decoder(out.toBytes()));
    return scale;
  }

  @Test
  void allInstancesOfSquaredLossWeighTheSame() {
    assertThat(after(Loss.squared(), Forgetting.none(), 9).w()).isEqualTo(1);
    assertThat(after(Loss.squared(), Forgetting.none(), 9).prior()).isEqualTo(PRIOR);
  }

  @Test
  void whereParabolasGrowStaleInstanceTWeighsT() {
    assertThat(after(Loss.hinge(), Forgetting.none(), 1).w()).isEqualTo(1);
    assertThat(after(Loss.hinge(), Forgetting.none(), 9).w()).isCloseTo(9, within(1e-12));
    assertThat(after(Loss.hinge(), Forgetting.none(), 9).prior())
        .isCloseTo(9 * PRIOR, within(1e-12));
  }

  @Test
  void whatIsForgottenMakesNewInstancesHeavier() {
    Forgetting four = Forgetting.horizon(4);
    assertThat(after(Loss.squared(), four, 4).w()).isEqualTo(1);
    assertThat(after(Loss.squared(), four, 6).w()).isCloseTo(16 / 9.0, within(1e-12));
    assertThat(after(Loss.hinge(), four, 6).w()).isCloseTo(4 * 16 / 9.0, within(1e-12));
  }

  @Test
  void ofTwoThatAreMergedTheNextInstanceWeighsAsIfAllHadBeenOneStream() {
    NewtonScale stale = after(Loss.hinge(), Forgetting.none(), 5);
    stale.merged(12);
    assertThat(stale.w()).isEqualTo(12);
    NewtonScale exact = after(Loss.squared(), Forgetting.none(), 5);
    exact.merged(12);
    assertThat(exact.w()).isEqualTo(1);
    NewtonScale fades = after(Loss.hinge(), Forgetting.horizon(100), 5);
    fades.merged(12);
    assertThat(fades.w()).isCloseTo(5, within(1e-12));
  }

  @Test
  void theSumsOfAnotherCountByWhatItsInstancesWeighed() {
    Forgetting four = Forgetting.horizon(4);
    NewtonScale young = after(Loss.squared(), four, 5);
    NewtonScale old = after(Loss.squared(), four, 7);
    assertThat(young.level(old)).isCloseTo(9 / 16.0, within(1e-12));
    NewtonScale never = after(Loss.hinge(), Forgetting.none(), 5);
    assertThat(never.level(after(Loss.hinge(), Forgetting.none(), 9))).isEqualTo(1);
  }

  @Test
  void thePriorIsFilledUpWhereItHasFadedByHalf() {
    Forgetting four = Forgetting.horizon(4);
    assertThat(after(Loss.squared(), four, 6).isPriorFaded(6)).isFalse();
    assertThat(after(Loss.squared(), four, 7).isPriorFaded(7)).as("w = 64/27").isTrue();
    assertThat(after(Loss.hinge(), Forgetting.none(), 9).isPriorFaded(9)).isFalse();
    NewtonScale renewed = after(Loss.squared(), four, 7);
    renewed.renewed();
    assertThat(renewed.isPriorFaded(7)).isFalse();
  }

  @Test
  void thePriorOfOldVectorsHasAFloor() {
    assertThat(after(Loss.squared(), Forgetting.none(), 9).leastPrior(3, 9)).isEqualTo(PRIOR);
    assertThat(after(Loss.hinge(), Forgetting.none(), 9).leastPrior(3, 9))
        .isCloseTo(1e-3 * 9 * PRIOR, within(1e-12));
    NewtonScale fades = after(Loss.hinge(), Forgetting.horizon(100), 101);
    double prior = fades.prior();
    assertThat(fades.leastPrior(3, 101)).isCloseTo(0.3 * prior, within(1e-9));
    assertThat(fades.leastPrior(11, 101)).isEqualTo(prior);
    assertThat(fades.leastPrior(3, 100)).as("nothing was forgotten").isEqualTo(1e-3 * prior);
  }

  @Test
  void beforeItLeavesTheRangeOfNumbersItIsBroughtBack() throws ModelFileException {
    assertThat(read(0x1p100, 1).isTooLarge()).isFalse();
    NewtonScale scale = read(0x1.8p101, 1);
    assertThat(scale.isTooLarge()).isTrue();
    assertThat(scale.bringBack()).isEqualTo(0x1p-101);
    assertThat(scale.w()).isEqualTo(1.5);
  }

  @Test
  void itIsReadAsItWasWritten() throws ModelFileException {
    After after = After.steps(Loss.squared(), Forgetting.horizon(4), 7);
    after.scale.renewed();
    Encoder out = new Encoder();
    after.scale.encode(out);
    NewtonScale read = after(Loss.squared(), Forgetting.horizon(4), 7);
    assertThat(read.isPriorFaded(7)).isTrue();
    read.decode(new Decoder(out.toBytes()));
    assertThat(read.w()).isEqualTo(after.scale.w());
    assertThat(read.isPriorFaded(7)).isFalse();
    for (double w : new double[] {0, -1}) {
      assertThatThrownBy(() -> read(w, 1)).hasMessageContaining("must be > 0");
    }
  }
}
