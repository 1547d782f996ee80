package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class GateTest {
  private static Gate of(double... pairs) {
    Gate gate = new Gate();
    for (int i = 0; i < pairs.length; i += 2) {
      gate.add(pairs[i], pairs[i + 1], 0.5);
    }
    return gate;
  }

  @Test
  void beforeAnythingWasSeenThereIsOnlyThePrior() {
    assertThat(new Gate().value(0.25, 0.5)).isEqualTo(0.25);
    assertThat(new Gate().cautious()).isZero();
  }

  /** By hand: n = 2 and d = 4, so that the variance is 2²; then n = 3, d = 2, off by 3 - 2·2/4. */
  @Test
  void itIsDrawnTowardsThePriorAsItsVarianceSays() {
    assertThat(of(2, 4).value(0.25, 0.5)).isEqualTo((2 + 0.25 * 4) / (4 + 4));
    Gate gate = of(2, 4, 3, 2);
    assertThat(gate.num()).isEqualTo(4);
    assertThat(gate.den()).isEqualTo(4);
    assertThat(gate.value(0.25, 0.5)).isEqualTo((4 + 0.25 * 6) / (4 + 6));
  }

  @Test
  void withoutVarianceItIsTheRatio() {
    assertThat(of(0, 2).value(0.25, 0.5)).as("0 was deserved").isZero();
  }

  @Test
  void aCautiousOneIsLessByAStandardError() {
    Gate gate = new Gate();
    gate.add(1, 2, 1);
    gate.add(1, 2, 1);
    assertThat(gate.cautious()).isEqualTo((2 - 1) / 4.0);
    assertThat(of(2, 4).cautious()).isZero();
  }

  @Test
  void itIsFromZeroToOne() {
    assertThat(of(8, 2).value(0.5, 100)).isEqualTo(1);
    assertThat(of(-8, 2).value(0.5, 100)).isZero();
    assertThat(Gate.clip(0.3)).isEqualTo(0.3);
  }

  @Test
  void twoThatAreMergedHaveSeenBoth() {
    Gate gate = of(2, 4);
    gate.merge(of(1, 3));
    assertThat(gate.num()).isEqualTo(3);
    assertThat(gate.den()).isEqualTo(7);
    double trust = 0.25 * 7 * 7;
    assertThat(gate.value(0.25, 0.5)).isEqualTo((0.25 * 7 * 3 + 0.25 * 5) / (trust + 5));
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    Gate gate = of(2, 4, 3, 2);
    Encoder out = new Encoder();
    gate.encode(out);
    Gate read = Gate.decode(new Decoder(out.toBytes()));
    assertThat(read.num()).isEqualTo(gate.num());
    assertThat(read.value(0.25, 0.5)).isEqualTo(gate.value(0.25, 0.5));
    Encoder fresh = new Encoder();
    new Gate().encode(fresh);
    assertThat(Gate.decode(new Decoder(fresh.toBytes())).den()).isZero();
    Encoder wrong = new Encoder();
    wrong.float64(1);
    wrong.float64(1);
    wrong.float64(-1);
    assertThatThrownBy(() -> Gate.decode(new Decoder(wrong.toBytes())))
        .hasMessageContaining("the variance of a gate must be >= 0");
  }
}
