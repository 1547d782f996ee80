package org.avm4j.app;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * What mistakes cost.
 *
 * @param missed the cost of a rare row that is answered as a common one, a false negative
 * @param alarm the cost of a common row that is answered as a rare one, a false positive
 */
record Costs(double missed, double alarm) {
  private static final Pattern FORM =
      Pattern.compile("fn=([0-9.]{1,12}),fp=([0-9.]{1,12})|fp=([0-9.]{1,12}),fn=([0-9.]{1,12})");

  static Costs of(String text) {
    Matcher parts = FORM.matcher(text);
    try {
      if (parts.matches()) {
        boolean isMissedFirst = parts.group(1) != null;
        double missed = Double.parseDouble(parts.group(isMissedFirst ? 1 : 4));
        double alarm = Double.parseDouble(parts.group(isMissedFirst ? 2 : 3));
        if (missed > 0 && alarm > 0) {
          return new Costs(missed, alarm);
        }
      }
    } catch (NumberFormatException malformed) {
      throw wrong(text);
    }
    throw wrong(text);
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException("'" + text + "' must be like fn=10,fp=1, both above 0");
  }
}
