package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.avm4j.Features;
import org.avm4j.codec.Encoder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hostile rows: refused in a sentence, and then nothing is learned, or encoded. A line is a row,
 * its fields are {@code name=value} with tabs between. A value begins with # if it is a number, +
 * if it is true, ! if it is null, * if it is no value at all; anything else is text.
 */
class RowEncoderFuzzTest {
  private static final String GOOD =
      "age=#42\tcolour=red\told=+\n"
          + "age=!\tcolour=light \u00fcblue\tsize=#1e-300\n"
          + "age=#NaN\tsize=x\nage=7\tnew=*\n=\t=#\n";

  @FuzzTest(maxDuration = "60s")
  void rowsAreRefusedOrEncoded(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    for (Missing missing : Missing.values()) {
      Schema schema = new Schema();
      for (String line : text.split("\n", -1)) {
        encode(row(line), schema, missing);
      }
    }
  }

  @Test
  @Tag("slow")
  void damagedRowsAreRefusedOrEncoded() {
    SplittableRandom random = new SplittableRandom(17);
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    String likely = "#+!*=\t\n0123456789.-eE ?naNInf";
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = good.clone();
      for (int j = random.nextInt(1, 8); j > 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) likely.charAt(random.nextInt(likely.length()));
      }
      rowsAreRefusedOrEncoded(bytes);
    }
  }

  private static void encode(Map<String, Object> row, Schema schema, Missing missing) {
    byte[] before = bytes(schema);
    RowEncoder live = new RowEncoder(schema, missing);
    try {
      Features x = live.encode(row);
      assertThat(x == null || x.dimension() <= schema.dimension()).isTrue();
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageMatching("(?s).{10,}");
      assertThat(bytes(schema)).isEqualTo(before);
      return;
    }
    byte[] after = bytes(schema);
    if (!schema.columns().isEmpty()) {
      assertThat(new RowEncoder(schema.snapshot(), Missing.ZERO).encode(row)).isNotNull();
    }
    assertThat(bytes(schema)).isEqualTo(after);
  }

  private static Map<String, Object> row(String line) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (String field : line.split("\t")) {
      int equals = field.indexOf('=');
      row.put(field.substring(0, Math.max(0, equals)), value(field.substring(equals + 1)));
    }
    return row;
  }

  private static Object value(String text) {
    return switch (text.isEmpty() ? ' ' : text.charAt(0)) {
      case '#' -> Decimal.parse(text.substring(1));
      case '+' -> true;
      case '!' -> null;
      case '*' -> List.of();
      default -> text;
    };
  }

  private static byte[] bytes(Schema schema) {
    Encoder out = new Encoder();
    schema.encode(out);
    return out.toBytes();
  }
}
