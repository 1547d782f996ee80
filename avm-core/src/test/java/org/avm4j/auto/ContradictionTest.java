package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.IntStream;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When labels begin to contradict the answers, and when that ends. */
class ContradictionTest {
  private static Contradiction after(int rows, double rate, Random random) {
    Contradiction contradiction = new Contradiction();
    for (int t = 0; t < rows; t++) {
      contradiction.begins(random.nextDouble() < rate ? 1 : 0);
    }
    return contradiction;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0001, 0.002, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5})
  void chanceAloneIsHardlyEverTakenForOne(double rate) {
    Random random = new Random(1);
    Contradiction contradiction = after(2000, rate, random);
    int alarms = 0;
    for (int t = 0; t < 81_000; t++) {
      alarms += contradiction.begins(random.nextDouble() < rate ? 1 : 0) ? 1 : 0;
    }
    assertThat(alarms).isLessThanOrEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.002, 0.05, 0.1, 0.2})
  void wrongLabelsAreNoticedWithinAFewRowsAndSoIsTheirEnd(double rate) {
    Random random = new Random(2);
    Contradiction contradiction = after(2000, rate, random);
    int rows = 1;
    while (!contradiction.begins(random.nextDouble() < 1 - rate ? 1 : 0)) {
      rows++;
    }
    assertThat(rows).isLessThanOrEqualTo(30);
    for (int t = 0; t < 1000; t++) {
      assertThat(contradiction.ends(random.nextDouble() < 1 - rate ? 1 : 0)).isFalse();
    }
    rows = 1;
    while (!contradiction.ends(random.nextDouble() < rate ? 1 : 0)) {
      rows++;
    }
    assertThat(rows).isBetween(13, 100);
  }

  @Test
  void wherePureChanceRulesNothingIsEverContradicted() {
    Contradiction contradiction = new Contradiction();
    boolean any = IntStream.range(0, 1000).anyMatch(t -> contradiction.begins(1));
    assertThat(any).isFalse();
    assertThat(contradiction.isSuspected()).isFalse();
  }

  /** A single error is chance, and the rate neither becomes 0 nor 1, however long a stream is. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void longStreamsWithoutAnyErrorOrWithNothingElseAreSaved(int error) throws ModelFileException {
    Contradiction contradiction = new Contradiction();
    for (int t = 0; t < 1_000_000; t++) {
      assertThat(contradiction.begins(error)).isFalse();
    }
    assertThat(contradiction.begins(1)).isFalse();
    ModelFile.copy("contradiction", contradiction::encode, Contradiction::decode);
  }

  @Test
  void itIsSavedAndDamageIsNoticed() throws ModelFileException {
    Contradiction contradiction = after(500, 0.05, new Random(3));
    contradiction.begins(1);
    Contradiction read =
        ModelFile.copy("contradiction", contradiction::encode, Contradiction::decode);
    assertThat(read.begins(1)).isEqualTo(contradiction.begins(1));
    assertThat(read.isSuspected()).isEqualTo(contradiction.isSuspected());
    assertThatThrownBy(
            () ->
                ModelFile.copy("contradiction", ContradictionTest::damaged, Contradiction::decode))
        .hasMessageContaining("more errors than rows");
  }

  private static void damaged(Encoder out) {
    out.float64(3);
    out.float64(2);
    out.float64(0);
  }
}
