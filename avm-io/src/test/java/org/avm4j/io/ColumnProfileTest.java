package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.avm4j.data.ColumnKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a column is read, by the texts in it. */
class ColumnProfileTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-",
        "None",
        "\\N",
        "(null)",
        "missing",
        "unknown",
        ".",
        "#DIV/0!",
        "NaT",
        "<NA>",
        "--",
        "*",
        "N.A.",
        "<0.1",
        "sold out"
      })
  void aFewTextsAmongManyNumbersAreMissing(String mark) {
    ColumnProfile column = profile(300, i -> i % 10 == 0 ? mark : String.valueOf(i / 7.0));
    assertThat(column.kind()).isEqualTo(ColumnKind.NUMBER);
    assertThat(notes(column))
        .contains(
            "column 'c' holds numbers; 30 texts in it count as missing, such as '" + mark + "'");
  }

  @Test
  void theCommonMarksMayBeTheMajority() {
    ColumnProfile column = profile(300, i -> i % 3 > 0 ? "-" : "$" + i);
    assertThat(column.kind()).isEqualTo(ColumnKind.GROUPED);
  }

  @Test
  void fewDifferentNumbersAndATextAreCategories() {
    ColumnProfile column = profile(300, i -> i % 10 == 0 ? "none" : String.valueOf(i % 4));
    assertThat(column.kind()).isEqualTo(ColumnKind.CATEGORIES);
    assertThat(notes(column))
        .contains(
            "column 'c' mixes numbers and texts and is read as text; --numeric keeps its 270"
                + " numbers and takes its 30 texts as missing");
  }

  @Test
  void manyNumbersAndManyTextsAreTextAndThatIsTold() {
    ColumnProfile column = profile(900, i -> i % 10 == 0 ? "t" + i : String.valueOf(i / 7.0));
    assertThat(column.kind()).isEqualTo(ColumnKind.CAPPED);
    assertThat(notes(column)).anyMatch(note -> note.contains("--numeric keeps its 810 numbers"));
  }

  @Test
  void datesMayHaveGaps() {
    ColumnProfile column = profile(300, i -> i % 5 == 0 ? "-" : day(i));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE);
    assertThat(notes(column))
        .contains("column 'c' has 60 texts that are no such dates and count as missing");
  }

  @Test
  void oneImpossibleDateDoesNotChangeTheOrder() {
    ColumnProfile column =
        profile(
            300,
            i ->
                i == 7
                    ? "13/05/2020"
                    : String.format(Locale.ROOT, "%02d/%02d/2020", i % 12 + 1, i % 28 + 1));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE_MONTH_FIRST);
    assertThat(notes(column))
        .contains("column 'c' has a text that is no such date and counts as missing");
  }

  @Test
  void anOrderThatIsAGuessIsTold() {
    ColumnProfile column =
        profile(50, i -> String.format(Locale.ROOT, "%02d/%02d/2020", i % 12 + 1, i % 11 + 1));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE_MONTH_FIRST);
    assertThat(notes(column))
        .anyMatch(note -> note.startsWith("column 'c' may have the day before the month"));
  }

  @Test
  void datesInBothOrdersAreNoGuess() {
    List<String> both = List.of("13/01/2020", "01/13/2020");
    assertThat(profile(40, i -> both.get(i % 2)).dates().ambiguous()).isNull();
    assertThat(profile(40, i -> "01/02/2020").dates().ambiguous()).isEqualTo("01/02/2020");
  }

  @Test
  void severalTimeZonesAreTold() {
    List<String> zones = List.of("+09:00", "Z", "-08:00", "+00:00");
    ColumnProfile column = profile(40, i -> day(i) + "T10:00:00" + zones.get(i % 4));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE);
    assertThat(notes(column))
        .contains(
            "column 'c' has times of several time zones, of which the local hour is used: +09:00,"
                + " UTC, -08:00; convert them to one if the same moment matters more");
    assertThat(notes(profile(40, i -> day(i) + "T10:00:00Z"))).hasSize(1);
  }

  @Test
  void eightOrFourteenDigitsMayBeDates() {
    assertThat(profile(40, i -> day(i).replace("-", "")).kind()).isEqualTo(ColumnKind.DATE);
    assertThat(profile(40, i -> day(i).replace("-", "") + "101500").kind())
        .isEqualTo(ColumnKind.DATE);
    assertThat(profile(40, i -> String.valueOf(20_201_200 + i)).kind())
        .isEqualTo(ColumnKind.NUMBER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "unknown", "soon"})
  void datesOfEightDigitsMayHaveGaps(String mark) {
    ColumnProfile column = profile(40, i -> i == 7 ? mark : day(i).replace("-", ""));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE);
    assertThat(column.timeTrend().isAscending()).isTrue();
    assertThat(notes(column))
        .containsExactly(
            "column 'c' holds dates",
            "column 'c' has a text that is no such date and counts as missing");
    assertThat(profile(40, i -> day(i)).timeTrend().isAscending()).isTrue();
  }

  @Test
  void theOrderOfTimeFollowsTheOffsets() {
    LocalDateTime start = LocalDateTime.of(2020, 1, 1, 0, 0);
    ColumnProfile column =
        profile(40, i -> start.plusMinutes(30 * i + (i % 2 == 0 ? 540 : 0)) + zone(i % 2 == 0));
    assertThat(column.timeTrend().isAscending()).isTrue();
  }

  private static String zone(boolean isEast) {
    return isEast ? "+09:00" : "Z";
  }

  @ParameterizedTest
  @CsvSource({"1, seconds", "1000, milliseconds"})
  void timesSince1970AreDates(long unit, String word) {
    ColumnProfile column = profile(40, i -> String.valueOf((1_600_000_000L + 86_400 * i) * unit));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE);
    assertThat(column.timeTrend().isAscending()).isTrue();
    assertThat(notes(column))
        .containsExactly(
            "column 'c' holds "
                + word
                + " since 1970, from 2020-09-13 to 2020-10-22, and is read as dates in UTC;"
                + " --numeric reads it as numbers");
  }

  @ParameterizedTest
  @CsvSource({
    "c, 1000000007, 40",
    "c, 1600000000, 10",
    "account_id, 1600000000, 40",
    "hour, 2021122006, 40",
    "phone, 2125550100, 40"
  })
  void otherLargeNumbersAreNoTimes(String name, long first, int rows) {
    ColumnProfile column = new ColumnProfile(name, false);
    for (int i = 0; i < rows; i++) {
      column.add(String.valueOf(first + i * (first < 1_500_000_000 ? 20_000_000L : 7)));
    }
    assertThat(column.kind()).isEqualTo(ColumnKind.NUMBER);
  }

  @ParameterizedTest
  @CsvSource({"1010000000, 15000000", "1000012345, 1", "1000012345, 17", "1415000000, -15000000"})
  void populationsAndAccountNumbersAreNoTimes(long first, long step) {
    for (String name : List.of("population", "account", "estimated", "candidate", "c")) {
      ColumnProfile column = new ColumnProfile(name, false);
      IntStream.range(0, 27).forEach(i -> column.add(String.valueOf(first + step * i)));
      assertThat(column.kind()).as(name).isEqualTo(ColumnKind.NUMBER);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"date", "created", "updated_at", "startTime", "event ts", "Date Sent"})
  void aNameThatSpeaksOfTimeMakesTimes(String name) {
    ColumnProfile column = new ColumnProfile(name, false);
    IntStream.range(0, 30).forEach(i -> column.add(String.valueOf(1_600_000_000 + 977 * i * i)));
    assertThat(column.kind()).isEqualTo(ColumnKind.DATE);
  }

  /** One measurement a second counts up, but is no number of a row. */
  @Test
  void everySecondIsATime() {
    ColumnProfile time = new ColumnProfile("measured_at", false);
    IntStream.range(0, 200).forEach(i -> time.add(String.valueOf(1_600_000_000 + i)));
    assertThat(time.isRowNumber()).isFalse();
    assertThat(profile(200, i -> String.valueOf(1_600_000_000 + i)).isRowNumber()).isTrue();
    assertThat(profile(200, i -> String.valueOf(1_000 + i)).isRowNumber()).isTrue();
  }

  @Test
  void numbersWithoutANameAreRowNamesAlsoInPartOfTheRows() {
    ColumnProfile index = new ColumnProfile("x1", true);
    IntStream.range(0, 40).forEach(i -> index.add(String.valueOf(i * i * 7 % 1009)));
    assertThat(index.isRowNumber()).isTrue();
    index.add("0");
    assertThat(index.isRowNumber()).isFalse();
  }

  @Test
  void timesThatStartAgainDoNotAscend() {
    assertThat(profile(300, ColumnProfileTest::day).timeTrend().isAscending()).isTrue();
    assertThat(profile(300, i -> day(i % 150)).timeTrend().startsAgain()).isTrue();
    assertThat(profile(300, i -> day(i * 97 % 300)).timeTrend().startsAgain()).isFalse();
    assertThat(profile(300, i -> day(i == 7 ? 290 : i)).timeTrend().isAscending()).isTrue();
    assertThat(profile(300, i -> day(i > 150 ? i - 20 : i)).timeTrend().isAscending()).isTrue();
  }

  @Test
  void blocksOfNamesInAlphabeticalOrderSortTheRows() {
    assertThat(profile(60, i -> "n" + (char) ('a' + i / 6)).sortsRows()).isTrue();
    assertThat(profile(60, i -> "n" + i / 6).sortsRows()).isFalse();
    assertThat(profile(60, i -> "n" + (char) ('a' + i % 10)).sortsRows()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'\u2212%d.5', GROUPED",
    "'(%d.5)', GROUPED",
    "'1\u00a0%d\u00a0001', GROUPED",
    "'%d.04 EUR', GROUPED",
    "'$-%d', GROUPED",
    "'1\u202f%d,5 €', DECIMAL_COMMA"
  })
  void numbersAreReadAsPeopleWriteThem(String form, ColumnKind kind) {
    assertThat(profile(50, i -> String.format(form, 100 + i)).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "999 USD | 1,234 USD | GROUPED",
        "1,234 USD | 12,500 USD | GROUPED",
        "\u00a5999 | \u00a51,234 | GROUPED",
        "(999) | (1,234) | GROUPED",
        "999 | (1,234) | GROUPED",
        "9.5 | 1,234 CHF | GROUPED",
        "12,50 EUR | 1,234 EUR | DECIMAL_COMMA",
        "(9.5) | (1,234) | DECIMAL_COMMA"
      })
  void aCurrencyOrAWholeNumberShowsThatCommasSeparateThousands(
      String one, String other, ColumnKind kind) {
    assertThat(profile(2, i -> i == 0 ? one : other).numberKind()).isEqualTo(kind);
  }

  @Test
  void aLeadingZeroIsTold() {
    assertThat(notes(profile(50, i -> String.format(Locale.ROOT, "%05d", 7 * i + 501))))
        .contains(
            "column 'c' has numbers with a leading zero, such as '00501'; if they are codes, --text"
                + " takes them as categories");
  }

  @Test
  void numbersThatNoLearnerTakesAreText() {
    ColumnProfile accounts = profile(50, i -> "62169554921193" + (9000 + i));
    assertThat(accounts.kind()).isEqualTo(ColumnKind.CATEGORIES);
    assertThat(notes(accounts))
        .containsExactly("column 'c' holds numbers beyond ±1e15, as ids do, and is read as text");
    assertThat(profile(50, i -> i == 7 ? "1e308" : "1." + i).kind()).isEqualTo(ColumnKind.NUMBER);
  }

  @Test
  void pointsBetweenThousandsShowThemselvesWhereThereAreTwo() {
    assertThat(profile(50, i -> (i % 5 == 0 ? "" : "9.") + (100 + i) + ".846").kind())
        .isEqualTo(ColumnKind.DECIMAL_COMMA);
    assertThat(profile(50, i -> 1 + i % 9 + "." + (100 + i)).kind()).isEqualTo(ColumnKind.NUMBER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'14,5 m²' | '1.234,5 m²' | 14.5 | 1234.5",
        "'1,248 CC' | '998 CC' | 1248 | 998",
        "'$72k' | '$1.2M' | 72000 | 1200000",
        "'€0' | '€110.5M' | 0 | 110.5e6",
        "'10,000+' | '500+' | 10000 | 500",
        "'4.1/5' | '3.9/5' | 4.1 | 3.9",
        "'1 owner' | '2 owners' | 1 | 2",
        "'8GB' | '16GB' | 8 | 16",
        "'512 MB' | '1 GB' | 5.12e8 | 1e9",
        "'57.05N' | '10.33S' | 57.05 | -10.33",
        "'36.4° E' | '36.4° W' | 36.4 | 36.4",
        "'1h 20m' | '45m' | 4800 | 2700",
        "'PT1H20M' | 'PT45M' | 4800 | 2700",
        "'31:05:20' | '00:45:00' | 111920 | 2700",
        "'2 days 03:00:00' | '0 days 00:45:00' | 183600 | 2700",
        "'75:30' | '3:45' | 4530 | 225",
        "'5' 11\"' | '6'' | 71 | 72",
        "'1 234 kWh' | '12.5 kWh' | 1234 | 12.5"
      })
  void numbersHaveUnits(String one, String other, double first, double second) {
    String text = one.substring(1, one.length() - 1);
    String last = other.substring(1, other.length() - 1);
    ColumnProfile column = profile(40, i -> i % 2 == 0 ? text : last);
    if (first == second) {
      assertThat(column.kind()).isEqualTo(ColumnKind.CATEGORIES);
      return;
    }
    assertThat(column.kind()).isEqualTo(ColumnKind.UNITS);
    assertThat(column.units().orElseThrow().number(text)).isCloseTo(first, within(1e-9 * first));
    assertThat(column.units().orElseThrow().number(last)).isEqualTo(second);
    assertThat(notes(column)).first().asString().contains("numbers with units, such as");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%d Main Street %d",
        "%1$dA %1$d",
        "%d.%d.0.1",
        "0x%d%dA",
        "%d/%d",
        "%d-%d",
        "%d° %d' N"
      })
  void otherTextsWithNumbersHaveNoUnits(String format) {
    ColumnProfile column = profile(200, i -> String.format(format, i, 7 * i % 97));
    assertThat(column.kind()).isEqualTo(column.textKind());
  }

  @Test
  void codesWithDifferentLettersHaveNoUnits() {
    assertThat(profile(200, i -> i + "ABCDEF".substring(i % 6, i % 6 + 1)).kind())
        .isEqualTo(ColumnKind.CATEGORIES);
    assertThat(profile(200, i -> i % 5 < 4 ? "" + i % 4 : "4+").kind())
        .isEqualTo(ColumnKind.CATEGORIES);
  }

  @Test
  void aFewValuesWithAnotherUnitAreMissing() {
    ColumnProfile column = profile(200, i -> i % 50 == 0 ? i + ".5 km/kg" : i + ".5 kmpl");
    assertThat(notes(column))
        .containsExactly(
            "column 'c' holds numbers with units, such as '0.5 km/kg'",
            "column 'c' holds numbers; 4 texts in it count as missing, such as '0.5 km/kg'");
    assertThat(column.units().orElseThrow().number("7 km/kg")).isNaN();
  }

  @Test
  void aFewTextsAmongNumbersWithUnitsAreMissing() {
    ColumnProfile sizes =
        profile(200, i -> i % 4 == 0 ? "Varies with device" : i + (i % 3 == 0 ? "k" : ".5M"));
    assertThat(sizes.kind()).isEqualTo(ColumnKind.UNITS);
    assertThat(notes(sizes))
        .contains(
            "column 'c' holds numbers; 50 texts in it count as missing, such as 'Varies with"
                + " device'");
    assertThat(profile(200, i -> i % 4 == 0 ? "text " + i : i + "k").kind())
        .isEqualTo(ColumnKind.CATEGORIES);
  }

  @Test
  void datesWithoutSeparatorsMayEndWithTheYear() {
    ColumnProfile dayFirst = profile(60, i -> dayOf(i, "ddMMyyyy"));
    assertThat(dayFirst.kind()).isEqualTo(ColumnKind.DATE);
    assertThat(dayFirst.timeTrend().isAscending()).isTrue();
    ColumnProfile monthFirst = profile(60, i -> dayOf(i, "MMddyyyy"));
    assertThat(monthFirst.kind()).isEqualTo(ColumnKind.DATE_MONTH_FIRST);
    assertThat(monthFirst.timeTrend().isAscending()).isTrue();
    assertThat(profile(60, i -> "" + (10_000_000 + 12_345 * i)).kind())
        .isEqualTo(ColumnKind.NUMBER);
  }

  private static String dayOf(int i, String pattern) {
    return LocalDate.of(2020, 1, 20).plusDays(9L * i).format(DateTimeFormatter.ofPattern(pattern));
  }

  @Test
  void timesOfADayAreDates() {
    assertThat(profile(60, i -> i % 24 + ":" + (10 + i % 50)).kind()).isEqualTo(ColumnKind.DATE);
    assertThat(profile(60, i -> 3 * i + ":" + (10 + i % 50)).kind()).isEqualTo(ColumnKind.UNITS);
  }

  private static String day(int i) {
    return LocalDate.of(2020, 1, 1).plusDays(i).toString();
  }

  private static ColumnProfile profile(int rows, IntFunction<String> text) {
    ColumnProfile column = new ColumnProfile("c", false);
    IntStream.range(0, rows).mapToObj(text).forEach(column::add);
    return column;
  }

  private static List<String> notes(ColumnProfile column) {
    return new ArrayList<>(ColumnNotes.of(column, column.kind(), false));
  }
}
