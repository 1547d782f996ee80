package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.avm4j.Loss;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

class AgeGatesTest {
  private static final Region ROOT = new Region(null, 1, 0);

  private static Region seen(long instances) {
    Region region = new Region(ROOT, 1, 0);
    region.seen = instances;
    return region;
  }

  /** A correction of which the given part was deserved. */
  private static Correction deserved(double part) {
    Correction correction = new Correction(Loss.squared(), Columns.single());
    correction.num = part;
    correction.den = 1;
    return correction;
  }

  /** Gates to which several regions with this many instances have told that half is deserved. */
  private static AgeGates told(int unit, long instances) {
    AgeGates ages = new AgeGates(unit);
    for (int i = 0; i < 50; i++) {
      ages.add(seen(instances), deserved(0.5));
    }
    return ages;
  }

  private static List<Long> reached(AgeGates ages, long... instances) {
    return Arrays.stream(instances).filter(n -> ages.gate(seen(n)) > 0).boxed().toList();
  }

  @Test
  void regionsOfTheSameAgeKnowOfEachOther() {
    assertThat(reached(told(16, 2), 0, 1, 2, 3, 4)).containsExactly(2L, 3L);
    assertThat(reached(told(16, 0), 0, 1, 2)).containsExactly(0L);
    assertThat(reached(told(32, 4), 3, 4, 5, 6, 7, 8)).containsExactly(4L, 5L, 6L, 7L);
    assertThat(reached(told(48, 6), 5, 6, 11, 12)).containsExactly(6L, 11L);
    assertThat(reached(told(16, 1L << 40), 1 << 10, 1 << 30)).containsExactly(1L << 30);
  }

  @Test
  void aGateIsCautiousWhereARegionHasSeenNothing() {
    AgeGates ages = told(16, 2);
    assertThat(ages.gate(seen(2))).isBetween(0.45, 0.499);
    Region own = seen(2);
    own.gate.add(1, 1, 1);
    own.gate.add(1, 1, 1);
    assertThat(ages.gate(own)).isEqualTo(ages.value(own, own.gate)).isGreaterThan(0.5);
    assertThat(ages.gate(ROOT)).isEqualTo(1);
  }

  @Test
  void whereGatesAreLeftOutAllAreOpen() {
    Ablation.leaveOut(Set.of(Ablation.Part.GATES));
    AgeGates open = new AgeGates(16);
    Ablation.leaveOut(Set.of());
    assertThat(open.gate(seen(3))).isEqualTo(1);
  }

  @Test
  void thePooledFactorIsThatOfAllAges() {
    AgeGates ages = new AgeGates(16);
    assertThat(ages.pooled()).isZero();
    ages.add(seen(1), deserved(0.5));
    ages.add(seen(100), deserved(0.2));
    assertThat(ages.pooled()).isEqualTo(0.35);
    ages.add(seen(1), deserved(0.9));
    double keep = 1 - 1 / 4000.0;
    double expected = (0.5 * keep + 0.9 + 0.2) / (keep + 2);
    assertThat(ages.pooled()).isCloseTo(expected, within(1e-12));
    ages.add(seen(7), deserved(90));
    assertThat(ages.pooled()).isEqualTo(1);
    ages.clear();
    assertThat(ages.pooled()).isZero();
  }

  @Test
  void theyAddUpAndGoOnFromAFile() throws ModelFileException {
    AgeGates ages = told(16, 2);
    AgeGates other = told(16, 8);
    ages.merge(other);
    assertThat(reached(ages, 1, 2, 4, 8)).containsExactly(2L, 8L);
    Encoder out = new Encoder();
    ages.encode(out);
    AgeGates read = new AgeGates(16);
    read.decode(new Decoder(out.toBytes()));
    assertThat(reached(read, 1, 2, 4, 8)).containsExactly(2L, 8L);
    assertThat(read.gate(seen(8))).isEqualTo(ages.gate(seen(8)));
  }
}
