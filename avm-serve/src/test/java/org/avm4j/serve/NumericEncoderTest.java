package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;

class NumericEncoderTest {
  private final Random random = new Random(5);

  @Test
  void rowsOfNumbersBecomeTheFeaturesThatTheRowEncoderMakes() {
    Schema schema = new Schema();
    RowEncoder learned = new RowEncoder(schema, Missing.MEAN);
    for (int i = 0; i < 50; i++) {
      learned.encode(row(false));
    }
    Schema frozen = schema.snapshot();
    RowEncoder slow = new RowEncoder(frozen, Missing.MEAN);
    NumericEncoder quick = new NumericEncoder(frozen);
    for (int i = 0; i < 500; i++) {
      Map<String, Object> row = row(true);
      assertThat(quick.encode(row)).isEqualTo(slow.encode(row));
    }
    assertThat(quick.encode(Map.of("unknown", 1.0))).isNull();
    assertThat(quick.encode(Map.of("c1", "a text"))).isNull();
    assertThat(quick.encode(Map.of("c1", true))).isNull();
  }

  @Test
  void aSchemaWithTextsIsLeftToTheRowEncoder() {
    Schema schema = new Schema();
    schema.addNumeric("x");
    schema.addCategorical("c");
    assertThat(new NumericEncoder(schema.snapshot()).encode(Map.of("x", 1.0))).isNull();
    assertThat(new NumericEncoder(new Schema().snapshot()).encode(Map.of("x", 1.0))).isNull();
  }

  private Map<String, Object> row(boolean hasUnknown) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("c0", random.nextGaussian());
    for (int i = 1; i < 7; i++) {
      if (random.nextInt(4) > 0) {
        row.put(
            "c" + i,
            random.nextBoolean() ? (Object) (long) random.nextInt(3) : random.nextDouble());
      }
    }
    if (hasUnknown && random.nextBoolean()) {
      row.put("u", 3.0);
    }
    return row;
  }
}
