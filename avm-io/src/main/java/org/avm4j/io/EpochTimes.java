package org.avm4j.io;

import java.time.Duration;
import java.time.LocalDate;
import org.avm4j.data.DateParts;
import org.avm4j.data.Decimal;

/** Counts the numbers of a column that may be seconds or milliseconds since 1970. */
final class EpochTimes {
  /** Numbers from here on, which have 13 digits, are milliseconds. */
  private static final double FIRST_MILLIS = 1e12;

  /** The largest time between the first and the last; account numbers and the like vary more. */
  private static final long MOST_SECONDS = Duration.ofDays(20 * 365).toSeconds();

  private long seconds;
  private long millis;
  private double first = Double.POSITIVE_INFINITY;
  private double last = Double.NEGATIVE_INFINITY;

  /** Counts a number. */
  void add(String number) {
    if (DateParts.isEpoch(number)) {
      boolean isMillis = Decimal.parse(number) >= FIRST_MILLIS;
      double time = Decimal.parse(number) / (isMillis ? 1000 : 1);
      seconds += isMillis ? 0 : 1;
      millis += isMillis ? 1 : 0;
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
  }

  /** Whether all of these numbers are times in the same unit. */
  boolean areAll(long numbers) {
    return numbers > 0 && Math.max(seconds, millis) == numbers;
  }

  /** Whether the times are so close to each other that they can hardly be anything else. */
  boolean areClose() {
    return last - first <= MOST_SECONDS;
  }

  /** What the numbers are, for a note. */
  String text() {
    return String.format(
        "holds %s since 1970, from %s to %s, and is read as dates in UTC; --numeric reads it as"
            + " numbers",
        millis > 0 ? "milliseconds" : "seconds", day(first), day(last));
  }

  private static LocalDate day(double time) {
    return LocalDate.ofEpochDay(Math.floorDiv((long) time, Duration.ofDays(1).toSeconds()));
  }
}
