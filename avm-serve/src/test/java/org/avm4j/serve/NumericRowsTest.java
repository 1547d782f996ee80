package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;

class NumericRowsTest {
  private static final ModelSpec SPEC = ModelSpec.of(Map.of());
  private static final List<String> NUMBERS =
      List.of("0", "-0", "1", "-12", "0.5", "-3.25e-7", "1E+3", "900719925474099.3", "0.1e1");
  private static final String ALPHABET = "{}[]\":,. \n0123456789-+eEcnulltrue\\\u00e9";

  private final Random random = new Random(5);
  private final Schema schema = schema();
  private final NumericRows quick = new NumericRows(schema, SPEC);

  private static Schema schema() {
    Schema schema = new Schema();
    RowEncoder learned = new RowEncoder(schema, Missing.MEAN);
    learned.encode(Map.of("c0", 1.5));
    learned.encode(Map.of("c0", 2, "c1", 3));
    learned.encode(Map.of("c0", 2, "c1", 3, "caf\u00e9", -7));
    return schema.snapshot();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private List<Features> quick(String json) {
    return quick.read(bytes(json));
  }

  /** What the parser for all of JSON and the row encoder make of it. */
  private List<Features> slow(byte[] json) {
    RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);
    List<ServedRow> rows =
        new RowParser(SPEC, ServedRow.Purpose.LEARN, false, null, RequestCost.stored())
            .parse(json, "application/json");
    assertThat(rows).allMatch(row -> row.id() == null);
    return rows.stream().map(row -> row.row().values().encode(encoder)).toList();
  }

  @Test
  void plainRowsBecomeTheFeaturesThatTheSlowWayMakes() {
    for (int i = 0; i < 500; i++) {
      String json = json(random);
      assertThat(quick(json)).as(json).isNotNull().isEqualTo(slow(bytes(json)));
    }
  }

  @Test
  void whateverIsReadOfSpoiltJsonIsWhatTheSlowWayReads() {
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] json = bytes(json(random));
      for (int j = random.nextInt(3); j >= 0; j--) {
        json[random.nextInt(json.length)] =
            (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      }
      List<Features> rows = quick.read(json);
      if (rows != null) {
        read++;
        assertThat(rows).as(new String(json, StandardCharsets.UTF_8)).isEqualTo(slow(json));
      }
    }
    assertThat(read).isBetween(500, 15_000);
  }

  private static String json(Random random) {
    boolean isArray = random.nextBoolean();
    List<String> rows = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      rows.add(row(random));
    }
    String all = String.join(isArray ? "," : "\n", rows);
    return isArray ? "[" + all + "]" : all;
  }

  private static String row(Random random) {
    List<String> names = new ArrayList<>(List.of("c0", "c1", "caf\u00e9"));
    Collections.shuffle(names, random);
    List<String> fields = new ArrayList<>();
    for (String name : names.subList(0, 1 + random.nextInt(3))) {
      String blank = random.nextBoolean() ? " " : "";
      String number = NUMBERS.get(random.nextInt(NUMBERS.size()));
      fields.add("\"" + name + "\":" + blank + number + blank);
    }
    return "{" + String.join(",", fields) + "}";
  }

  @Test
  void whatIsNotPlainIsLeftToTheSlowWay() {
    for (String value :
        List.of(
            "01", "+1", ".5", "1.", "1.e3", "1e999", "1.1e15", "-2e15", "NaN", "null", "\"1\"")) {
      assertThat(quick("{\"c0\":" + value + "}")).as(value).isNull();
    }
    assertThat(quick("{\"c0\":" + "1".repeat(40) + "}")).isNull();
    assertThat(quick("{\"c0\":1,\"c0\":2}")).isNull();
    assertThat(quick("{\"c0\":1,\"unknown\":2}")).isNull();
    assertThat(quick("{\"c0\":1,\"id\":2}")).isNull();
    assertThat(quick("{}")).isNull();
    assertThat(quick("[]")).isNull();
    assertThat(quick("[{\"c0\":1}")).isNull();
    assertThat(quick("[{\"c0\":1}],")).isNull();
    assertThat(quick("{\"c0\":1},{\"c0\":1}")).isNull();
    assertThat(quick("{\"\\u00630\":1}")).isNull();
  }

  @Test
  void modelsWithOtherColumnsAreLeftToTheSlowWay() {
    for (String name : List.of("id", "label", "a\"b")) {
      Schema odd = new Schema();
      odd.addNumeric(name);
      odd.addNumeric("x");
      assertThat(new NumericRows(odd.snapshot(), SPEC).read(bytes("{\"x\":1}"))).isNull();
    }
    Schema texts = new Schema();
    texts.addNumeric("x");
    texts.addCategorical("c");
    assertThat(new NumericRows(texts.snapshot(), SPEC).read(bytes("{\"x\":1}"))).isNull();
    assertThat(new NumericRows(new Schema().snapshot(), SPEC).read(bytes("{\"x\":1}"))).isNull();
  }
}
