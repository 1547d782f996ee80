package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.avm4j.data.Decimal;

/** Converts the dates of an ARFF attribute into days since 1970, in UTC. */
final class ArffDate {
  /** The pattern of attributes that give none, as in Weka. */
  static final ArffDate ISO = new ArffDate("yyyy-MM-dd'T'HH:mm:ss");

  private static final double SECONDS_A_DAY = 86_400;

  private final String pattern;
  private final DateTimeFormatter format;

  /** Throws an {@link IllegalArgumentException} for a pattern that Java does not know. */
  ArffDate(String pattern) {
    this.pattern = pattern;
    try {
      format =
          new DateTimeFormatterBuilder()
              .appendPattern(pattern)
              .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
              .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
              .toFormatter(Locale.ROOT);
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException(
          "expected a date pattern such as yyyy-MM-dd, found " + quote(pattern), unknown);
    }
  }

  /** Converts a date into the text of a number of days. */
  String days(String text) {
    try {
      return Decimal.text(days(format.parseBest(text, LocalDateTime::from, LocalDate::from)));
    } catch (DateTimeParseException wrong) {
      throw new IllegalArgumentException(
          "expected a date of the form " + pattern + ", found " + quote(text), wrong);
    }
  }

  private static double days(TemporalAccessor date) {
    LocalDateTime time =
        date instanceof LocalDate day
            ? LocalDateTime.of(day, LocalTime.MIDNIGHT)
            : LocalDateTime.from(date);
    return time.toEpochSecond(ZoneOffset.UTC) / SECONDS_A_DAY;
  }
}
