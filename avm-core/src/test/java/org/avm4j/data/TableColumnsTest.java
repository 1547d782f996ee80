package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that hold neither plain numbers nor plain categories. */
class TableColumnsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NUMBER | 1.5 | 1.5",
        "DECIMAL_COMMA | 1,5 | 1.5",
        "DECIMAL_COMMA | 1.234,5 | 1234.5",
        "DECIMAL_COMMA | 9.642.846 | 9642846",
        "DECIMAL_COMMA | 1.234 | 1234",
        "DECIMAL_COMMA | 0.234 | 0.234",
        "DECIMAL_COMMA | 12.5 | 12.5",
        "DECIMAL_COMMA | -3 | -3",
        "DECIMAL_COMMA | 12,5 € | 12.5",
        "GROUPED | $1,234.5 | 1234.5",
        "GROUPED | -$1,000 | -1000",
        "GROUPED | 12% | 12",
        "GROUPED | 1,234,567 | 1234567",
        "GROUPED | $-1,234 | -1234",
        "GROUPED | 16.04 EUR | 16.04",
        "GROUPED | EUR 16.04 | 16.04",
        "GROUPED | \u22121.5 | -1.5",
        "GROUPED | (12.34) | -12.34",
        "GROUPED | ($1,200) | -1200",
        "GROUPED | 1\u00a0178\u00a0841 | 1178841",
        "GROUPED | 1\u2009234.5 | 1234.5",
        "GROUPED | 1'234.5 | 1234.5",
        "GROUPED | 1 23 | NaN",
        "GROUPED | 030 123 456 | NaN",
        "GROUPED | 4.3 km | NaN",
        "GROUPED | (a) | NaN",
        "DECIMAL_COMMA | 1\u202f234,5 € | 1234.5"
      })
  void numbersHaveSeveralForms(ColumnKind kind, String text, double number) {
    assertThat(kind.number(text)).isEqualTo(Double.valueOf(number));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2020-12-31",
        "2020/12/31",
        "31.12.2020",
        "31/12/2020",
        "31-Dec-2020",
        "31 December 2020",
        "Dec 31, 2020",
        "December 31 2020",
        "20201231",
        "31122020",
        "31.12.20",
        "31/12/20",
        "31-Dec-20",
        "31Dec2020",
        "Thursday, December 31, 2020",
        "31. Dezember 2020",
        "Donnerstag, 31. Dez. 2020",
        "31.Dez.2020",
        "31 déc. 2020",
        "jeudi 31 décembre 2020",
        "31 de diciembre de 2020",
        "31-dic-20",
        "31 dic 2020",
        "31.dic.20",
        "31 dicembre 2020",
        "quinta-feira, 31 de dezembro de 2020",
        "2020-366",
        "2020-W53-4"
      })
  void datesHaveManyForms(String text) {
    Map<String, Double> parts = DateParts.of(text, ColumnKind.DATE);
    double season = 365.0 / 366;
    assertThat(parts.get("year")).isCloseTo(2020 + season, within(1e-9));
    double weekday = (LocalDate.of(2020, 12, 31).getDayOfWeek().getValue() - 1) / 7.0;
    assertThat(parts.get("weekday sin")).isCloseTo(Math.sin(2 * Math.PI * weekday), within(1e-8));
    assertThat(parts).doesNotContainKey("hour sin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sep-20", "Sept/20", "Sep '20", "sept-20", "Sep-2020", "09/2020"})
  void monthsStandForTheirFirstDay(String text) {
    assertThat(DateParts.of(text, ColumnKind.DATE).get("year")).isEqualTo(2020 + 244.0 / 366);
  }

  @ParameterizedTest
  @CsvSource({
    "2020-12-31T18:00:00Z, 18",
    "2020-12-31 06:30, 6.5",
    "12/31/2020 6:30 PM, 18.5",
    "18:30:00, 18.5",
    "12:00 AM, 0",
    "2020-12-31 06:30:00+00, 6.5",
    "2020-12-31 06:30:00 CET, 6.5",
    "2020-12-31 18:30:00 AEST, 18.5",
    "2020-12-31T06:30:00+01:00[Europe/Berlin], 6.5",
    "Thu Dec 31 06:30:00 2020, 6.5",
    "Thu Dec 31 06:30:00 UTC 2020, 6.5",
    "31/Dec/2020:06:30:00 +0000, 6.5",
    "20201231063000, 6.5",
    "20201231T063000+0000, 6.5"
  })
  void timesAreOnACircle(String text, double hour) {
    Map<String, Double> parts = DateParts.of(text, ColumnKind.DATE_MONTH_FIRST);
    assertThat(parts.get("hour sin")).isCloseTo(Math.sin(Math.PI * hour / 12), within(1e-8));
    assertThat(parts.get("hour cos")).isCloseTo(Math.cos(Math.PI * hour / 12), within(1e-8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2020-13-01",
        "31/02/2020",
        "1.2.10",
        "hello",
        "2020",
        "25:61",
        "12 Foo 2020",
        "3.14",
        "Market 2020",
        "May",
        "12 Marsh 45",
        "3 out 50",
        "6 OUT 49",
        "5 set 12",
        "5set12",
        "set 2012",
        "3 out 2012",
        "3 mai 50",
        "3 enero 20",
        "13/2020",
        "2020-367",
        "2020Q5",
        "12-345",
        "3 jui 2020",
        "3 sets 2020",
        "1609459200"
      })
  void whatIsNoDateIsNone(String text) {
    assertThat(DateParts.isDate(text, ColumnKind.DATE)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Dec-2020, 2020-12-01",
    "May 2020, 2020-05-01",
    "05/2020, 2020-05-01",
    "2020-05, 2020-05-01",
    "2020Q2, 2020-04-01",
    "Q2 2020, 2020-04-01",
    "2021-W51, 2021-12-20",
    "märz 2021, 2021-03-01",
    "1er août 2020, 2020-08-01",
    "1 juil. 2020, 2020-07-01",
    "1-ene-2020, 2020-01-01",
    "1 giu 2020, 2020-06-01",
    "outubro de 2020, 2020-10-01"
  })
  void aMonthAWeekAndAQuarterBeginWithTheirFirstDay(String text, String day) {
    assertThat(DateParts.of(text, ColumnKind.DATE)).isEqualTo(DateParts.of(day, ColumnKind.DATE));
  }

  @ParameterizedTest
  @CsvSource({
    "1609459261, 2021-01-01 00:01:01",
    "1609459261999, 2021-01-01 00:01:01",
    "1000000000, 2001-09-09 01:46:40"
  })
  void secondsSince1970AreTimesAmongDates(String text, String time) {
    assertThat(DateParts.of(text, ColumnKind.DATE)).isEqualTo(DateParts.of(time, ColumnKind.DATE));
  }

  /** The clock is what people live by, but only moments can be put in order. */
  @Test
  void anOffsetChangesTheOrderOfTimeAndNotTheParts() {
    String east = "2021-01-01T01:00:00+02:00";
    String utc = "2020-12-31T23:30:00Z";
    assertThat(DateParts.of(east, ColumnKind.DATE))
        .isEqualTo(DateParts.of("2021-01-01 01:00:00", ColumnKind.DATE));
    assertThat(DateParts.year(east, ColumnKind.DATE))
        .isLessThan(DateParts.year(utc, ColumnKind.DATE));
    assertThat(DateParts.year("2021-07-01T12:00-05:30[America/Lima]", ColumnKind.DATE))
        .isCloseTo(DateParts.year("2021-07-01T17:30Z", ColumnKind.DATE), within(1e-9));
  }

  @Test
  void aMissingNumberMayBeZeroForEver() throws ModelFileException {
    Schema schema = new Schema();
    schema.declare("a", ColumnKind.NUMBER, List.of());
    schema.declare("b", ColumnKind.NUMBER, List.of());
    schema.describe(schema.origin().withZeros());
    RowEncoder rows = new RowEncoder(schema, Missing.MEAN);
    rows.encode(Map.of("a", 5, "b", 1));
    Encoder out = new Encoder();
    schema.encode(out);
    Schema again = Schema.decode(new Decoder(out.toBytes()));
    for (Schema each : List.of(schema, schema.copy(), schema.snapshot(), again)) {
      assertThat(new RowEncoder(each, Missing.MEAN).encode(Map.of("b", 1)).get(0)).isZero();
      assertThat(each.origin().fill(each.column("a"))).isZero();
    }
    assertThat(again.column("a").mean()).isEqualTo(5);
  }

  @Test
  void wordsAndTheirPairsHaveLengthOne() {
    Map<String, Double> words = TextWords.of("The red RED house");
    assertThat(words.values().stream().mapToDouble(v -> v * v).sum()).isCloseTo(1, within(1e-12));
    assertThat(words.keySet()).allMatch(bucket -> bucket.matches("#\\d{1,4}"));
    assertThat(TextWords.of("the red red house")).isEqualTo(words);
    assertThat(TextWords.of("...")).isEmpty();
  }

  @Test
  void aCappedColumnNeverGrows() {
    Schema schema = new Schema();
    schema.declare("city", ColumnKind.CAPPED, List.of("rome", "oslo"));
    RowEncoder rows = new RowEncoder(schema, Missing.MEAN);
    assertThat(rows.encode(Map.of("city", "oslo"))).isEqualTo(Features.dense(0, 1));
    assertThat(rows.encode(Map.of("city", "lima"))).isEqualTo(Features.dense(0, 0, 1));
    assertThat(rows.encode(Map.of("city", "bonn"))).isEqualTo(Features.dense(0, 0, 1));
    assertThat(schema.dimension()).isEqualTo(3);
  }

  @Test
  void aMissingDateHasTheMeanYear() {
    Schema schema = new Schema();
    schema.declare("when", ColumnKind.DATE, List.of());
    RowEncoder rows = new RowEncoder(schema, Missing.MEAN);
    rows.encode(Map.of("when", "2010-01-01"));
    rows.encode(Map.of("when", "2020-01-01"));
    assertThat(rows.encodeText(Map.of("when", "?")).get(0)).isEqualTo(2015);
    assertThat(rows.encodeText(Map.of("when", "soon")).get(0)).isEqualTo(2015);
    assertThat(schema.featureName(0)).isEqualTo("when year");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown", "-", "2020-02-30", "31/12"})
  void whatIsNoDateIsMissingAsTheUserWants(String text) {
    Schema schema = new Schema();
    schema.declare("when", ColumnKind.DATE, List.of());
    Features day = new RowEncoder(schema, Missing.MEAN).encode(Map.of("when", "20200101"));
    Map<String, String> row = Map.of("when", text);
    assertThat(new RowEncoder(schema, Missing.SKIP).encode(row)).isNull();
    assertThat(new RowEncoder(schema, Missing.ZERO).encode(row)).isEqualTo(Features.dense());
    assertThat(new RowEncoder(schema, Missing.MEAN).encode(row)).isEqualTo(Features.dense(2020));
    RowEncoder strict = new RowEncoder(schema, Missing.ERROR);
    assertThat(strict.encode(Map.of("when", 20_200_101))).isEqualTo(day);
    assertThatThrownBy(() -> strict.encode(row))
        .hasMessage("column 'when' holds dates, found '" + text + "'");
  }

  @Test
  void aRowWithAWrongDateTeachesNothing() {
    Schema schema = new Schema();
    schema.declare("when", ColumnKind.DATE, List.of());
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("new", 1);
    row.put("when", "soon");
    assertThatThrownBy(() -> new RowEncoder(schema, Missing.ERROR).encode(row))
        .hasMessage("column 'when' holds dates, found 'soon'");
    assertThat(schema.column("new")).isNull();
  }

  @Test
  void aValueWithAnotherUnitIsRefused() {
    Schema schema = new Schema();
    schema.declare("depth", new Units(ColumnKind.GROUPED, Map.of("", 1.0, "m", 1.0, "km", 1e3)));
    RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);
    assertThat(encoder.encodeText(Map.of("depth", "1.5 km")).get(0)).isEqualTo(1500);
    assertThat(encoder.encodeText(Map.of("depth", "1,200")).get(0)).isEqualTo(1200);
    assertThat(encoder.encode(Map.of("depth", 12)).get(0)).isEqualTo(12);
    assertThatThrownBy(() -> encoder.encodeText(Map.of("depth", "3 ft")))
        .hasMessage("column 'depth' holds numbers with units such as km, m, found '3 ft'");
  }

  @Test
  void aSchemaKeepsItsTable() throws ModelFileException {
    Schema schema = new Schema();
    schema.declare("when", ColumnKind.DATE_MONTH_FIRST, List.of());
    schema.declare("price", ColumnKind.GROUPED, List.of());
    schema.declare("area", new Units(ColumnKind.DECIMAL_COMMA, Map.of("", 1.0, "m²", 1.0)));
    schema.declare("city", ColumnKind.CAPPED, List.of("rome"));
    schema.declare("note", ColumnKind.WORDS, List.of());
    schema.declare("id", ColumnKind.IGNORED, List.of());
    schema.declare("plain", ColumnKind.NUMBER, List.of());
    schema.describe(
        schema.origin().of("class", 3, 7, true).withLabelKind(ColumnKind.DECIMAL_COMMA));
    Map<String, String> row =
        Map.of(
            "when", "1/31/2020",
            "price", "$1,000",
            "area", "14,5 m²",
            "city", "bonn",
            "note", "a b",
            "plain", "2");
    Features x = new RowEncoder(schema, Missing.MEAN).encodeText(row);
    Encoder out = new Encoder();
    schema.encode(out);
    Schema again = Schema.decode(new Decoder(out.toBytes()));
    assertThat(again.origin()).isEqualTo(schema.origin());
    assertThat(again.origin().ignored()).containsExactly("id");
    assertThat(again.columns())
        .extracting(Column::kind)
        .isEqualTo(schema.columns().stream().map(Column::kind).toList());
    assertThat(new RowEncoder(again.frozen(), Missing.MEAN).encodeText(row)).isEqualTo(x);
    Encoder twice = new Encoder();
    again.encode(twice);
    assertThat(twice.toBytes()).isEqualTo(out.toBytes());
    assertThat(again.label("2,5")).isEqualTo(2.5);
  }

  @Test
  void numbersAreScaledOnTheirOwn() {
    ScalerFit fit = new ScalerFit(Scaling.NUMBERS);
    List<Features> rows =
        List.of(
            Features.dense(10, 1, 0, 0, 4),
            Features.dense(20, 0, 1, 0),
            Features.dense(30, 1, 0, 0),
            Features.dense(40, 0, 1, 0));
    rows.forEach(fit::observe);
    Scaler scaler = fit.scaler();
    double deviation = Math.sqrt(125);
    double factor = 1 / deviation;
    assertThat(scaler.apply(rows.get(0)))
        .isEqualTo(Features.dense(10 * factor - 25 * factor, 1, 0, 0, 1));
    assertThat(scaler.apply(Features.sparse(new int[] {2}, new double[] {1})))
        .isEqualTo(Features.dense(-25 * factor, 0, 1, 0, 0));
  }
}
