package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class LabelLimitTest {
  private final LabelLimit limit = new LabelLimit();

  private void learn(int rows, double error) {
    for (int t = 0; t < rows; t++) {
      double answer = t % 7;
      limit.learn(limit.apply(answer + error, answer), answer);
    }
  }

  @Test
  void atFirstThreeDeviationsOfTheLabelsAreAllowed() {
    assertThat(limit.apply(2.5, 0)).isEqualTo(2.5);
    assertThat(limit.apply(10, 0)).isEqualTo(3);
    assertThat(limit.apply(-10, 1)).isEqualTo(-2);
  }

  @Test
  void itFollowsTheErrors() {
    learn(5000, 0.1);
    assertThat(limit.apply(10, 1)).isCloseTo(1.3, within(1e-9));
  }

  @Test
  void afterAChangeItGrowsRowByRow() {
    learn(5000, 0.1);
    learn(1, 5);
    assertThat(limit.apply(10, 0)).isBetween(0.3, 0.32);
    learn(200, 5);
    assertThat(limit.apply(10, 0)).isGreaterThan(5);
  }

  @Test
  void answersWithoutErrorDoNotStopItFromGrowing() {
    learn(100_000, 0);
    assertThat(limit.apply(10, 0)).isCloseTo(0.003, within(1e-9));
    learn(400, 5);
    assertThat(limit.apply(10, 0)).isGreaterThan(5);
  }

  @Test
  void itIsSavedAndDamageIsRefused() throws ModelFileException {
    learn(300, 0.2);
    Encoder out = new Encoder();
    limit.encode(out);
    LabelLimit read = LabelLimit.decode(new Decoder(out.toBytes()));
    assertThat(read.apply(10, 0)).isEqualTo(limit.apply(10, 0));
    Encoder zero = new Encoder();
    zero.float64(0);
    assertThatThrownBy(() -> LabelLimit.decode(new Decoder(zero.toBytes())))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("variance");
  }
}
