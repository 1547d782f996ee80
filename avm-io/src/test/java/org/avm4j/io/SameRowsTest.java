package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.codec.Encoder;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.data.TableOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same rows as CSV, as JSON and as maps give the same features, labels and schema. */
class SameRowsTest {
  private static final int TABLES = 150;
  private static final ReadOptions OPTIONS =
      ReadOptions.DEFAULT
          .withHeader(true)
          .withLabel("is a")
          .withTable(TableOptions.DEFAULT.withAbsent(true));

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "ZERO", "SKIP"})
  void theyTeachTheSame(Missing missing) throws IOException {
    for (int seed = 0; seed < TABLES; seed++) {
      RandomTable table = new RandomTable(seed);
      Schema expected = new Schema();
      List<Instance> rows = csv(table, missing, expected);
      Schema json = new Schema();
      assertThat(json(table, missing, json)).isEqualTo(rows);
      Schema maps = new Schema();
      assertThat(maps(table, missing, maps)).isEqualTo(rows);
      Schema texts = new Schema();
      assertThat(texts(table, missing, texts)).isEqualTo(rows);
      List.of(expected, json).forEach(schema -> schema.describe(TableOrigin.UNKNOWN));
      assertThat(List.of(json, maps, texts))
          .allSatisfy(schema -> assertThat(bytes(schema)).isEqualTo(bytes(expected)));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "ZERO"})
  void theyAreTheSameToAModelThatKnowsOtherNames(Missing missing) throws IOException {
    for (int seed = 0; seed < TABLES; seed++) {
      RandomTable table = new RandomTable(seed);
      Schema schema = new Schema();
      csv(table, missing, schema);
      RandomTable other = table.other();
      Schema frozen = schema.snapshot();
      List<Instance> rows = csv(other, missing, frozen);
      assertThat(rows).hasSize(other.size());
      assertThat(json(other, missing, frozen)).isEqualTo(rows);
      assertThat(maps(other, missing, frozen)).isEqualTo(rows);
      assertThat(texts(other, missing, frozen)).isEqualTo(rows);
      assertThat(maps(other.withoutLastColumn(), missing, frozen))
          .isEqualTo(csv(other.withoutLastColumn(), missing, frozen));
      assertThat(bytes(frozen)).isEqualTo(bytes(schema));
    }
  }

  @Test
  void theyAreRefusedInTheSameSentence() throws IOException {
    ReadOptions strict = OPTIONS.withMissing(Missing.ERROR);
    for (int seed = 0; seed < TABLES; seed++) {
      RandomTable table = new RandomTable(seed);
      Schema schema = new Schema();
      csv(table, Missing.MEAN, schema);
      Schema frozen = schema.snapshot();
      DataReader csv = Rows.reader("t.csv", table.csv(), strict, frozen);
      DataReader json = Rows.reader("t.json", table.json(), strict, frozen);
      RowEncoder encoder = new RowEncoder(frozen, Missing.ERROR);
      for (int i = 0; i < table.size(); i++) {
        String refused = refusal(csv);
        assertThat(refusal(json)).isEqualTo(refused);
        assertThat(refusal(encoder, table.row(i), table.label(i))).isEqualTo(refused);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWrongValueIsRefusedInTheSameSentence(Missing missing) throws IOException {
    Schema schema = new Schema();
    Rows.all("a.csv", "a,b,is a\n1,red,0\n", OPTIONS, schema);
    ReadOptions options = OPTIONS.withMissing(missing);
    for (String wrong : List.of("x", "1e999", "5,5", "0x10", "1 000", "-Infinity", "\u0663")) {
      String sentence = "column 'a' holds finite numbers, found '" + wrong + "'";
      DataReader csv =
          Rows.reader("t.csv", "a,b,is a\n\"" + wrong + "\",red,0", options, schema.copy());
      assertThat(refusal(csv)).isEqualTo(sentence);
      String line = "{\"is a\":0,\"features\":{\"a\":\"" + wrong + "\",\"b\":\"red\"}}";
      assertThat(refusal(Rows.reader("t.json", line, options, schema.snapshot())))
          .isEqualTo(sentence);
      RowEncoder encoder = new RowEncoder(schema.snapshot(), missing);
      assertThatThrownBy(() -> encoder.encode(Map.of("a", wrong, "b", "red"))).hasMessage(sentence);
      assertThatThrownBy(() -> encoder.encodeText(Map.of("a", wrong, "b", "red")))
          .hasMessage(sentence);
    }
  }

  private static List<Instance> csv(RandomTable table, Missing missing, Schema schema)
      throws IOException {
    return Rows.all("t.csv", table.csv(), OPTIONS.withMissing(missing), schema);
  }

  private static List<Instance> json(RandomTable table, Missing missing, Schema schema)
      throws IOException {
    return Rows.all("t.json", table.json(), OPTIONS.withMissing(missing), schema);
  }

  private static List<Instance> maps(RandomTable table, Missing missing, Schema schema) {
    RowEncoder encoder = new RowEncoder(schema, missing);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < table.size(); i++) {
      Features x = encoder.encode(table.row(i));
      double y = encoder.label(table.label(i));
      add(x, y, missing, rows);
    }
    return rows;
  }

  private static List<Instance> texts(RandomTable table, Missing missing, Schema schema) {
    RowEncoder encoder = new RowEncoder(schema, missing);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < table.size(); i++) {
      Map<String, String> texts = new LinkedHashMap<>();
      table.row(i).forEach((name, value) -> texts.put(name, RandomTable.text(value)));
      Features x = encoder.encodeText(texts);
      double y = encoder.label(table.label(i));
      add(x, y, missing, rows);
    }
    return rows;
  }

  /** An unlabelled row is left out like any other that lacks a value. */
  private static void add(Features x, double y, Missing missing, List<Instance> rows) {
    if (x != null && !(missing == Missing.SKIP && Double.isNaN(y))) {
      rows.add(new Instance(x, y));
    }
  }

  private static String refusal(DataReader reader) throws IOException {
    try {
      reader.next();
      return null;
    } catch (BadDataException refused) {
      return refused.getMessage().replaceFirst("^t\\.\\w+:\\d+: ", "");
    }
  }

  private static String refusal(RowEncoder encoder, Map<String, Object> row, Object label) {
    try {
      encoder.encode(row);
      encoder.label(label);
      return null;
    } catch (IllegalArgumentException refused) {
      return refused.getMessage();
    }
  }

  private static byte[] bytes(Schema schema) {
    Encoder out = new Encoder();
    schema.encode(out);
    return out.toBytes();
  }
}
