package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class BlendTest {
  private static final double[][] SCORES = {{1}, {2}, {4}};

  private static double answer(Blend blend, double[][] scores) {
    double[] into = new double[1];
    blend.combine(scores, new HuberLoss(Task.Kind.REGRESSION), into);
    return into[0];
  }

  @Test
  void itIsTheMeanOfTheMembersAndOfTheirStack() {
    Blend blend = new Blend(new double[] {0.25, 0, 0.5, 0.25}, new double[] {0, 3, 1, 0.5});
    double stacked = 3 * 2 + 4 + 0.5;
    assertThat(answer(blend, SCORES)).isEqualTo(0.25 + 0.5 * 4 + 0.25 * stacked);
    assertThat(answer(Blend.ofMean(new double[] {0.5, 0.25, 0.25}), SCORES)).isEqualTo(2);
  }

  @Test
  void itIsReadAsItWasWritten() throws ModelFileException {
    Encoder out = new Encoder();
    Blend.ofMean(new double[] {0.5, 0.25, 0.25}).encode(out);
    assertThat(answer(Blend.decode(new Decoder(out.toBytes()), 3), SCORES)).isEqualTo(2);
  }

  @Test
  void aMemberIsNeededForItsWeightOrForTheStack() {
    Blend withStack = new Blend(new double[] {0.5, 0, 0, 0.5}, new double[] {0, -1, 0, 2});
    assertThat(withStack.needs(0)).isTrue();
    assertThat(withStack.needs(1)).isTrue();
    assertThat(withStack.needs(2)).isFalse();
    Blend withoutStack = new Blend(new double[] {0.5, 0.5, 0, 0}, new double[] {1, 1, 1, 1});
    assertThat(withoutStack.needs(1)).isTrue();
    assertThat(withoutStack.needs(2)).isFalse();
  }

  @Test
  void withoutTheMembersThatAreNotNeededItAnswersTheSame() {
    Blend blend = new Blend(new double[] {0, 0.75, 0, 0.25}, new double[] {0, 0, 3, 0.5});
    Blend some = blend.of(new int[] {1, 2});
    assertThat(answer(some, new double[][] {{2}, {4}})).isEqualTo(answer(blend, SCORES));
  }

  @Test
  void theFirstIsAloneWithAllTheWeight() {
    assertThat(Blend.ofMean(new double[] {1, 0}).isFirstAlone()).isTrue();
    assertThat(Blend.ofMean(new double[] {0, 1}).isFirstAlone()).isFalse();
  }
}
