package org.avm4j.io;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;

/** Counts the dates of a column in both orders of day and month. */
final class DateProfile {
  private static final Pattern SLASHES = Pattern.compile("\\d{1,2}[/-]\\d{1,2}[/-]\\d{2,4}.*");
  private static final Pattern YEAR_LAST = Pattern.compile("\\d{4}(19|20)\\d{2}");
  private static final Pattern UTC = Pattern.compile("Z|UTC|GMT|[+-]00(:?00)?");

  /** Maximum number of different time zones that are kept for a note. */
  private static final int MOST_ZONES = 5;

  private final Set<String> zones = new LinkedHashSet<>();
  private final Trend dayFirstTrend = new Trend();
  private final Trend monthFirstTrend = new Trend();
  private long added;
  private long dayFirst;
  private long monthFirst;
  private String firstOrdered;

  /** Counts a text; false if it is no date, or a number. */
  boolean add(String text) {
    return add(text, SLASHES.matcher(text).matches(), DateParts::isDate);
  }

  /** Counts a number; false if it is no date. */
  boolean addNumber(String text) {
    return add(text, YEAR_LAST.matcher(text).matches(), DateParts::isCompact);
  }

  private boolean add(String text, boolean hasOrder, BiPredicate<String, ColumnKind> isDate) {
    boolean isDayFirst = isDate.test(text, ColumnKind.DATE);
    boolean isMonthFirst = hasOrder ? isDate.test(text, ColumnKind.DATE_MONTH_FIRST) : isDayFirst;
    if (!isDayFirst && !isMonthFirst) {
      return false;
    }
    added++;
    dayFirst += isDayFirst ? 1 : 0;
    monthFirst += isMonthFirst ? 1 : 0;
    firstOrdered = hasOrder && firstOrdered == null ? text : firstOrdered;
    dayFirstTrend.add(DateParts.year(text, ColumnKind.DATE));
    monthFirstTrend.add(DateParts.year(text, ColumnKind.DATE_MONTH_FIRST));
    if (zones.size() < MOST_ZONES) {
      String zone = DateParts.zone(text);
      zones.add(UTC.matcher(zone).matches() ? "UTC" : zone);
    }
    return true;
  }

  /** The number of dates in the order that fits more of them. */
  long count() {
    return Math.max(dayFirst, monthFirst);
  }

  /** The order that fits more of the dates; the month first if both fit the same number. */
  ColumnKind kind() {
    boolean isMonthFirst = firstOrdered != null && monthFirst >= dayFirst;
    return isMonthFirst ? ColumnKind.DATE_MONTH_FIRST : ColumnKind.DATE;
  }

  /** Whether the dates ascend or descend. */
  Trend trend(ColumnKind kind) {
    return kind == ColumnKind.DATE ? dayFirstTrend : monthFirstTrend;
  }

  /** A date whose day and month may be in either order, as all others; null if there is none. */
  String ambiguous() {
    return dayFirst == added && monthFirst == added ? firstOrdered : null;
  }

  /** The different time zones as they are written; an empty text for times without one. */
  Set<String> zones() {
    return Collections.unmodifiableSet(zones);
  }
}
