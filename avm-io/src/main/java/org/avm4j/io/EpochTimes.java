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

  /** The steps of time stamps that are recorded regularly are whole minutes. */
  private static final long STEP_SECONDS = Duration.ofMinutes(1).toSeconds();

  /** The largest step from one of them to the next. */
  private static final long MOST_STEP_SECONDS = Duration.ofDays(7).toSeconds();

  /** Share of the steps that may be others. */
  private static final double STRAYS = 0.01;

  private long seconds;
  private long millis;
  private long irregular;
  private double latest = Double.NaN;
  private double first = Double.POSITIVE_INFINITY;
  private double last = Double.NEGATIVE_INFINITY;

  /** Counts a number. */
  void add(String number) {
    if (DateParts.isEpoch(number)) {
      boolean isMillis = Decimal.parse(number) >= FIRST_MILLIS;
      double time = Decimal.parse(number) / (isMillis ? 1000 : 1);
      seconds += isMillis ? 0 : 1;
      millis += isMillis ? 1 : 0;
      irregular += isRegular(time - latest) ? 0 : 1;
      latest = time;
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
  }

  private static boolean isRegular(double step) {
    return Double.isNaN(step) || step >= 0 && step <= MOST_STEP_SECONDS && step % STEP_SECONDS == 0;
  }

  /** Whether the times go up by whole minutes, hours or days, as those of measurements do. */
  boolean areRegular() {
    return irregular <= STRAYS * (seconds + millis);
  }

  /** Whether all of these numbers are times in the same unit. */
  boolean areAll(long numbers) {
    return numbers > 0 && Math.max(seconds, millis) == numbers;
  }

  /** Whether the times are close to each other. */
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
