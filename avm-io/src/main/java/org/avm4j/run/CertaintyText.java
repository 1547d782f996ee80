package org.avm4j.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;

/** Formats intervals and sets of labels. */
public final class CertaintyText {
  private static final MathContext DIGITS = new MathContext(6);

  private CertaintyText() {}

  /**
   * The certainty of an answer as fields: the low and the high end of the interval, or the labels
   * of the set, which may be empty.
   *
   * @param level above 0 and below 1
   * @param names the text of a label
   */
  public static List<String> fields(Prediction answer, double level, DoubleFunction<String> names) {
    if (answer.classes().length > 0) {
      return Arrays.stream(answer.labels(level)).mapToObj(names).toList();
    }
    Interval interval = answer.interval(level);
    return List.of(number(interval.low()), number(interval.high()));
  }

  /** Six significant digits; an infinite end is inf or -inf. */
  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }
}
