package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
  @Test
  void readsWhatParseDoubleReads() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      String text = awkward(random);
      assertSameBits(text, Decimal.parse(text));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "+1",
        "-1.5",
        ".5",
        "5.",
        "00012.50",
        "1e3",
        "1E+3",
        "1e-3",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993e5",
        "123456789012345678",
        "1234567890123456789012345",
        "0.1",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "2.2250738585072012e-308",
        "4.9e-324",
        "2e-324",
        "1.7976931348623157e308",
        "1e309",
        "-1e999999999999",
        "1e-999999999999",
        "0e99999999",
        "3.14159265358979323846264338327950288"
      })
  void roundsToTheNearestDouble(String text) {
    assertSameBits(text, Decimal.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "+",
        "-",
        ".",
        "+.",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e5.",
        "1.2.3",
        "--1",
        "1-",
        "0x10",
        "1f",
        "1d",
        "NaN",
        "nan",
        "Infinity",
        "inf",
        "1,5",
        " 1",
        "1 ",
        "1_000",
        "١",
        "１"
      })
  void whatIsNoDecimalIsNaN(String text) {
    assertThat(Decimal.parse(text)).isNaN();
  }

  @Test
  void looksOnlyAtTheGivenBytes() {
    assertThat(Decimal.parse("9912.599".getBytes(), 2, 6)).isEqualTo(12.5);
    assertThat(Decimal.parse("99".getBytes(), 1, 1)).isNaN();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-3, -3",
    "0, 0",
    "0.1, 0.1",
    "1e3, 1000",
    "1e300, 1.0E300",
    "-2.5e-7, -2.5E-7",
    "5.684341886080802E-14, 5.684341886080802E-14",
    "123456.789, 123456.789"
  })
  void writesTheShortestText(double value, String text) {
    assertThat(Decimal.text(value)).isEqualTo(text);
  }

  @Test
  void whatIsWrittenReadsBackExactly() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 100_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        String text = Decimal.text(value);
        assertThat(Decimal.parse(text)).as(text).isEqualTo(value == 0 ? 0.0 : value);
        assertThat(digits(text)).as(text).isLessThanOrEqualTo(17);
      }
    }
  }

  @Test
  void aNumberIsWhatItsTextReadsAs() {
    List<Number> numbers =
        List.of(
            7,
            -3L,
            (short) 5,
            (byte) 1,
            0.1,
            0.1f,
            5.0,
            5.0f,
            -0.0,
            1e300,
            3.4e38f,
            1e-45f,
            Long.MAX_VALUE,
            new BigDecimal("5.0"),
            new BigDecimal("1e-400"),
            new BigInteger("9007199254740993"),
            new AtomicInteger(12),
            Double.MIN_VALUE);
    for (Number number : numbers) {
      assertThat(Decimal.value(number)).isEqualTo(Decimal.parse(Decimal.text(number)));
    }
    assertThat(Decimal.value(0.1f)).isEqualTo(0.1);
    assertThat(Decimal.text(Float.valueOf(5))).isEqualTo("5");
    assertThat(Decimal.text(Long.valueOf(Long.MAX_VALUE - 1))).isEqualTo("9223372036854775806");
    assertThat(Decimal.text(new BigDecimal("5.0"))).isEqualTo("5.0");
    assertThat(Decimal.value(Float.NaN)).isNaN();
    assertThat(Decimal.value(Float.NEGATIVE_INFINITY)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @ParameterizedTest
  @CsvSource({
    "1, true",
    "-1e5, true",
    "1e999, true",
    "-Inf, true",
    "+infinity, true",
    "NaN, false",
    "x, false",
    "'', false",
    "1 2, false",
    "information, false"
  })
  void aNumberIsKnownByItsLooks(String text, boolean isNumber) {
    assertThat(Decimal.isNumber(text)).isEqualTo(isNumber);
  }

  private static int digits(String text) {
    return new BigDecimal(text).stripTrailingZeros().precision();
  }

  private static void assertSameBits(String text, double value) {
    assertThat(Double.doubleToRawLongBits(value))
        .as(text)
        .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
  }

  /** Decimals near the limits of the fast path: long, short, tiny, huge, padded with zeros. */
  private static String awkward(SplittableRandom random) {
    StringBuilder text = new StringBuilder(new String[] {"", "-", "+"}[random.nextInt(3)]);
    appendZeros(text, random);
    appendDigits(text, random.nextInt(1, 21), random);
    if (random.nextBoolean()) {
      text.append('.');
      appendZeros(text, random);
      appendDigits(text, random.nextInt(0, 21), random);
    }
    switch (random.nextInt(4)) {
      case 0 -> text.append('e').append(random.nextInt(-25, 26));
      case 1 -> text.append("E+").append(random.nextInt(0, 330));
      case 2 -> text.append("e-").append(random.nextInt(0, 345));
      default -> {}
    }
    return text.toString();
  }

  private static void appendZeros(StringBuilder text, SplittableRandom random) {
    text.append("0".repeat(random.nextInt(4) == 0 ? random.nextInt(25) : 0));
  }

  private static void appendDigits(StringBuilder text, int count, SplittableRandom random) {
    for (int i = 0; i < count; i++) {
      text.append((char) ('0' + random.nextInt(10)));
    }
  }
}
