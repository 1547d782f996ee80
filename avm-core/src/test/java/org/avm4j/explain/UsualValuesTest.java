package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;

class UsualValuesTest {
  private final Schema schema = new Schema();
  private final RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);
  private final UsualValues values = new UsualValues();

  private void add(Object size, Object colour) {
    Map<String, Object> row = new HashMap<>();
    row.put("colour", colour);
    row.put("size", size);
    values.add(encoder.encode(row));
  }

  private double usual(String feature) {
    Features row = values.row(schema);
    for (int i = 0; i < schema.dimension(); i++) {
      if (schema.featureName(i).equals(feature)) {
        return row.get(i);
      }
    }
    throw new IllegalArgumentException(feature);
  }

  @Test
  void aNumberIsUsuallyItsMeanAndACategoryTheMostFrequent() {
    add(1, "red");
    add(2, "blue");
    add(6, "red");
    assertThat(usual("size")).isCloseTo(3, within(1e-12));
    assertThat(usual("colour=red")).isEqualTo(1);
    assertThat(usual("colour=blue")).isZero();
  }

  @Test
  void aMissingNumberCountsAsTheMean() {
    add(1, "red");
    add(3, "red");
    add(null, "red");
    assertThat(usual("size")).isCloseTo(2, within(1e-12));
  }

  @Test
  void aCategoryThatMostRowsLackIsUsuallyMissing() {
    add(1, "red");
    add(2, null);
    add(3, null);
    assertThat(usual("colour=red")).isZero();
  }

  @Test
  void aNumberThatIsMostlyZeroIsUsuallyZero() {
    add(0, "red");
    add(0, "red");
    add(90, "red");
    assertThat(usual("size")).isZero();
  }

  @Test
  void featuresWithoutNamesHaveMeansToo() {
    values.add(Features.dense(1, 10));
    values.add(Features.dense(3, 20));
    assertThat(values.row(new Schema())).isEqualTo(Features.dense(2, 15));
  }

  @Test
  void aSchemaAloneKnowsTheMeansOfNumbers() {
    add(1, "red");
    add(3, "red");
    Features known = UsualValues.known(schema);
    assertThat(known.get(schema.column("size").isNumeric() ? 1 : 0)).isEqualTo(2);
    assertThat(known.count()).isEqualTo(1);
  }

  @Test
  void featuresBeyondTheMostAreUsuallyZero() {
    values.add(Features.sparse(new int[] {0, 1 << 20}, new double[] {4, 5}));
    assertThat(values.row(new Schema()).get(0)).isEqualTo(4);
    assertThat(values.row(new Schema()).get(1 << 20)).isZero();
  }
}
