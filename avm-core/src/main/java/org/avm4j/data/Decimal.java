package org.avm4j.data;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Decimal numbers as text, to and from the double nearest to them.
 *
 * <p>The format is {@code [+-] digits [. digits] [e [+-] digits]}, and nothing else: no
 * hexadecimal, no suffix, no word. A number m · 10^e with m ≤ 2^53 and |e| ≤ 22 needs only one
 * multiplication or division of exact doubles, which rounds correctly (Clinger, 1990); all others
 * go to {@link Double#parseDouble}. Either way the result is the correctly rounded double.
 */
public final class Decimal {
  private static final Pattern INFINITE = Pattern.compile("(?i)[-+]?inf(inity)?");
  private static final double[] POWER_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final int MAX_POWER = POWER_OF_TEN.length - 1;
  private static final int MAX_DIGITS = 18;
  private static final long MAX_EXACT = 1L << 53;
  private static final int NO_EXPONENT = Integer.MIN_VALUE;
  private static final int HUGE_EXPONENT = 1 << 24;
  private static final int LONG_TEXT = 17;

  private Decimal() {}

  /** The number in a text; NaN if it is not a number, infinite if it is too large. */
  public static double parse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return parse(bytes, 0, bytes.length);
  }

  /** The number in the bytes from {@code from} to before {@code to}; NaN if it is not a number. */
  public static double parse(byte[] text, int from, int to) {
    int at = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
    int first = at;
    long mantissa = 0;
    while (at < to && isDigit(text[at])) {
      mantissa = 10 * mantissa + (text[at++] - '0');
    }
    int digits = at - first;
    int exponent = 0;
    if (at < to && text[at] == '.') {
      first = ++at;
      while (at < to && isDigit(text[at])) {
        mantissa = 10 * mantissa + (text[at++] - '0');
      }
      exponent = first - at;
      digits -= exponent;
    }
    if (digits == 0) {
      return Double.NaN;
    }
    if (at < to) {
      int written = exponent(text, at, to);
      if (written == NO_EXPONENT) {
        return Double.NaN;
      }
      exponent += written;
    }
    return digits <= MAX_DIGITS && mantissa <= MAX_EXACT && Math.abs(exponent) <= MAX_POWER
        ? signed(text[from] == '-', scaled(mantissa, exponent))
        : Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
  }

  /** Whether the text is a number, including one too large for a double. */
  public static boolean isNumber(String text) {
    return !Double.isNaN(parse(text)) || INFINITE.matcher(text).matches();
  }

  /** The shortest decimal that reads back as this finite double; whole numbers have no point. */
  public static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    String text = Double.toString(value);
    return text.length() < LONG_TEXT ? text : shortened(text, value);
  }

  /** Removes the superfluous digit that {@link Double#toString} sometimes gives before Java 19. */
  private static String shortened(String text, double value) {
    BigDecimal exact = new BigDecimal(text);
    BigDecimal shorter = exact.round(new MathContext(exact.precision() - 1));
    return shorter.doubleValue() == value ? shorter.stripTrailingZeros().toString() : text;
  }

  /** The double that the {@link #text} of a number stands for: 0.1f is 0.1, and -0.0 is 0. */
  public static double value(Number number) {
    boolean isFloat = number instanceof Float && Float.isFinite(number.floatValue());
    return 0.0 + (isFloat ? parse(number.toString()) : number.doubleValue());
  }

  /** The number as text for a file; whole numbers have no point. */
  public static String text(Number number) {
    boolean isBinary = number instanceof Double || number instanceof Float;
    return isBinary ? text(value(number)) : number.toString();
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  static double signed(boolean negative, double magnitude) {
    return negative ? -magnitude : magnitude;
  }

  static double scaled(long mantissa, int exponent) {
    return exponent < 0 ? mantissa / POWER_OF_TEN[-exponent] : mantissa * POWER_OF_TEN[exponent];
  }

  private static int exponent(byte[] text, int from, int to) {
    if (text[from] != 'e' && text[from] != 'E') {
      return NO_EXPONENT;
    }
    int at = from + 1;
    boolean negative = at < to && text[at] == '-';
    if (negative || at < to && text[at] == '+') {
      at++;
    }
    int magnitude = at == to ? NO_EXPONENT : digits(text, at, to);
    return negative && magnitude != NO_EXPONENT ? -magnitude : magnitude;
  }

  private static int digits(byte[] text, int from, int to) {
    int value = 0;
    for (int at = from; at < to; at++) {
      if (!isDigit(text[at])) {
        return NO_EXPONENT;
      }
      value = Math.min(10 * value + (text[at] - '0'), HUGE_EXPONENT);
    }
    return value;
  }
}
