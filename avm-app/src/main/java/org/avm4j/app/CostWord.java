package org.avm4j.app;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.pipeline.Costs;
import picocli.CommandLine.TypeConversionException;

/** Parses the costs of mistakes on the command line. */
final class CostWord {
  private static final Pattern FORM =
      Pattern.compile("fn=([0-9.]{1,12}),fp=([0-9.]{1,12})|fp=([0-9.]{1,12}),fn=([0-9.]{1,12})");

  private CostWord() {}

  /** Parses costs such as fn=10,fp=1. */
  static Costs parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw wrong(text);
    }
    boolean isMissedFirst = parts.group(1) != null;
    try {
      double missed = Double.parseDouble(parts.group(isMissedFirst ? 1 : 4));
      return new Costs(missed, Double.parseDouble(parts.group(isMissedFirst ? 2 : 3)));
    } catch (IllegalArgumentException malformed) {
      throw wrong(text);
    }
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "'"
            + text
            + "' must have the form fn=10,fp=1: the costs of a missed row and of a false alarm,"
            + " two finite numbers above 0");
  }
}
