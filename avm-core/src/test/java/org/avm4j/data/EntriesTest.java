package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.Features;
import org.junit.jupiter.api.Test;

class EntriesTest {
  private final Entries entries = new Entries();
  private final Features.Buffer row = new Features.Buffer();

  @Test
  void entriesAreSorted() {
    for (int i = 99; i >= 0; i--) {
      entries.add(i, i + 1);
    }
    assertThat(entries.sortInto(row)).isEqualTo(Entries.ALL_DIFFERENT);
    assertThat(row.features().count()).isEqualTo(100);
    assertThat(row.features().get(41)).isEqualTo(42);
  }

  @Test
  void anIndexThatCameTwiceIsTold() {
    entries.add(3, 1);
    entries.add(2, 0);
    entries.add(3, 1);
    assertThat(entries.sortInto(row)).isEqualTo(3);
    entries.clear();
    assertThat(entries.count()).isZero();
  }
}
