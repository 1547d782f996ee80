package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Features;
import org.junit.jupiter.api.Test;

class RowCopiesTest {
  @Test
  void copiesAreCountedWithTheirLabel() {
    RowCopies copies = new RowCopies();
    for (int i = 0; i < 100; i++) {
      copies.add(Features.dense(i, 1), 0);
      copies.add(Features.dense(i, 1), i < 50 ? 0 : 1);
    }
    assertThat(copies.share()).isEqualTo(0.5);
    assertThat(copies.warning().orElseThrow())
        .startsWith("50 % of the rows have an exact copy")
        .endsWith("on rows that are no copies the error may be higher");
  }

  @Test
  void fewCopiesAreNotTold() {
    RowCopies copies = new RowCopies();
    for (int i = 0; i < 200; i++) {
      copies.add(Features.dense(i % 190, -i % 190), 0);
    }
    assertThat(copies.share()).isEqualTo(0.1);
    assertThat(copies.warning()).isEmpty();
  }

  @Test
  void ofManyRowsAPartIsCounted() {
    RowCopies copies = new RowCopies();
    for (int i = 0; i < 400_000; i++) {
      copies.add(Features.dense(i % 300_000), 0);
    }
    assertThat(copies.share()).isCloseTo(0.5, within(0.01));
  }
}
