package org.avm4j.anomaly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.avm4j.Features;
import org.avm4j.Streams;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

class DensityCellsTest {
  @Test
  void cellsThatHoldMoreThanCanBeCountedAreRefused() {
    DensityCells cells = new DensityCells(0.1);
    cells.add(Features.dense(1), 1.5e308);
    cells.add(Features.dense(2), 1.5e308);
    Encoder out = new Encoder();
    cells.encode(out);
    assertThatThrownBy(() -> DensityCells.decode(new Decoder(out.toBytes()), 1))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("the cells must hold finitely many");
  }

  @Test
  void aCellCountsAnInstanceByItsWeight() {
    DensityCells weighted = new DensityCells(0.5);
    DensityCells repeated = new DensityCells(0.5);
    for (Instance instance : Streams.binary(50, 2, 1)) {
      weighted.add(instance.features(), 2);
      repeated.add(instance.features(), 1);
      repeated.add(instance.features(), 1);
    }
    for (Instance probe : Streams.binary(50, 2, 2)) {
      assertThat(weighted.distance(probe.features(), 0.2))
          .isEqualTo(repeated.distance(probe.features(), 0.2));
    }
  }
}
