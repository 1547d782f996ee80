package org.avm4j.data;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as people write them: with currencies, blanks between thousands or in parentheses. */
public final class NumberText {
  private static final String CURRENCY =
      "(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR)";
  private static final String BLANK = "[\\s\u00a0\u2009\u202f]*";
  private static final Pattern SIGNED =
      Pattern.compile(
          "([-+]?)"
              + BLANK
              + "(?:"
              + CURRENCY
              + BLANK
              + ")?([-+]?[\\d.,].*?)"
              + BLANK
              + "(?:%|"
              + CURRENCY
              + ")?");
  private static final Pattern THOUSANDS =
      Pattern.compile(
          "[-+]?[1-9]\\d{0,2}([ \u00a0\u2009\u202f'\u2019])\\d{3}(\\1\\d{3})*([.,]\\d*)?");
  private static final Pattern UNIT = Pattern.compile("%|" + CURRENCY);
  private static final int LONGEST = 64;
  private static final char MINUS = '\u2212';

  private NumberText() {}

  /**
   * A number without what surrounds it: a currency or % is left out, as are blanks and apostrophes
   * between thousands; the minus sign of Unicode becomes a hyphen, and parentheses mean a negative
   * number, as in accounting. A text of another form stays as it is.
   */
  public static String plain(String text) {
    if (text.length() > LONGEST) {
      return text;
    }
    boolean isNegative = text.length() > 2 && text.charAt(0) == '(' && text.endsWith(")");
    String inside = isNegative ? text.substring(1, text.length() - 1).strip() : text;
    Matcher signed = SIGNED.matcher(inside.replace(MINUS, '-'));
    if (!signed.matches()) {
      return text;
    }
    String sign = (isNegative ? "-" : "") + signed.group(1);
    Matcher thousands = THOUSANDS.matcher(signed.group(2));
    return sign
        + (thousands.matches() ? signed.group(2).replace(thousands.group(1), "") : signed.group(2));
  }

  /** Whether a text has a currency or % in it. */
  public static boolean hasCurrency(String text) {
    return UNIT.matcher(text).find();
  }
}
