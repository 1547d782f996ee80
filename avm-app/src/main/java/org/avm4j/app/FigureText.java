package org.avm4j.app;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Formats figures for reports. */
final class FigureText {
  private static final Set<String> PERCENTAGES =
      Set.of(
          ("mistakeRate accuracy balancedAccuracy alertRate noiseRate precision recall "
                  + "majorityMistakeRate noChangeMistakeRate windowMistakeRate "
                  + "windowMajorityMistakeRate windowNoChangeMistakeRate")
              .split(" "));

  private FigureText() {}

  /** Adds a row for each figure; figures by class only for at most ten classes. */
  static void addRows(Map<String, Object> figures, Map<String, String> rows) {
    figures.forEach(
        (name, value) -> {
          if (value instanceof Double number) {
            rows.put(words(name), text(name, number));
          } else if (isByClass(name, value)) {
            rows.put(words(name) + " by class", byClass(name, (Map<?, ?>) value));
          }
        });
  }

  private static boolean isByClass(String name, Object value) {
    return value instanceof Map<?, ?> map && !name.equals("confusion") && map.size() <= 10;
  }

  private static String byClass(String name, Map<?, ?> values) {
    String format = PERCENTAGES.contains(name) ? "%s: %.2f %%  " : "%s: %.4f  ";
    StringBuilder text = new StringBuilder();
    values.forEach((label, value) -> text.append(Text.format(format, label, (Double) value)));
    return text.toString().strip();
  }

  static String text(String name, double value) {
    return PERCENTAGES.contains(name) ? Text.format("%.4f %%", value) : Text.format("%.6g", value);
  }

  static String meanAndDeviation(String name, double[] values) {
    return text(name, mean(values)) + " ± " + text(name, deviation(values));
  }

  /**
   * An error with its margin and unit, rounded to the significant digits. A margin that reaches
   * below 0 or above 100 % is printed as the range that is possible: "30 (0 to 70)".
   */
  static String withMargin(String name, double value, double margin) {
    int places = places(value > 0 ? Math.min(value, margin) : margin);
    double most = PERCENTAGES.contains(name) ? 100 : Double.MAX_VALUE;
    boolean isPossible = value - margin >= 0 && value + margin <= most;
    String from = rounded(Math.max(0, value - margin), places);
    String to = rounded(Math.min(most, value + margin), places);
    return rounded(value, places)
        + (isPossible ? " ± " + rounded(margin, places) : " (" + from + " to " + to + ")")
        + unit(name);
  }

  /** A figure with its unit, rounded according to its margin. */
  static String rounded(String name, double value, double margin) {
    return rounded(value, places(margin)) + unit(name);
  }

  private static String unit(String name) {
    return PERCENTAGES.contains(name) ? " %" : "";
  }

  /** Decimal places that show one digit of the margin, or two if it starts with 1. */
  private static int places(double margin) {
    if (!(margin > 0)) {
      return 2;
    }
    int exponent = (int) Math.floor(Math.log10(margin));
    return (margin / Math.pow(10, exponent) < 2 ? 1 : 0) - exponent;
  }

  private static String rounded(double value, int places) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    return Text.format(
        "%,." + Math.max(0, places) + "f",
        new BigDecimal(value).setScale(places, RoundingMode.HALF_UP));
  }

  /** The name of a figure in words: mistakeRate becomes "mistake rate". */
  static String words(String name) {
    return name.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
  }

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** The sample standard deviation. */
  static double deviation(double[] values) {
    double mean = mean(values);
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return values.length < 2 ? 0 : Math.sqrt(sum / (values.length - 1));
  }
}
