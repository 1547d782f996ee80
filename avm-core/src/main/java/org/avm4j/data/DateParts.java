package org.avm4j.data;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.time.temporal.WeekFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates and times as numbers: the year with its fraction, and for the season, the day of the week
 * and the hour a point on a circle, so that December is near January. Accepted are
 *
 * <ul>
 *   <li>ISO dates and times, also 2020-366, 2020-W53-4, 20201231, 20201231T180500, 20201231180500;
 *   <li>31.12.2020, 31/12/2020, 12/31/2020, 31122020, 12312020;
 *   <li>31-Dec-2020, 31-Dec-20, 31Dec2020, December 31, 2020, Thursday, December 31, 2020;
 *   <li>Thu Dec 31 18:05:00 2020, 31/Dec/2020:18:05:00 +0000;
 *   <li>months and quarters, which stand for their first day: Dec-2020, Dec-20, December 2020,
 *       12/2020, 2020Q4;
 *   <li>times alone;
 *   <li>seconds and milliseconds since 1970, of 10 and 13 digits, in UTC.
 * </ul>
 *
 * <p>Names of months may be English, French, German, Italian, Portuguese or Spanish. The parts are
 * those of the clock that is written, whatever its time zone, because habits follow the local hour.
 * Only the {@linkplain #year order of time} follows an offset.
 */
public final class DateParts {
  /** The part that grows with time. */
  public static final String YEAR = "year";

  private static final String ZONE =
      "(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?|[A-Z]{3,4})?(?:\\[[\\w/+-]+\\])?";
  private static final String TIME =
      "(?:(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?\\s*([AaPp](?![A-Z]{2}))?(?:\\.?[Mm]\\.?)?"
          + "\\s*"
          + ZONE
          + ")";
  private static final String REST = "(?:[T ,:]+" + TIME + ")?";
  private static final String RECENT = "((?:19|20)\\d{2})";
  private static final String NAME = "(\\p{L}{3,10})\\.?";
  private static final String WEEKDAY = "(?:[\\p{L}-]{2,13}\\.?,? )?";
  private static final Pattern ZONE_AT_END =
      Pattern.compile(
          ".*\\d:\\d{2}(?:[.,]\\d+)?\\s*(Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?|[A-Z]{3,4})"
              + "(?:\\[[\\w/+-]+\\])?");
  private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2}):?(\\d{2})?");

  /**
   * Seconds or milliseconds since 1970, from 2001 to 2033. Larger numbers often begin with a year.
   */
  private static final Pattern EPOCH = Pattern.compile("(1\\d{9})(\\d{3})?");

  private static final int LONGEST = 64;

  /**
   * Short names of months that are English words, with blanks or nothing around them: 3 out 50, set
   * 2012. As months they need a dot, a dash or a slash.
   */
  private static final Pattern WORD = Pattern.compile("(?i)(.*[\\d ,])?(out|set)[\\d ,].*");

  /** The notations, of which the first that matches is taken. */
  private static final List<Notation> NOTATIONS =
      List.of(
          new Notation(
              "(\\d{4})[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?" + REST,
              (m, kind) -> parts(date(m, 1, 2, m.group(3) == null ? 0 : 3), m, 4)),
          new Notation("(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})" + REST, DateParts::yearLast),
          new Notation(
              WEEKDAY
                  + "(\\d{1,2})(?:\\.|er|º)?[- ](?:de )?"
                  + NAME
                  + "(?: del?)?[- ,]+(\\d{4})"
                  + REST,
              (m, kind) ->
                  parts(
                      LocalDate.of(number(m, 3), MonthNames.likely(m.group(2)), number(m, 1)),
                      m,
                      4)),
          new Notation(
              "(\\d{1,2})(?:\\. ?|[-/ ]?)" + NAME + "[-/ ]?(\\d{4}|\\d{2})" + REST,
              (m, kind) ->
                  isQuantity(m)
                      ? null
                      : parts(
                          LocalDate.of(year(m, 3), MonthNames.find(m.group(2)), number(m, 1)),
                          m,
                          4)),
          new Notation(
              WEEKDAY + NAME + " (\\d{1,2}),? (\\d{4})" + REST,
              (m, kind) ->
                  parts(
                      LocalDate.of(number(m, 3), MonthNames.likely(m.group(1)), number(m, 2)),
                      m,
                      4)),
          new Notation(
              "[A-Za-z]{3} " + NAME + " +(\\d{1,2}) " + TIME + " (\\d{4})",
              (m, kind) ->
                  parts(
                      LocalDate.of(number(m, 7), MonthNames.find(m.group(1)), number(m, 2)), m, 3)),
          new Notation(
              RECENT + "(0\\d|1[0-2])(\\d{2})", (m, kind) -> parts(date(m, 1, 2, 3), null, 0)),
          new Notation(
              "(\\d{2})(\\d{2})" + RECENT,
              (m, kind) ->
                  parts(
                      kind == ColumnKind.DATE_MONTH_FIRST ? date(m, 3, 1, 2) : date(m, 3, 2, 1),
                      null,
                      0)),
          new Notation(
              "(\\d{4})(\\d{2})(\\d{2})T(\\d{2}):?(\\d{2})(?::?(\\d{2}))?([AaPp])?" + ZONE,
              (m, kind) -> parts(date(m, 1, 2, 3), m, 4)),
          new Notation(
              RECENT + "(\\d{2})(\\d{2})(\\d{2})(\\d{2})(\\d{2})([AaPp])?",
              (m, kind) -> parts(date(m, 1, 2, 3), m, 4)),
          new Notation(
              RECENT + "-(\\d{3})",
              (m, kind) -> parts(LocalDate.ofYearDay(number(m, 1), number(m, 2)), null, 0)),
          new Notation(RECENT + "-?W(\\d{2})(?:-?([1-7]))?", (m, kind) -> parts(week(m), null, 0)),
          new Notation(RECENT + "[- ]?Q([1-4])", (m, kind) -> parts(quarter(m, 1, 2), null, 0)),
          new Notation("Q([1-4])[-/ ]?" + RECENT, (m, kind) -> parts(quarter(m, 2, 1), null, 0)),
          new Notation(
              NAME + "(?: del? |[-/ ,]*)" + RECENT,
              (m, kind) ->
                  parts(LocalDate.of(number(m, 2), MonthNames.find(m.group(1)), 1), null, 0)),
          new Notation(
              NAME + "(?:-|/| ?['\u2019])(\\d{2})",
              (m, kind) ->
                  parts(LocalDate.of(year(m, 2), MonthNames.find(m.group(1)), 1), null, 0)),
          new Notation("(\\d{1,2})[/-]" + RECENT, (m, kind) -> parts(date(m, 2, 1, 0), null, 0)),
          new Notation(EPOCH, (m, kind) -> epoch(m)),
          new Notation(TIME, (m, kind) -> parts(null, m, 1)));

  private DateParts() {}

  /** A way to write dates. */
  private record Notation(Pattern pattern, Reading reading) {
    Notation(String regex, Reading reading) {
      this(Pattern.compile(regex), reading);
    }
  }

  /** Reads the parts of a date that matches; null or an exception if there is no such date. */
  private interface Reading {
    Map<String, Double> parts(Matcher match, ColumnKind kind);
  }

  /** Whether the text is a date or a time of this kind; a number is not. */
  public static boolean isDate(String text, ColumnKind kind) {
    return text.length() <= LONGEST && !Decimal.isNumber(text) && of(text, kind) != null;
  }

  /**
   * The year with its fraction, in UTC if the time has an offset, so that later times have larger
   * numbers; NaN if the text has no year.
   */
  public static double year(String text, ColumnKind kind) {
    Map<String, Double> parts = of(text, kind);
    double year = parts == null ? Double.NaN : parts.getOrDefault(YEAR, Double.NaN);
    double ahead = hoursAhead(zone(text));
    return ahead == 0 ? year : year - ahead / 24 / Year.of((int) year).length();
  }

  /** The hours by which an offset such as +02:00 is ahead of UTC; 0 for the name of a zone. */
  private static double hoursAhead(String zone) {
    Matcher m = OFFSET.matcher(zone);
    if (!m.matches()) {
      return 0;
    }
    double hours = number(m, 2) + (m.group(3) == null ? 0 : number(m, 3)) / 60.0;
    return m.group(1).equals("-") ? -hours : hours;
  }

  /** Whether the text is a date without separators, as 20201231 or 31122020, or with a time. */
  public static boolean isCompact(String text, ColumnKind kind) {
    return (text.length() == 8 || text.length() == 14) && of(text, kind) != null;
  }

  /** Whether the text is a number of seconds or milliseconds since 1970, from 2001 to 2033. */
  public static boolean isEpoch(String text) {
    return text.length() >= 10 && EPOCH.matcher(text).matches();
  }

  /** The time zone or offset at the end of a time, as it is written; empty if there is none. */
  public static String zone(String text) {
    Matcher m = ZONE_AT_END.matcher(text.length() > LONGEST ? "" : text);
    return m.matches() ? m.group(1) : "";
  }

  /** The parts by name; null if the text is not a date. */
  static Map<String, Double> of(String text, ColumnKind kind) {
    if (text.length() > LONGEST || text.chars().noneMatch(c -> c >= '0' && c <= '9')) {
      return null;
    }
    String plain = text.strip();
    if (WORD.matcher(plain).matches()) {
      return null;
    }
    for (Notation notation : NOTATIONS) {
      Matcher m = notation.pattern.matcher(plain);
      if (m.matches()) {
        return read(notation, m, kind);
      }
    }
    return null;
  }

  private static Map<String, Double> read(Notation notation, Matcher m, ColumnKind kind) {
    try {
      return notation.reading.parts(m, kind);
    } catch (DateTimeException impossible) {
      return null;
    }
  }

  /** A date from three groups; with the group 0 as the day, the first day of the month. */
  private static LocalDate date(Matcher m, int year, int month, int day) {
    return LocalDate.of(number(m, year), number(m, month), day == 0 ? 1 : number(m, day));
  }

  /** Whether this is rather a quantity than a date: 3 mai 50, but not 3 mai 1950 or 3-mai-50. */
  private static boolean isQuantity(Matcher m) {
    boolean isMarked = m.group().substring(m.end(1), m.start(2)).matches("[-./].*");
    return !isMarked && m.group(3).length() == 2 && !MonthNames.isEnglish(m.group(2));
  }

  private static LocalDate week(Matcher m) {
    int day = m.group(3) == null ? 1 : number(m, 3);
    return LocalDate.of(number(m, 1), 1, 4)
        .with(WeekFields.ISO.weekOfWeekBasedYear(), number(m, 2))
        .with(WeekFields.ISO.dayOfWeek(), day);
  }

  private static LocalDate quarter(Matcher m, int year, int quarter) {
    return LocalDate.of(number(m, year), 1, 1).with(IsoFields.QUARTER_OF_YEAR, number(m, quarter));
  }

  private static Map<String, Double> yearLast(Matcher m, ColumnKind kind) {
    if (m.group(2).equals(".")
        && m.group(4).length() == 2
        && m.group(1).length() + m.group(3).length() < 4) {
      return null; // such as the version 1.2.10
    }
    boolean monthFirst = kind == ColumnKind.DATE_MONTH_FIRST && !m.group(2).equals(".");
    int month = number(m, monthFirst ? 1 : 3);
    return parts(LocalDate.of(year(m, 4), month, number(m, monthFirst ? 3 : 1)), m, 5);
  }

  private static int number(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }

  /** A year of four digits, or of two from 1950 to 2049. */
  private static int year(Matcher m, int group) {
    int year = number(m, group);
    return year + (year > 99 ? 0 : year < 50 ? 2000 : 1900);
  }

  private static Map<String, Double> epoch(Matcher m) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(Long.parseLong(m.group(1)), 0, ZoneOffset.UTC);
    return parts(time.toLocalDate(), hour(time.getHour(), time.getMinute(), time.getSecond()));
  }

  /**
   * The parts of a date, which may be null, and of the time in these groups of the match, if there
   * is one.
   */
  private static Map<String, Double> parts(LocalDate date, Matcher time, int group) {
    boolean hasTime = time != null && time.group(group) != null;
    return parts(date, hasTime ? hour(time, group) : Double.NaN);
  }

  /**
   * The parts of a date, which may be null, and of the hour with its fraction, which may be NaN.
   */
  private static Map<String, Double> parts(LocalDate date, double hour) {
    Map<String, Double> parts = new LinkedHashMap<>();
    boolean hasTime = !Double.isNaN(hour);
    if (date != null) {
      double season = (date.getDayOfYear() - 1 + (hasTime ? hour : 0) / 24) / date.lengthOfYear();
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
    return hour(hour + shift, minute, second);
  }

  private static double hour(int hour, int minute, int second) {
    return hour + minute / 60.0 + second / 3600.0;
  }
}
