package org.avm4j.app;

import java.util.OptionalInt;
import org.avm4j.pipeline.LabelLags;
import picocli.CommandLine.TypeConversionException;

/**
 * The number of labels of earlier rows that become features of a row.
 *
 * @param known the number; empty if it is chosen from the data
 */
record LagCount(OptionalInt known) {
  private static final String AUTO = "auto";

  static LagCount of(String text) {
    if (text.equals(AUTO)) {
      return new LagCount(OptionalInt.empty());
    }
    boolean isNumber = text.matches("[0-9]{1,9}");
    int count = isNumber ? Integer.parseInt(text) : 0;
    if (count < 1 || count > LabelLags.MOST) {
      throw new TypeConversionException(
          "must be auto or a number from 1 to " + LabelLags.MOST + ": " + text);
    }
    return new LagCount(OptionalInt.of(count));
  }

  boolean isAutomatic() {
    return known.isEmpty();
  }
}
