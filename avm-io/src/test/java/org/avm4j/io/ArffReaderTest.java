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

class ArffReaderTest {
  private static final String HEADER =
      """
      % a comment
      @RELATION 'my data'
      @attribute age numeric
      @Attribute 'hair colour' {red, 'light blue', "it's"}
      @ATTRIBUTE size REAL

      @attribute class {no, yes}
      @data
      """;

  private final Schema schema = new Schema();

  @Test
  void readsDenseRows() throws IOException {
    assertThat(rows(HEADER + "42, red, 1.5, yes\n% note\n\n7,'light blue',-2,no % note\n"))
        .containsExactly(
            new Instance(Features.dense(42, 1, 0, 0, 1.5), 1),
            new Instance(Features.dense(7, 0, 1, 0, -2), 0));
    assertThat(schema.featureName(3)).isEqualTo("hair colour=it's");
    assertThat(schema.labels()).containsExactly("no", "yes");
  }

  @Test
  void readsSparseRows() throws IOException {
    assertThat(rows(HEADER + "{0 42, 2 1.5, 3 yes}\n{1 \"it's\"}\n{}\n"))
        .containsExactly(
            new Instance(Features.dense(42, 1, 0, 0, 1.5), 1),
            new Instance(Features.dense(0, 0, 0, 1, 0), 0),
            new Instance(Features.dense(0, 1, 0, 0, 0), 0));
  }

  @Test
  void aQuestionMarkIsMissing() throws IOException {
    List<Instance> rows = rows(HEADER + "2,red,1,yes\n?,?,3,?\n{0 ?, 1 ?}\n");
    assertThat(rows.get(1).features()).isEqualTo(Features.dense(2, 0, 0, 0, 3));
    assertThat(rows.get(1).label()).isNaN();
    assertThat(rows.get(2).features()).isEqualTo(Features.dense(2, 0, 0, 0, 0));
  }

  @Test
  void aQuestionMarkInQuotesIsAValue() throws IOException {
    assertThat(
            rows("@attribute a {'?', b}\n@attribute y numeric\n@data\n'?',1\n").get(0).features())
        .isEqualTo(Features.dense(1));
  }

  @Test
  void classesThatAreNumbersStayNumbers() throws IOException {
    assertThat(rows("@attribute a integer\n@attribute class {3, -1}\n@data\n1,3\n2,-1\n{0 5}\n"))
        .extracting(Instance::label)
        .containsExactly(3.0, -1.0, 3.0);
    assertThat(schema.labels()).isEmpty();
  }

  @Test
  void aNumericClassIsANumber() throws IOException {
    assertThat(rows("@attribute y numeric\n@attribute a numeric\n@data\n1.5,2\n"))
        .containsExactly(new Instance(Features.dense(2), 1.5));
  }

  @Test
  void aKnownSchemaIsMatchedByName() throws IOException {
    rows(HEADER + "42, red, 1.5, yes\n");
    String other =
        "@attribute size numeric\n@attribute new numeric\n@attribute 'hair colour' {green,red}\n"
            + "@attribute class {maybe, yes}\n@data\n9,1,red,yes\n9,1,green,maybe\n";
    ReadOptions lenient = ReadOptions.DEFAULT.withTable(TableOptions.DEFAULT.withAbsent(true));
    assertThat(Rows.all("b.arff", other, lenient, schema.frozen()))
        .containsExactly(
            new Instance(Features.dense(42, 1, 0, 0, 9), 1),
            new Instance(Features.dense(42, 0, 0, 0, 9), 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1,red,2 | expected 4 fields, found 3",
        "1,red,2,yes,{5} | expected a word or a number at character 13",
        "x,red,2,yes | column 'age' holds finite numbers, found 'x'",
        "1,green,2,yes | attribute 'hair colour' does not declare 'green'",
        "1,red,2,maybe | attribute 'class' does not declare 'maybe'",
        "1,,2,yes | expected a word or a number at character 3",
        "1,'red,2,yes | a quoted word must end on the line where it starts",
        "{4 1} | expected the index of an attribute, from 0 to 3, found '4'",
        "{1 red, 1 red} | the attribute indices of a sparse row must be ascending, found '1' after 1",
        "{x 1} | expected the index of an attribute, from 0 to 3, found 'x'",
        "{0 1 | expected a word or a number at character 5",
      })
  void aBadRowIsToldAndTheNextIsRead(String row, String message) throws IOException {
    DataReader reader = reader(HEADER + row + "\n2,red,3,yes\n");
    assertThatThrownBy(reader::next)
        .isInstanceOf(BadDataException.class)
        .hasMessage("a.arff:9: " + message);
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(10);
    assertThat(reader.features()).isEqualTo(Features.dense(2, 1, 0, 0, 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "@attribute a relational | attribute 'a' must be numeric, nominal, string or date, found type"
            + " 'relational'",
        "@attribute a date 'bcd' | expected a date pattern such as yyyy-MM-dd, found 'bcd'",
        "@attribute a {} | expected a word or a number at character 15",
        "@attribute a {b,b} | a nominal value must appear only once: 'b'",
        "@attribute a {b c} | the list of nominal values must end with a brace",
        "@attribute | expected a word or a number at character 11",
        "@attribute 'a | a quoted word must end on the line where it starts",
        "1,2 | expected @attribute or @data, found '1,2'",
      })
  void aBadHeaderIsTold(String line, String message) {
    assertThatThrownBy(() -> reader("@relation r\n" + line + "\n@data\n"))
        .isInstanceOf(BadDataException.class)
        .hasMessage("a.arff:2: " + message);
  }

  @Test
  void aHeaderNeedsAnEndAndAttributes() {
    assertThatThrownBy(() -> reader("@relation r\n@attribute a numeric\n"))
        .hasMessage("a.arff:3: expected @data before the end of the file");
    assertThatThrownBy(() -> reader("@relation r\n@data\n1\n"))
        .hasMessage("a.arff:2: expected an @attribute before @data");
    assertThatThrownBy(() -> reader(""))
        .hasMessage("a.arff:1: expected @data before the end of the file");
  }

  @Test
  void anAttributeHasTheKindThatTheModelKnows() throws IOException {
    rows("@attribute a numeric\n@attribute y numeric\n@data\n1,2\n");
    assertThatThrownBy(() -> reader("@attribute a {b,c}\n@attribute y numeric\n@data\n"))
        .hasMessage("a.arff:3: attribute 'a' must be numeric, as in the model");
  }

  private DataReader reader(String text) throws IOException {
    return Rows.reader("a.arff", text, ReadOptions.DEFAULT, schema);
  }

  private List<Instance> rows(String text) throws IOException {
    return Rows.all(reader(text));
  }
}
