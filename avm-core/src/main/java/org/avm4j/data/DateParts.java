package org.avm4j.data;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates and times as numbers: the year with its fraction, and for the season, the day of the week
 * and the hour a point on a circle, so that December is near January. Accepted are ISO dates and
 * times, 31.12.2020, 31/12/2020, 12/31/2020, 31-Dec-2020, December 31, 2020, 20201231,
 * 20201231T180500, and times alone. Time zones are ignored.
 */
public final class DateParts {
  /** The part that grows with time. */
  public static final String YEAR = "year";

  private static final String TIME =
      "(?:(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?\\s*([AaPp])?(?:\\.?[Mm]\\.?)?"
          + "\\s*(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?)";
  private static final String REST = "(?:[T ,]+" + TIME + ")?";
  private static final Pattern YEAR_FIRST =
      Pattern.compile("(\\d{4})[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?" + REST);
  private static final Pattern YEAR_LAST =
      Pattern.compile("(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})" + REST);
  private static final Pattern DAY_MONTH =
      Pattern.compile(
          "(?:[A-Za-z]{3,9},? )?(\\d{1,2})[- ]([A-Za-z]{3,9})\\.?[- ,]+(\\d{4})" + REST);
  private static final Pattern MONTH_DAY =
      Pattern.compile("([A-Za-z]{3,9})\\.? (\\d{1,2}),? (\\d{4})" + REST);
  private static final Pattern COMPACT = Pattern.compile("((?:19|20)\\d{2})(\\d{2})(\\d{2})");
  private static final Pattern COMPACT_TIME =
      Pattern.compile("(\\d{4})(\\d{2})(\\d{2})T(\\d{2}):?(\\d{2})(?::?(\\d{2}))?([AaPp])?Z?");
  private static final Pattern TIME_ALONE = Pattern.compile(TIME);
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final int LONGEST = 40;

  private DateParts() {}

  /** Whether the text is a date or a time of this kind; a number is not. */
  public static boolean isDate(String text, ColumnKind kind) {
    return text.length() <= LONGEST && !Decimal.isNumber(text) && of(text, kind) != null;
  }

  /** The year with its fraction; NaN if the text has no year. */
  public static double year(String text, ColumnKind kind) {
    Map<String, Double> parts = of(text, kind);
    return parts == null ? Double.NaN : parts.getOrDefault(YEAR, Double.NaN);
  }

  /** Whether the text is a date without separators, as in 20201231. */
  public static boolean isCompact(String text) {
    return text.length() == 8 && of(text, ColumnKind.DATE) != null;
  }

  /** The parts by name; null if the text is not a date. */
  static Map<String, Double> of(String text, ColumnKind kind) {
    try {
      return text.isEmpty() || text.length() > LONGEST ? null : parse(text.strip(), kind);
    } catch (DateTimeException impossible) {
      return null;
    }
  }

  private static Map<String, Double> parse(String text, ColumnKind kind) {
    Matcher m = YEAR_FIRST.matcher(text);
    if (m.matches()) {
      int day = m.group(3) == null ? 1 : number(m, 3);
      return parts(LocalDate.of(number(m, 1), number(m, 2), day), m, 4);
    }
    m = YEAR_LAST.matcher(text);
    if (m.matches()) {
      return m.group(2).equals(".") && m.group(4).length() == 2 ? null : yearLast(m, kind);
    }
    m = DAY_MONTH.matcher(text);
    if (m.matches()) {
      return parts(LocalDate.of(number(m, 3), month(m.group(2)), number(m, 1)), m, 4);
    }
    m = MONTH_DAY.matcher(text);
    if (m.matches()) {
      return parts(LocalDate.of(number(m, 3), month(m.group(1)), number(m, 2)), m, 4);
    }
    m = COMPACT.matcher(text);
    if (m.matches()) {
      return parts(LocalDate.of(number(m, 1), number(m, 2), number(m, 3)), null, 0);
    }
    m = COMPACT_TIME.matcher(text);
    if (m.matches()) {
      return parts(LocalDate.of(number(m, 1), number(m, 2), number(m, 3)), m, 4);
    }
    m = TIME_ALONE.matcher(text);
    return m.matches() ? parts(null, m, 1) : null;
  }

  private static Map<String, Double> yearLast(Matcher m, ColumnKind kind) {
    boolean monthFirst = kind == ColumnKind.DATE_MONTH_FIRST && !m.group(2).equals(".");
    int year = number(m, 4);
    year += year > 99 ? 0 : year < 50 ? 2000 : 1900;
    int month = number(m, monthFirst ? 1 : 3);
    return parts(LocalDate.of(year, month, number(m, monthFirst ? 3 : 1)), m, 5);
  }

  private static int number(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }

  private static int month(String name) {
    int month = MONTHS.indexOf(name.substring(0, 3).toLowerCase(Locale.ROOT)) + 1;
    if (month == 0) {
      throw new DateTimeException("no month: " + name);
    }
    return month;
  }

  /**
   * The parts of a date, which may be null, and of the time in these groups of the match, if there
   * is one.
   */
  private static Map<String, Double> parts(LocalDate date, Matcher time, int group) {
    Map<String, Double> parts = new LinkedHashMap<>();
    boolean hasTime = time != null && time.group(group) != null;
    double hour = hasTime ? hour(time, group) : 0;
    if (date != null) {
      double season = (date.getDayOfYear() - 1 + hour / 24) / date.lengthOfYear();
      parts.put(YEAR, date.getYear() + season);
      addCircle(parts, "season", season);
      addCircle(parts, "weekday", (date.getDayOfWeek().getValue() - 1) / 7.0);
    }
    if (hasTime) {
      addCircle(parts, "hour", hour / 24);
    }
    return parts;
  }

  private static void addCircle(Map<String, Double> parts, String name, double turn) {
    parts.put(name + " sin", rounded(StrictMath.sin(2 * Math.PI * turn)));
    parts.put(name + " cos", rounded(StrictMath.cos(2 * Math.PI * turn)));
  }

  /** Rounds a coordinate on the circle, so that equal ones become equal numbers. */
  private static double rounded(double value) {
    return Math.rint(1e9 * value) / 1e9;
  }

  private static double hour(Matcher m, int group) {
    int hour = number(m, group);
    int minute = number(m, group + 1);
    int second = m.group(group + 2) == null ? 0 : number(m, group + 2);
    String half = m.group(group + 3);
    if (hour > 24 || minute > 59 || second > 60 || half != null && hour > 12) {
      throw new DateTimeException("no time: " + m.group());
    }
    int shift = half == null ? 0 : (half.equalsIgnoreCase("p") ? 12 : 0) - (hour == 12 ? 12 : 0);
    return hour + shift + minute / 60.0 + second / 3600.0;
  }
}
