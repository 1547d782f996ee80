package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class YardsticksTest {
  private static final double[] LABELS = {2, 2, 1, 1, 1, 2, 1, 1};
  private static final double[] ANSWERS = {1, 2, 2, 1, 1, 1, 1, 1};

  private static Yardsticks eight() {
    Yardsticks found = new Yardsticks(false);
    for (int i = 0; i < LABELS.length; i++) {
      found.answered(LABELS[i], ANSWERS[i]);
      found.learned(LABELS[i]);
    }
    return found;
  }

  /**
   * The majority before each is none 2 2 2 1 1 1 1 (a tie goes to the lowest), so wrong at 1, 3, 4,
   * 6; the last label is wrong at 1, 3, 6, 7; the model is wrong at 1, 3, 6.
   */
  @Test
  void eightRowsByHand() {
    Yardsticks found = eight();
    assertThat(found.instances()).isEqualTo(8);
    assertThat(found.constant()).isEqualTo(1);
    assertThat(found.constantError()).isEqualTo(50);
    assertThat(found.noChangeError()).isEqualTo(50);
    assertThat(found.kappaM()).isCloseTo((5.0 / 8 - 4.0 / 8) / (1 - 4.0 / 8), within(1e-12));
    assertThat(found.kappaT()).isCloseTo(0.25, within(1e-12));
    assertThat(found.isWorseThanConstant()).isFalse();
    assertThat(found.isWorseThanNoChange()).isFalse();
    assertThat(found.all()).containsEntry("window", 8).containsEntry("windowMistakeRate", 37.5);
  }

  @Test
  void aModelWorseThanTheRulesIsToldSo() {
    Yardsticks found = new Yardsticks(false);
    for (int i = 0; i < 100; i++) {
      found.answered(i / 50, 1 - i / 50);
      found.learned(i / 50);
    }
    assertThat(found.isWorseThanConstant()).isTrue();
    assertThat(found.isWorseThanNoChange()).isTrue();
    assertThat(found.constantError()).isEqualTo(51);
    assertThat(found.noChangeError()).isEqualTo(2);
    assertThat(found.kappaT()).isEqualTo(1 - 100 / 2.0);
  }

  @Test
  void aLabelThatIsNotKnownYetHelpsNobody() {
    Yardsticks found = new Yardsticks(false);
    found.answered(1, 1);
    found.answered(1, 1);
    found.learned(1);
    found.answered(1, 1);
    assertThat(found.noChangeError()).isCloseTo(200.0 / 3, within(1e-12));
    assertThat(found.constantError()).isCloseTo(200.0 / 3, within(1e-12));
  }

  @Test
  void numbersAreMeasuredByTheirMeanAndTheLastOne() {
    Yardsticks found = new Yardsticks(true);
    for (double label : new double[] {2, 4, 9}) {
      found.answered(label, label - 1);
      found.learned(label);
    }
    assertThat(found.constantError()).isCloseTo(Math.sqrt((4 + 4 + 36) / 3.0), within(1e-12));
    assertThat(found.noChangeError()).isCloseTo(Math.sqrt((4 + 4 + 25) / 3.0), within(1e-12));
    assertThat((double) found.all().get("meanMae")).isCloseTo(10.0 / 3, within(1e-12));
    assertThat((double) found.all().get("noChangeMae")).isCloseTo(3, within(1e-12));
    assertThat((double) found.all().get("windowRmse")).isCloseTo(1, within(1e-12));
    assertThat(found.constant()).isCloseTo(5, within(1e-12));
  }

  @Test
  void theWindowSeesTheLastThousandOnly() {
    Yardsticks found = new Yardsticks(false);
    for (int i = 0; i < 2500; i++) {
      found.answered(0, i < 1750 ? 1 : 0);
      found.learned(0);
    }
    assertThat(found.all().get("window")).isEqualTo(Yardsticks.WINDOW);
    assertThat(found.all().get("windowMistakeRate")).isEqualTo(25.0);
    assertThat(found.all().get("windowMajorityMistakeRate")).isEqualTo(0.0);
  }

  @Test
  void whatIsSavedGoesOnAsIfNothingHadHappened() throws ModelFileException {
    for (boolean isRegression : new boolean[] {false, true}) {
      Yardsticks whole = new Yardsticks(isRegression);
      Yardsticks parts = new Yardsticks(isRegression);
      SplitMix random = new SplitMix(3);
      for (int i = 0; i < 3000; i++) {
        double label = random.nextInt(5);
        double answer = random.nextInt(5);
        for (Yardsticks one : List.of(whole, parts)) {
          one.answered(label, answer);
          one.learned(label);
          if (i % 700 == 0) {
            one.inspect();
          }
        }
        parts = i % 611 == 0 ? copy(parts) : parts;
      }
      assertThat(parts.all()).isEqualTo(whole.all());
      assertThat(parts.curve()).isEqualTo(whole.curve()).hasSize(5);
      assertThat(parts.constant()).isEqualTo(whole.constant());
    }
  }

  private static Yardsticks copy(Yardsticks saved) throws ModelFileException {
    Encoder out = new Encoder();
    saved.encode(out);
    Decoder in = new Decoder(out.toBytes());
    Yardsticks copy = Yardsticks.decode(in);
    in.end();
    return copy;
  }
}
