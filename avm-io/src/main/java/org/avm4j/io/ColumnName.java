package org.avm4j.io;

import java.util.Locale;
import java.util.regex.Pattern;

/** What the name of a column says about its values. */
record ColumnName(String text) {
  private static final Pattern ID =
      Pattern.compile("(?i:index|row|row ?num(ber)?|unnamed.*|id|.*[_ .-]id)|.*[a-z]I[dD]");
  private static final Pattern TIME =
      Pattern.compile(
          "(?i:t|ts|time|epoch|timestamp|.*[_ .-](time|ts|timestamp))|.*[a-z]Time(stamp)?");
  private static final Pattern OF_TIME =
      Pattern.compile(
          "(?i:(.*[^a-z])?(t|ts|tstamp|tijd|zeit|when|since|until|epochs?|seconds?|secs?|millis"
              + "|(date|unix)?times?|dates?|(time|date)?stamps?|created|updated|modified|changed"
              + "|started|ended|expires|expired|due|at)([^a-z].*)?)"
              + "|.*[a-z](Time|Date|Stamp|Timestamp|Epoch|Created|Updated|At|Ts)([^a-z].*)?");

  boolean isId() {
    return ID.matcher(text).matches();
  }

  boolean isTime() {
    return TIME.matcher(text).matches();
  }

  /** Whether a word in it lets large numbers be times. */
  boolean speaksOfTime() {
    return OF_TIME.matcher(text).matches();
  }

  boolean isYear() {
    return text.equalsIgnoreCase("year");
  }

  /** Whether a word in it lets numbers such as 20201231 be dates. */
  boolean speaksOfDates() {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.contains("dat") || lower.contains("day");
  }
}
