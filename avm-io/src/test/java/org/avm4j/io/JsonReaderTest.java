package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonReaderTest {
  private static final ReadOptions DEFAULT = ReadOptions.DEFAULT;

  private final Schema schema = new Schema();

  @Test
  void readsNamedFeatures() throws IOException {
    assertThat(
            rows(
                """
                {"label": 1, "features": {"age": 42.5, "colour": "red", "old": true}, "id": [1, {}]}

                {"features": {"colour": "blue", "new": 3, "old": false}, "label": -1}
                """))
        .containsExactly(
            new Instance(Features.dense(42.5, 1, 1), 1),
            new Instance(Features.dense(0, 0, 0, 1, 3), -1));
    assertThat(schema.featureName(3)).isEqualTo("colour=blue");
    assertThat(schema.featureName(4)).isEqualTo("new");
  }

  @Test
  void readsArrays() throws IOException {
    assertThat(rows("{\"label\": 2, \"features\": [1, 0, -3e2]}\n{\"label\": 0, \"features\": []}"))
        .containsExactly(
            new Instance(Features.dense(1, 0, -300), 2), new Instance(Features.dense(), 0));
    assertThat(schema.featureName(2)).isEqualTo("x3");
  }

  @Test
  void labelsMayBeTexts() throws IOException {
    assertThat(rows("{\"label\":\"spam\",\"features\":[]}\n{\"label\":\"ham\",\"features\":[]}"))
        .extracting(Instance::label)
        .containsExactly(0.0, 1.0);
  }

  @Test
  void theLabelMayHaveAnotherName() throws IOException {
    assertThat(rows("{\"y\": 5, \"features\": [1]}", DEFAULT.withLabel("y")).get(0).label())
        .isEqualTo(5);
  }

  @Test
  void withoutLabelsTheLabelIsNaN() throws IOException {
    assertThat(rows("{\"features\":[1]}\n{\"label\":[2],\"features\":[1]}", DEFAULT.unlabelled()))
        .extracting(Instance::label)
        .containsExactly(Double.NaN, Double.NaN);
    assertThat(rows("{\"label\": null, \"features\":[1]}").get(0).label()).isNaN();
  }

  @Test
  void nullIsMissing() throws IOException {
    assertThat(
            rows("{\"label\":1,\"features\":{\"a\":4,\"b\":\"r\"}}\n"
                    + "{\"label\":1,\"features\":{\"a\":null,\"b\":null,\"c\":null}}")
                .get(1)
                .features())
        .isEqualTo(Features.dense(4));
  }

  @Test
  void columnsMayStandBesideTheLabel() throws IOException {
    assertThat(rows("{\"a\":-1.5,\"c\":\"u\",\"label\":\"no\"}\n{\"label\":\"yes\",\"c\":\"v\"}"))
        .containsExactly(
            new Instance(Features.dense(-1.5, 1), 0), new Instance(Features.dense(-1.5, 0, 1), 1));
    assertThatThrownBy(() -> rows("{\"label\":\"no\",\"a\":{\"b\":1}}"))
        .hasMessage("a.json:1: column 'a' must hold a number, a text, true, false or null");
  }

  @Test
  void rowsMayBeTheElementsOfAnArray() throws IOException {
    String text = " [{\"a\":1,\"label\":0},\n{\"a\":[2],\"label\":1}, 7,\n{\"a\":3,\"label\":1}]\n";
    DataReader reader = Rows.reader("a.json", text, DEFAULT, schema);
    assertThat(reader.next()).isTrue();
    assertThat(reader.features()).isEqualTo(Features.dense(1));
    assertThatThrownBy(reader::next)
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith("a.json:2: column 'a' must hold a number");
    assertThatThrownBy(reader::next).hasMessage("a.json:2: expected an array of JSON objects");
    assertThat(reader.next()).isTrue();
    assertThat(reader.features()).isEqualTo(Features.dense(3));
    assertThat(reader.line()).isEqualTo(3);
    assertThat(reader.next()).isFalse();
    assertThatThrownBy(() -> rows("[{\"a\":1,\"label\":0}, {\"a\" 2"))
        .isInstanceOf(DamagedDataException.class)
        .hasMessage("a.json:1: the JSON array is broken here");
  }

  @Test
  void aFrozenSchemaPassesOverNewNames() throws IOException {
    rows("{\"label\":\"x\",\"features\":{\"a\":4,\"b\":\"r\"}}");
    String text = "{\"label\":\"z\",\"features\":{\"b\":\"q\",\"c\":7,\"d\":null,\"a\":1}}";
    assertThat(Rows.all("b.json", text, DEFAULT, schema.frozen()))
        .containsExactly(new Instance(Features.dense(1), 1));
    assertThat(schema.dimension()).isEqualTo(2);
    assertThatThrownBy(() -> Rows.reader("b.json", text, DEFAULT, new Schema().frozen()))
        .hasMessageContaining("the model knows no column names");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'label':1} | expected the key \"features\"",
        "{'features':[]} | expected the key \"label\"",
        "[1,2] | expected a JSON object",
        "{'label':[1],'features':[]} | the label must be a number, a text or null",
        "{'label':1,'features':3} | features must be an object or an array",
        "{'label':1,'features':{'a':'x'}} | column 'a' holds finite numbers, found 'x'",
        "{'label':1,'features':{'a':1e999}} | column 'a' holds finite numbers, found '1e999'",
        "{'label':1,'features':{'a':[1]}}"
            + " | column 'a' must hold a number, a text, true, false or null",
        "{'label':1,'features':{'a':1,'a':2}} | expected one JSON object a line, found"
            + " '{\"label\":1,\"features\":{\"a\":1,\"a\":2}}'",
        "{'label':1,'features':[] | expected one JSON object a line,"
            + " found '{\"label\":1,\"features\":[]'",
        "{'label':1,'features':[]} {} | expected one JSON object a line",
        "{'label':1,'features':[NaN]} | expected one JSON object a line,"
            + " found '{\"label\":1,\"features\":[NaN]}'",
        "nonsense | expected one JSON object a line, found 'nonsense'",
        "{'label':'x','features':[]} | labels have been numbers so far, found 'x'",
        "{'label':1,'features':{'a':1,'b':'\\ud800'}} | a value of column 'b' must be Unicode text,"
            + " found half of a surrogate pair, U+D800",
        "{'label':1,'features':{'a':1e16}} | column 'a' holds numbers within ±1e15, found '1e16'",
      })
  void aBadRowIsToldAndTheNextIsRead(String row, String message) throws IOException {
    String good = "{\"label\":2,\"features\":{\"a\":3}}\n";
    DataReader reader =
        Rows.reader("a.json", good + row.replace('\'', '"') + "\n" + good, DEFAULT, schema);
    assertThat(reader.next()).isTrue();
    assertThatThrownBy(reader::next)
        .isInstanceOf(BadDataException.class)
        .hasMessage("a.json:2: " + message);
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(3);
    assertThat(reader.features()).isEqualTo(Features.dense(3));
    assertThat(reader.next()).isFalse();
  }

  private List<Instance> rows(String text) throws IOException {
    return rows(text, DEFAULT);
  }

  private List<Instance> rows(String text, ReadOptions options) throws IOException {
    return Rows.all("a.json", text, options, schema);
  }
}
