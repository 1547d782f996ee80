package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.junit.jupiter.api.Test;

class ClassSubsamplingTest {
  private static final int SIZE = 4;
  private static final int ENOUGH = 64 * SIZE;

  @Test
  void allOfAClassIsLearnedUntilThereIsEnoughOfIt() {
    ClassSubsampling subsampling = new ClassSubsampling(SIZE);
    for (int i = 0; i < 2 * ENOUGH; i++) {
      assertThat(subsampling.next(0)).isEqualTo(1);
    }
  }

  @Test
  void laterOneOfEightIsLearnedAndCountsEightTimes() {
    ClassSubsampling subsampling = new ClassSubsampling(SIZE);
    int learned = 0;
    int counted = 0;
    for (int i = 0; i < 100 * ENOUGH; i++) {
      int times = subsampling.next(0);
      assertThat(times).isBetween(0, 8);
      learned += times > 0 ? 1 : 0;
      counted += times;
    }
    assertThat(learned).isBetween(12 * ENOUGH, 18 * ENOUGH);
    assertThat(counted).isBetween(95 * ENOUGH, 105 * ENOUGH);
  }

  @Test
  void aRareClassIsLearnedWhole() {
    ClassSubsampling subsampling = new ClassSubsampling(SIZE);
    for (int i = 0; i < 100 * ENOUGH; i++) {
      subsampling.next(0);
    }
    assertThat(subsampling.next(3)).isEqualTo(1);
  }

  @Test
  void itGoesOnFromAFileAndAddsUp() throws Exception {
    ClassSubsampling subsampling = new ClassSubsampling(SIZE);
    for (int i = 0; i < 5 * ENOUGH; i++) {
      subsampling.next(i % 2);
    }
    Encoder out = new Encoder();
    subsampling.encode(out);
    ClassSubsampling read = ClassSubsampling.decode(new Decoder(out.toBytes()), SIZE, 2);
    for (int i = 0; i < ENOUGH; i++) {
      assertThat(read.next(0)).isEqualTo(subsampling.next(0));
    }
    ClassSubsampling both = new ClassSubsampling(SIZE);
    both.merge(subsampling, new int[] {1, 0});
    both.merge(subsampling, new int[] {1, 0});
    int learned = 0;
    for (int i = 0; i < ENOUGH; i++) {
      learned += both.next(1) > 0 ? 1 : 0;
    }
    assertThat(learned).isLessThan(ENOUGH / 2);
  }
}
