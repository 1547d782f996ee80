package org.avm4j.flink.job;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a time such as 500ms, 30s, 5m, 12h or 7d. */
final class Time implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6})(ms|[smhd])");

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
          "expected a time such as 500ms, 30s, 5m, 12h or 7d, found '" + text + "'");
    }
    long n = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(n);
      case "s" -> Duration.ofSeconds(n);
      case "m" -> Duration.ofMinutes(n);
      case "h" -> Duration.ofHours(n);
      default -> Duration.ofDays(n);
    };
  }
}
