package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvReaderTest {
  private static final ReadOptions DEFAULT = ReadOptions.DEFAULT;

  private final Schema schema = new Schema();

  @Test
  void readsNumbersCategoriesAndLabels() throws IOException {
    assertThat(rows("age,colour,size,class\n42,red,1.5,1\n7,blue,2,-1\n8,red,0,1\n"))
        .containsExactly(
            new Instance(Features.dense(42, 1, 1.5), 1),
            new Instance(Features.dense(7, 0, 2, 1), -1),
            new Instance(Features.dense(8, 1, 0), 1));
    assertThat(schema.featureName(3)).isEqualTo("colour=blue");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,b,label\n1,2,3",
        "a;b;label\n1;2;3\n",
        "a\tb\tlabel\r\n1\t2\t3\r\n",
        "\na,b,label\n\n1,2,3\n  \n",
        " a , b , label \n 1 , 2 , 3 \n",
        "\"a\",\"b\",\"label\"\n\"1\", \"2\" ,\"3\"",
        "\ufeffa,b,label\n1,2,3"
      })
  void whatSurroundsFieldsDoesNotMatter(String text) throws IOException {
    assertThat(rows(text)).containsExactly(new Instance(Features.dense(1, 2), 3));
    assertThat(schema.columns()).extracting(Column::name).containsExactly("a", "b");
  }

  @Test
  void quotedFieldsMayHoldAnything() throws IOException {
    rows("\"a, b\",y\n\"x \"\"q\"\"\nz\",1\n5\" wide,2\n");
    assertThat(schema.featureName(0)).isEqualTo("a, b=x \"q\"\nz");
    assertThat(schema.featureName(1)).isEqualTo("a, b=5\" wide");
  }

  @Test
  void withoutAHeaderColumnsAreNumbered() throws IOException {
    assertThat(rows("1,2,7\n3,?,8\n"))
        .containsExactly(
            new Instance(Features.dense(1, 2), 7), new Instance(Features.dense(3, 2), 8));
    assertThat(schema.columns()).extracting(Column::name).containsExactly("x1", "x2");
  }

  @Test
  void numbersThatCountTheColumnsAreAHeader() throws IOException {
    String rows = "0.5,7,2,1\n0.1,8,3,0\n";
    assertThat(Rows.all("a.csv", "1,2,3,4\n" + rows, DEFAULT, new Schema())).hasSize(2);
    assertThat(Rows.all("a.csv", "0,1,2,3\n" + rows, DEFAULT, new Schema())).hasSize(2);
    assertThat(Rows.all("a.csv", "2,3,4,5\n" + rows, DEFAULT, new Schema())).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "age,weight,2020,label",
        "age,1990,2000,label",
        "country,2020-01-01,2020-02-01,label",
        "2019,2020,2021,label",
        "id,3 months,6,label"
      })
  void aNumberOrADateMayBeAName(String header) {
    assertThat(HeaderGuess.isHeader(header.split(","), fractions("%s,%s,%s,yes"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0,1,2", "2019,2020,2021"})
  void numbersThatCountUpOverFractionsAreNames(String header) {
    assertThat(HeaderGuess.isHeader(header.split(","), fractions("%s,%s,%s"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5,1,2", "-1,-,3", "0,2,4", "5,0.25,0.5", "3,1,2"})
  void aRowOfNumbersIsNoHeader(String row) {
    assertThat(HeaderGuess.isHeader(row.split(","), fractions("%s,%s,%s"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7;8;9 | 1,234;$5;6 USD | false",
        "1;2;3 | 1,234;$5;6 USD | false",
        "2019;2020;2021 | 1,5;$2.5;3.5 USD | true"
      })
  void onlyANumberWithAFractionIsNoWholeNumber(String first, String row, boolean isHeader) {
    List<String[]> rest = Collections.nCopies(5, row.split(";"));
    assertThat(HeaderGuess.isHeader(first.split(";"), rest)).isEqualTo(isHeader);
  }

  private static List<String[]> fractions(String form) {
    return IntStream.range(0, 30)
        .mapToObj(i -> String.format(form, 0.25 * i - 3, 0.5 * i - 9, 0.75 * i - 1).split(","))
        .toList();
  }

  @Test
  void aRepeatedNameGetsANumber() throws IOException {
    DataReader reader = reader("a,a,a_2,,a,label\n1,2,3,4,5,0\n", DEFAULT);
    assertThat(Rows.all(reader)).containsExactly(new Instance(Features.dense(1, 2, 3, 4, 5), 0));
    assertThat(schema.columns())
        .extracting(Column::name)
        .containsExactly("a", "a_3", "a_2", "x4", "a_4");
    assertThat(notes(reader)).contains("column 'a_3' is another one called 'a' in the header");
  }

  @Test
  void theLabelMustBeOneColumn() throws IOException {
    String table = "label,a,label\nno,1,0\nyes,2,1\n";
    assertThatThrownBy(() -> reader(table, DEFAULT))
        .hasMessageStartingWith("a.csv:1: the label must be one column, found several called");
    assertThat(rows(table, DEFAULT.withLabel("1"))).hasSize(2);
    assertThat(schema.columns()).extracting(Column::name).containsExactly("a", "label_2");
    assertThat(Rows.all("b.csv", table, DEFAULT, schema.frozen()))
        .extracting(Instance::label)
        .containsExactly(0.0, 1.0);
  }

  @Test
  void theRowNamesOfRHaveNoName() throws IOException {
    DataReader reader = reader("a b label\n1 5 6 0\n2 7 8 1\n4 9 9 1\n", DEFAULT);
    assertThat(Rows.all(reader)).hasSize(3);
    assertThat(schema.columns()).extracting(Column::name).containsExactly("x1", "a", "b");
    assertThat(notes(reader)).anyMatch(note -> note.contains("one name less than the rows"));
    assertThatThrownBy(() -> fresh("a,b,label\n-1.5,'x, y',no\n2.5,'x, y',yes\n"))
        .hasMessage("a.csv:2: expected 3 fields, found 4");
  }

  @Test
  void withoutAHeaderTheModelsOrderCounts() throws IOException {
    rows("a,label,b\n1,no,x\n2,yes,y\n");
    Schema frozen = schema.frozen();
    ReadOptions headless = DEFAULT.withHeader(false);
    assertThat(Rows.all("b.csv", "5,y\n", headless, frozen))
        .containsExactly(new Instance(Features.dense(5, 0, 1), Double.NaN));
    assertThat(Rows.all("b.csv", "5,yes,y\n", headless, frozen))
        .containsExactly(new Instance(Features.dense(5, 0, 1), 1));
    assertThatThrownBy(() -> Rows.all("b.csv", "5\n", headless, frozen))
        .hasMessage(
            "b.csv:1: without a header, expected the 2 columns of the model in their order, 'a',"
                + " 'b', or these and the label; found 1");
  }

  @Test
  void aTextAmongNumbersIsMissingFromTheFirstRowOn() throws IOException {
    rows("a,y\n1,0\n3,1\n");
    DataReader reader = Rows.reader("b.csv", "a,y\nabc,0\n5,1\n", DEFAULT, schema.frozen());
    assertThat(Rows.all(reader))
        .containsExactly(new Instance(Features.dense(2), 0), new Instance(Features.dense(5), 1));
    assertThat(notes(reader)).anyMatch(note -> note.endsWith("the first on line 2: 'abc'"));
    String texts = "a,y\n" + "abc,0\n".repeat(21);
    assertThatThrownBy(() -> Rows.all("b.csv", texts, DEFAULT, schema.frozen()))
        .hasMessage("b.csv:22: column 'a' holds finite numbers, found 'abc'");
    ReadOptions strict = DEFAULT.withMissing(Missing.ERROR);
    assertThatThrownBy(() -> Rows.all("b.csv", "a,y\nabc,0\n", strict, schema.frozen()))
        .hasMessage("b.csv:2: column 'a' holds finite numbers, found 'abc'");
    String marks = "a,y\n" + "-,0\n".repeat(50);
    assertThat(Rows.all("b.csv", marks, DEFAULT, schema.frozen())).hasSize(50);
  }

  @Test
  void aTextAmongDatesIsMissingAndTold() throws IOException {
    schema.declare("d", ColumnKind.DATE_MONTH_FIRST, List.of());
    rows("d,y\n12/31/2019,0\n12/31/2020,1\n");
    DataReader reader =
        Rows.reader("b.csv", "d,y\n-,0\n12/31/2020,1\n31/12/2020,1\n", DEFAULT, schema.frozen());
    List<Instance> read = Rows.all(reader);
    assertThat(read).hasSize(3);
    assertThat(read.get(2).features()).isEqualTo(read.get(0).features());
    assertThat(notes(reader))
        .containsExactly(
            "column 'd' holds dates, so that other texts count as missing, the first on line 2:"
                + " '-'");
    String texts = "d,y\n" + "31/12/2020,0\n".repeat(21);
    assertThatThrownBy(() -> Rows.all("b.csv", texts, DEFAULT, schema.frozen()))
        .hasMessage("b.csv:22: column 'd' holds dates, found '31/12/2020'");
    assertThatThrownBy(
            () -> Rows.all("b.csv", texts, DEFAULT.withMissing(Missing.ERROR), schema.frozen()))
        .hasMessage("b.csv:2: column 'd' holds dates, found '31/12/2020'");
    ReadOptions learning = DEFAULT.withTable(DEFAULT.table().withLookAhead(1));
    assertThat(Rows.all("b.csv", texts, learning, schema.frozen())).hasSize(21);
    ReadOptions skip = DEFAULT.withMissing(Missing.SKIP);
    assertThat(Rows.all("b.csv", "d,y\n31/12/2020,0\n", skip, schema.frozen())).isEmpty();
  }

  @Test
  void zeroForMissingNumbersIsKept() throws IOException {
    rows("a,b,y\n4,1,0\n?,1,1\n", DEFAULT.withMissing(Missing.ZERO));
    assertThat(Rows.all("b.csv", "a,b,y\n?,1,0\n", DEFAULT, schema.snapshot()))
        .containsExactly(new Instance(Features.dense(0, 1), 0));
  }

  @Test
  void aRefusedRowLeavesNoTrace() throws IOException {
    Schema schema = new Schema();
    DataReader reader =
        Rows.reader(
            "a.csv",
            "a,c,y\n1,red,no\n1e16,green,maybe\n3,blue,yes\n",
            DEFAULT.withTable(DEFAULT.table().withLookAhead(0)),
            schema);
    assertThat(reader.next()).isTrue();
    assertBad(reader, "a.csv:3: column 'a' holds numbers within ±1e15, found '1e16'");
    assertThat(reader.next()).isTrue();
    assertThat(schema.labels()).containsExactly("no", "yes");
    assertThat(schema.column("c").categories()).containsExactly("red", "blue");
    reader.undo();
    assertThat(schema.labels()).containsExactly("no");
    assertThat(schema.column("c").categories()).containsExactly("red");
  }

  @Test
  void aHeaderMayBeSaidToBeThereOrNot() throws IOException {
    assertThat(rows("1,2\n3,4\n", DEFAULT.withHeader(true)))
        .containsExactly(new Instance(Features.dense(3), 4));
    assertThat(Rows.all("a.csv", "red,2\nblue,4\n", DEFAULT.withHeader(false), new Schema()))
        .containsExactly(new Instance(Features.dense(1), 2), new Instance(Features.dense(0, 1), 4));
  }

  @ParameterizedTest
  @CsvSource({"b, 2", "2, 2", "-2, 2", "1, 1", "-1, 3", ", 3"})
  void theLabelIsNamedOrCounted(String label, double value) throws IOException {
    assertThat(rows("a,b,c\n1,2,3", DEFAULT.withLabel(label)).get(0).label()).isEqualTo(value);
    assertThat(schema.dimension()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Label", "CLASS", "target", "y"})
  void aLabelIsKnownByItsName(String name) throws IOException {
    assertThat(rows("a," + name + ",c\n1,2,3").get(0).label()).isEqualTo(2);
  }

  @Test
  void textLabelsGoToTheDictionary() throws IOException {
    assertThat(rows("a,y\n1,spam\n2,ham\n3,spam"))
        .extracting(Instance::label)
        .containsExactly(0.0, 1.0, 0.0);
    assertThat(schema.labels()).containsExactly("spam", "ham");
  }

  @Test
  void withoutLabelsEveryColumnIsAFeature() throws IOException {
    Instance row = rows("a,y\n1,2\n", DEFAULT.unlabelled()).get(0);
    assertThat(row).isEqualTo(new Instance(Features.dense(1, 2), Double.NaN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "NA", "NaN", "null", "NULL", "na"})
  void aMissingNumberIsTheMeanSoFar(String missing) throws IOException {
    assertThat(rows("a,b,y\n1,r,0\n3,r,0\n" + missing + "," + missing + ",0\n").get(2).features())
        .isEqualTo(Features.dense(2));
  }

  @Test
  void aMissingNumberMayBeZero() throws IOException {
    assertThat(rows("a,y\n5,0\n?,0\n", DEFAULT.withMissing(Missing.ZERO)).get(1).features())
        .isEqualTo(Features.dense(0));
  }

  @Test
  void aRowWithAMissingValueMayBeSkipped() throws IOException {
    DataReader reader = reader("a,y\n5,0\n?,0\n6,?\n7,0\n", DEFAULT.withMissing(Missing.SKIP));
    assertThat(Rows.all(reader)).hasSize(2);
    assertThat(reader.skipped()).isEqualTo(2);
  }

  @Test
  void aMissingValueMayBeAnError() throws IOException {
    DataReader reader = reader("a,y\n?,0\n6,?\n7,0\n", DEFAULT.withMissing(Missing.ERROR));
    assertBad(reader, "a.csv:2: column 'a' has no value");
    assertBad(reader, "a.csv:3: the label is missing");
    assertThat(Rows.all(reader)).hasSize(1);
  }

  @Test
  void aMissingLabelIsNaN() throws IOException {
    assertThat(rows("a,y\n1,\n").get(0).label()).isNaN();
  }

  @Test
  void aColumnShowsItsKindByItsFirstValue() throws IOException {
    assertThat(rows("a,b,y\n?,1,0\nred,2,0\n").get(1).features()).isEqualTo(Features.dense(2, 1));
  }

  @Test
  void anInfiniteNumberIsNoCategory() throws IOException {
    assertBad(
        reader("a,y\n-Inf,0\n", DEFAULT), "a.csv:2: column 'a' holds finite numbers, found '-Inf'");
  }

  @Test
  void aKnownSchemaIsMatchedByName() throws IOException {
    rows("age,colour,y\n10,red,a\n20,blue,b\n");
    Schema frozen = schema.frozen();
    List<Instance> rows =
        Rows.all("b.csv", "new,y,colour,age\n1,b,red,5\n2,c,green,6", DEFAULT, frozen);
    assertThat(rows)
        .containsExactly(new Instance(Features.dense(5, 1), 1), new Instance(Features.dense(6), 2));
    ReadOptions lenient = DEFAULT.withTable(TableOptions.DEFAULT.withAbsent(true));
    assertThat(Rows.all("c.csv", "colour,y\nblue,a\n", lenient, frozen))
        .containsExactly(new Instance(Features.dense(15, 0, 1), 0));
    assertThat(schema.dimension()).isEqualTo(3);
  }

  @Test
  void anAbsentColumnIsTold() throws IOException {
    rows("age,colour,size,y\n10,red,1,a\n20,blue,2,b\n");
    assertThatThrownBy(() -> Rows.all("c.csv", "colour,y\nblue,a\n", DEFAULT, schema.frozen()))
        .hasMessage("c.csv:1: expected the model's columns 'age', 'size', or --fill-columns");
  }

  @Test
  void aModelRemembersItsLabel() throws IOException {
    rows("kind,age\na,10\nb,20\n", DEFAULT.withLabel("kind"));
    Schema frozen = schema.frozen();
    assertThat(Rows.all("b.csv", "age,kind\n5,b\n", DEFAULT, frozen))
        .containsExactly(new Instance(Features.dense(5), 1));
    assertThat(Rows.all("c.csv", "age\n5\n", DEFAULT, frozen))
        .containsExactly(new Instance(Features.dense(5), Double.NaN));
  }

  @Test
  void aModelRemembersItsLabelWithoutNames() throws IOException {
    rows("0,10,3\n1,20,4\n", DEFAULT.withLabel("1"));
    Schema frozen = schema.frozen();
    assertThat(Rows.all("b.csv", "1,5,6\n", DEFAULT, frozen))
        .containsExactly(new Instance(Features.dense(5, 6), 1));
    assertThat(Rows.all("c.csv", "5,6\n", DEFAULT, frozen))
        .containsExactly(new Instance(Features.dense(5, 6), Double.NaN));
    assertThatThrownBy(() -> Rows.all("d.csv", "5\n", DEFAULT, frozen))
        .hasMessage("d.csv:1: expected 2 columns, or 3 with the label, found 1");
  }

  /** A header, and six rows of two numbers, a text and a label. */
  private static String table(String... header) {
    StringBuilder table = new StringBuilder(String.join("\n", header)).append('\n');
    for (int i = 1; i <= 6; i++) {
      table.append("%d,%d.5,%s,%d%n".formatted(i, i, i % 2 > 0 ? "red" : "blue", i));
    }
    return table.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time,flow,colour,y | s,l/min,,m | the second is left out: 's,l/min,,m'",
        "time,flow,colour,y | ---,:--,--:,--- | the second is left out: '---,:--,--:,---'",
        "in,in,in,out | time,flow,colour,y | the first is left out: 'in,in,in,out'",
      })
  void aHeaderMayHaveTwoLines(String first, String second, String note) throws IOException {
    DataReader reader = reader(table(first, second), DEFAULT);
    assertThat(notes(reader)).contains("the header has two lines; " + note);
    int rows = 0;
    while (reader.next()) {
      rows++;
    }
    assertThat(rows).isEqualTo(6);
    assertThat(schema.columns()).extracting(Column::name).containsExactly("time", "flow", "colour");
  }

  @Test
  void aRowWithoutItsNumbersIsNoHeader() throws IOException {
    assertThat(rows(table("time,flow,colour,y", "?,unknown,green,1"))).hasSize(7);
    assertThat(rows(table("time,flow,colour,y", "?,?,red,?"))).hasSize(7);
  }

  @Test
  void aSchemaThatIsNotFrozenGrows() throws IOException {
    rows("a,y\n1,0\n");
    assertThat(Rows.all("b.csv", "b,a,y\n5,6,0\n", DEFAULT, schema))
        .containsExactly(new Instance(Features.dense(6, 5), 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,red | expected 3 fields, found 2",
        "1,red,0,5 | expected 3 fields, found 4",
        "x,red,0 | column 'a' holds finite numbers, found 'x'",
        "1e999,red,0 | column 'a' holds finite numbers, found '1e999'",
        "1,red,spam | labels have been numbers so far, found 'spam'",
        "1,\"red\"x,0 | expected a delimiter after a closing quote, found" + " '1,\"red\"x,0'",
        "1,\"a\\\"b\",0 | expected a delimiter after a closing quote, found '1,\"a\\\"b\",0';"
            + " a quote inside quotes is written twice, not after a backslash",
      })
  void aBadRowIsToldAndTheNextIsRead(String row, String message) throws IOException {
    DataReader reader = reader("a,b,y\n\n1,red,0\n" + row + "\n2,red,1\n", DEFAULT);
    assertThat(reader.next()).isTrue();
    assertBad(reader, "a.csv:4: " + message);
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(5);
    assertThat(reader.features()).isEqualTo(Features.dense(2, 1));
    assertThat(reader.next()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c,d,y | none of the model's columns is here: 'a', 'b'; if the file has no header,"
            + " --no-header takes its columns in their order",
        "A,d,y | none of the model's columns is here: 'a', 'b'; 'A' differs from 'a' only by case",
        "b,a | no column 'y' for the label",
      })
  void aBadHeaderIsTold(String header, String message) throws IOException {
    rows("a,b,y\n1,2,0");
    assertThatThrownBy(() -> reader(header + "\n1,2,3", DEFAULT))
        .isInstanceOf(BadDataException.class)
        .hasMessage("a.csv:1: " + message);
  }

  @Test
  void aLabelThatIsNotThereIsTold() {
    assertThatThrownBy(() -> reader("a,b,y\n", DEFAULT.withLabel("z")))
        .hasMessage("a.csv:1: no column 'z' for the label among the 3 columns 'a', 'b', 'y'");
    assertThatThrownBy(() -> reader("name,economy (mpg),y\n", DEFAULT.withLabel("economy")))
        .hasMessageEndingWith("'y'; did you mean 'economy (mpg)'?");
    assertThatThrownBy(() -> reader("Survived,age,y\n", DEFAULT.withLabel("survivde")))
        .hasMessageEndingWith("'y'; did you mean 'Survived'?");
    for (String label : List.of("0", "4", "-4", "1.5")) {
      assertThatThrownBy(() -> reader("a,b,y\n", DEFAULT.withLabel(label)))
          .hasMessage("a.csv:1: no column '" + label + "' for the label among 3 columns");
    }
  }

  @Test
  void aModelWithoutNamesReadsNoTable() {
    assertThatThrownBy(() -> Rows.reader("a.csv", "a,y\n1,2", DEFAULT, new Schema().frozen()))
        .hasMessage(
            "a.csv:1: the model knows no column names, for it learned from rows without them");
  }

  @Test
  void anAbsentColumnIsAnErrorWhereMissingValuesAre() throws IOException {
    rows("a,b,y\n1,2,0");
    assertThatThrownBy(() -> reader("a,y\n1,2", DEFAULT.withMissing(Missing.ERROR)))
        .hasMessage("a.csv:1: column 'b' of the model is absent");
  }

  @Test
  void aQuoteThatIsNotClosedCostsAHundredLines() throws IOException {
    String text = "a,y\nx,1\n\"x,1\n" + "x,1\n".repeat(150);
    DataReader reader = reader(text, DEFAULT);
    assertThat(reader.next()).isTrue();
    assertBad(reader, "a.csv:3: a quoted field must end within 100 lines");
    assertThat(Rows.all(reader)).hasSize(51);
  }

  @Test
  void aLoneCarriageReturnIsTold() {
    assertThatThrownBy(() -> rows("a,b,y\n1,2\r,3\n"))
        .hasMessage(
            "a.csv:2: a line must end with a line feed, found a carriage return without one");
  }

  @Test
  void anEmptyFileHasNoRows() throws IOException {
    assertThat(rows("")).isEmpty();
    assertThat(rows("\n\n")).isEmpty();
    assertThat(rows("a,y\n")).isEmpty();
  }

  @Test
  void aTableMayBeWide() throws IOException {
    String row = "1,".repeat(30_000) + "1\n";
    assertThat(rows(row + row).get(1).features().count()).isEqualTo(30_000);
  }

  private DataReader reader(String text, ReadOptions options) throws IOException {
    return Rows.reader("a.csv", text, options, schema);
  }

  private List<Instance> rows(String text) throws IOException {
    return rows(text, DEFAULT);
  }

  private List<Instance> rows(String text, ReadOptions options) throws IOException {
    return Rows.all("a.csv", text, options, schema);
  }

  private static List<String> notes(DataReader reader) {
    return reader.notes().stream().map(Note::toString).toList();
  }

  private static void assertBad(DataReader reader, String message) {
    assertThatThrownBy(reader::next).isInstanceOf(BadDataException.class).hasMessage(message);
  }

  @Test
  void commentsAndTheHintOfExcelAreNoRows() throws IOException {
    String table = "# made by a program, in a hurry\n# in 2020\na,b,y\n1,2,0\n# half\n3,4,1\n";
    assertThat(fresh(table)).hasSize(2);
    assertThat(fresh("sep=;\na;b;y\n1,5;2;0\n3;4;1\n")).hasSize(2);
    assertThat(fresh("#a,b,y\n1,2,0\n3,4,1\n")).as("a header may start with #").hasSize(2);
    assertThat(fresh("a,b,y\n#1,2,0\n#3,4,1\n")).as("and so may a value").hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sales of the year",
        "Sales of the year\n\nin thousands, by region",
        "Sales of the year,,\n,,",
        "\"Sales, of the year\"",
        "Sales of the year\n\n\n\nTable 1\nTable 2\nTable 3\nTable 4\nTable 5\nTable 6",
      })
  void aTitleAboveTheHeaderIsLeftOut(String title) throws IOException {
    for (String table : List.of("a,b,y\n1,2,0\n3,4,1\n5,6,0\n", "a,b,y\n1,x,0\n3,z,1\n5,x,0\n")) {
      Schema schema = new Schema();
      DataReader reader = Rows.reader("a.csv", title + "\n" + table, DEFAULT, schema);
      assertThat(Rows.all(reader)).hasSize(3);
      assertThat(schema.columns()).extracting(Column::name).containsExactly("a", "b");
      assertThat(notes(reader)).anyMatch(note -> note.contains("above the header"));
      Schema known = schema.frozen();
      assertThat(Rows.all("b.csv", title + "\na,b,y\n1,2,?\n", DEFAULT, known)).hasSize(1);
    }
  }

  /** The first row must not become the header where rows have one field more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "site,conc,temp\nA,<0.1,7,\nC,0.18,4.6,\nD,0.2,5,\n",
        "id,conc,kind\n1,<0.1,x,\n2,0.2,y,\n3,0.4,x,\n",
        "a,b,c\n5,6,7,\n8,9,1,\n2,3,4,\n",
        "a,b,c,d,y\n5,6,7,8,9,\n1,2,3,4,5,\n9,7,5,3,1,\n",
        "a,b,c\nr1,<10,5,6\nr2,11,7,6\nr3,12,9,4\n"
      })
  void aHeaderOverLongerRowsIsNoTitle(String table) throws IOException {
    for (String title : List.of("", "Sales of the year\n")) {
      Schema schema = new Schema();
      assertThat(Rows.all("a.csv", title + table, DEFAULT.unlabelled(), schema)).hasSize(3);
      List<String> names = schema.columns().stream().map(Column::name).toList();
      assertThat(names).containsAll(List.of(table.split("\n")[0].split(",")));
    }
  }

  @Test
  void aTitleOfSeveralFieldsAboveYearsIsLeftOut() throws IOException {
    rows("Population,of,Europe\nland,2018,2019,2020\nA,1.5,2.5,1.25\nB,2.5,4.5,2.5\nC,3.5,6.5,3\n");
    assertThat(schema.columns()).extracting(Column::name).containsExactly("land", "2018", "2019");
  }

  @Test
  void aFirstLineThatCountsIsTold() throws IOException {
    DataReader reader = reader("1,2,3\n4,5,0\n7,8,1\n2,3,0\n", DEFAULT);
    assertThat(Rows.all(reader)).hasSize(4);
    assertThat(notes(reader)).anyMatch(note -> note.startsWith("the first line counts"));
    assertThat(notes(reader("1,2,4\n4,5,0\n", DEFAULT))).isEmpty();
  }

  @Test
  void aTitleIsTold() throws IOException {
    String rows = "Land;2019;2020;y\nA;1,5;2,25;0\nB;3,5;4,75;1\nC;3,5;4,75;1\n";
    DataReader one = reader("# made\nEinwohner, in Tausend\n# by\n" + rows, DEFAULT);
    assertThat(Rows.all(one)).hasSize(3);
    assertThat(notes(one)).contains("left out a line above the header: 'Einwohner, in Tausend'");
    assertThat(schema.columns()).extracting(Column::name).containsExactly("Land", "2019", "2020");
    DataReader two = Rows.reader("a.csv", "Title\nMore\n" + rows, DEFAULT, new Schema());
    assertThat(notes(two)).contains("left out 2 lines above the header, the first: 'Title'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name\n\"Smith, John\"\n\"Doe, Jane\"\n\"Roe, Ann\"\n",
        "x\n1\n2\n3\n",
        "\"a\nb\",c,d\n1,2,3\n4,5,6\n7,8,9\n",
        "text\none of them\nan other\nand more\n"
      })
  void aFileOfOneColumnOrABrokenNameHasNoTitle(String text) throws IOException {
    Schema schema = new Schema();
    DataReader reader = Rows.reader("a.csv", text, DEFAULT.unlabelled(), schema);
    assertThat(notes(reader)).noneMatch(note -> note.contains("left out"));
  }

  @Test
  void remarksBelowTheRowsAreLeftOut() throws IOException {
    String table = "a,b,y\n1,2,0\n3,4,1\n5,6,0\n";
    DataReader reader = reader(table + "\nSource: the office\n* as of today\n\n", DEFAULT);
    assertThat(Rows.all(reader)).hasSize(3);
    assertThat(notes(reader))
        .contains("warning: left out 2 lines below the rows, the first: 'Source: the office'");
    for (String rest : List.of("as of today\n7,8,1\n", "7\n", "as of today", "Total\n")) {
      assertThatThrownBy(() -> fresh(table + rest))
          .as(rest)
          .hasMessage("a.csv:5: expected 3 fields, found 1");
    }
  }

  @Test
  void aRemarkMayHaveACommaInAWideTable() throws IOException {
    String table = "a,b,c,d,y\n1,2,3,4,0\n3,4,5,6,1\n";
    assertThat(fresh(table + "Source: the office, all rights reserved\n")).hasSize(2);
    assertThatThrownBy(() -> fresh(table + "New York,12\n"))
        .hasMessage("a.csv:4: expected 5 fields, found 2");
    assertThatThrownBy(() -> fresh(table + "of all,of them,as,of today\n"))
        .hasMessage("a.csv:4: expected 5 fields, found 4");
  }

  @Test
  void aRemarkAmongRowsCostsNoRow() throws IOException {
    DataReader reader = reader("a,b,y\n1,2,0\nas of today\n\n3,4,1\n5,6,0\n", DEFAULT);
    assertThat(reader.next()).isTrue();
    assertBad(reader, "a.csv:3: expected 3 fields, found 1");
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(5);
    assertThat(Rows.all(reader)).hasSize(1);
  }

  /** A line that may be a remark is told at once if the next one may be far away. */
  @Test
  void aBadLineOfALiveStreamIsToldAtOnce() throws IOException {
    InputStream live =
        new InputStream() {
          private final Deque<String> parts =
              new ArrayDeque<>(List.of("a,b,y\n1,2,0\n3,4,1\n", "sensor is off\n"));

          @Override
          public int read() {
            throw new AssertionError("must read many bytes");
          }

          @Override
          public int read(byte[] target, int from, int length) throws IOException {
            if (parts.isEmpty()) {
              throw new IOException("waits for another line");
            }
            pause(parts.size() == 1 ? DataReader.patience().toMillis() + 100 : 0);
            byte[] part = parts.poll().getBytes(StandardCharsets.UTF_8);
            System.arraycopy(part, 0, target, from, part.length);
            return part.length;
          }
        };
    DataReader reader = DataReader.of("a.csv", live, DEFAULT, schema);
    assertThat(reader.next()).isTrue();
    assertThat(reader.next()).isTrue();
    assertBad(reader, "a.csv:4: expected 3 fields, found 1");
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<Instance> fresh(String text) throws IOException {
    return Rows.all("a.csv", text, DEFAULT, new Schema());
  }

  @Test
  void textThatIsNoUtf8IsReadAndTold() throws IOException {
    byte[] latin = "a,b,y\n1,caf\u00e9,0\n2,th\u00e9,1\n".getBytes(StandardCharsets.ISO_8859_1);
    Schema schema = new Schema();
    try (DataReader reader =
        DataReader.of("a.csv", new ByteArrayInputStream(latin), DEFAULT, schema)) {
      while (reader.next()) {
        assertThat(reader.features().count()).isPositive();
      }
      assertThat(notes(reader)).anyMatch(note -> note.startsWith("a.csv:2: is not valid UTF-8"));
    }
    assertThat(schema.column("b").categories()).containsExactly("caf\u00e9", "th\u00e9");
  }

  @Test
  void aLineWithoutAnEndIsTold() {
    String endless = "x".repeat((1 << 24) + 9);
    assertThatThrownBy(() -> fresh("a,b,y\n1,2,0\n" + endless + "\n"))
        .hasMessage(
            "a.csv:3: expected a line of a table, found 16,777,225 characters without a line"
                + " break");
  }

  @Test
  void zerosAndWideTextAreRefused() {
    byte[] wide = "a,b,y\n1,2,0\n".getBytes(StandardCharsets.UTF_16LE);
    assertThatThrownBy(
            () -> DataReader.of("a.csv", new ByteArrayInputStream(wide), DEFAULT, new Schema()))
        .hasMessage("a.csv:1: expected UTF-8 text, found UTF-16 without a byte order mark");
    assertThatThrownBy(() -> fresh("a,b,y\n1,2,0\n1,\0,0\n"))
        .hasMessage("a.csv:3: expected text, found a zero byte");
  }
}
