package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.avm4j.Features;
import org.junit.jupiter.api.Test;

class RowBuilderTest {
  private final Schema schema = new Schema();
  private final RowBuilder row = new RowBuilder(schema, Missing.MEAN);
  private final Features.Buffer features = new Features.Buffer();

  @Test
  void valuesComeInAnyOrder() {
    row.begin();
    row.set("age", "42");
    row.set("colour", "red");
    row.end(features);
    row.begin();
    row.set("colour", "blue");
    row.set("size", "1.5");
    Column age = row.set("age", "7");
    assertThat(row.end(features)).isTrue();
    assertThat(features.features()).isEqualTo(Features.dense(7, 0, 1, 1.5));
    assertThat(age).isSameAs(schema.column("age"));
  }

  @Test
  void whatIsNotMentionedIsZero() {
    row.begin();
    row.set("age", "42");
    row.end(features);
    row.begin();
    assertThat(row.end(features)).isTrue();
    assertThat(features.features()).isEqualTo(Features.dense());
  }

  @Test
  void aColumnComesOnceInARow() {
    for (int i = 0; i < 3; i++) {
      row.begin();
      row.set("colour", "red");
      String again = "a column must appear once in a row, found again 'colour'";
      assertThatThrownBy(() -> row.set("colour", "blue")).hasMessage(again);
      assertThatThrownBy(() -> row.missing("colour")).hasMessage(again);
    }
  }

  @Test
  void aRowThatLacksALabelMayBeLeftOut() {
    RowBuilder skipping = new RowBuilder(schema, Missing.SKIP);
    skipping.begin();
    assertThat(skipping.label(null)).isNaN();
    assertThat(skipping.end(features)).isFalse();
    skipping.begin();
    assertThat(skipping.label("3")).isEqualTo(3);
    assertThat(skipping.end(features)).isTrue();
  }

  @Test
  void anUnknownColumnOfAFrozenSchemaIsLeftOut() {
    row.set("age", "42");
    RowBuilder frozen = new RowBuilder(schema.frozen(), Missing.ERROR);
    frozen.begin();
    assertThat(frozen.set("new", "x")).isNull();
    frozen.missing("new");
    assertThat(frozen.end(features)).isTrue();
    assertThat(schema.columns()).hasSize(1);
  }
}
