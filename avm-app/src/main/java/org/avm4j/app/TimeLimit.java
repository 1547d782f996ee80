package org.avm4j.app;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** The time that a command may take, such as 60s, 5m or 1h. */
record TimeLimit(Duration time) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,3})?)(s|m|h)");

  static TimeLimit of(String text) {
    Matcher parts = FORM.matcher(text);
    double seconds =
        parts.matches() ? Double.parseDouble(parts.group(1)) * unit(parts.group(2)) : 0;
    if (seconds <= 0) {
      throw new TypeConversionException(
          "'" + text + "' must be a number above 0 with the unit s, m or h, such as 60s");
    }
    return new TimeLimit(Duration.ofMillis(Math.max(1, Math.round(1000 * seconds))));
  }

  private static int unit(String name) {
    return switch (name) {
      case "s" -> 1;
      case "m" -> 60;
      default -> 3600;
    };
  }
}
