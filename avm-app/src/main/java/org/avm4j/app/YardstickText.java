package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Yardsticks;

/** What answers without a model would be worth, beside a model's, in words. */
final class YardstickText {
  private YardstickText() {}

  /** Adds the figures of a stream, and which of them are better than the model's. */
  static void addValues(Yardsticks found, Map<String, Object> values) {
    values.putAll(found.all());
    values.put("worseThan", worseThan(found, values.containsKey("meanRmse")));
  }

  private static List<String> worseThan(Yardsticks found, boolean isRegression) {
    List<String> worse = new ArrayList<>();
    if (found.isWorseThanConstant()) {
      worse.add(isRegression ? "mean" : "majority");
    }
    if (found.isWorseThanNoChange()) {
      worse.add("noChange");
    }
    return worse;
  }

  /** Adds the rows of a stream of classes or numbers. */
  static void addRows(
      Yardsticks found,
      DoubleFunction<String> names,
      boolean isRegression,
      Map<String, String> rows) {
    Map<String, Object> all = found.all();
    if (isRegression) {
      rows.put("mean so far", "RMSE " + number(all, "meanRmse"));
      rows.put("no change", "RMSE " + number(all, "noChangeRmse") + ", repeating the last label");
    } else {
      rows.put("kappa T, kappa M", kappas(found));
      String label = Double.isNaN(found.constant()) ? "" : ", now " + names.apply(found.constant());
      rows.put(
          "majority class",
          percent(found.constantError()) + " mistakes by always answering the commonest" + label);
      rows.put(
          "no change", percent(found.noChangeError()) + " mistakes by repeating the last label");
    }
    if (found.instances() > Yardsticks.WINDOW) {
      rows.put("last " + Text.number(((Integer) all.get("window"))), window(all, isRegression));
    }
    addWarning(found, isRegression, rows);
  }

  private static String kappas(Yardsticks found) {
    return String.format(Locale.ROOT, "%.4f, %.4f", found.kappaT(), found.kappaM())
        .replace("NaN", "-");
  }

  private static String window(Map<String, Object> all, boolean isRegression) {
    return isRegression
        ? "RMSE %s; mean so far %s, no change %s"
            .formatted(
                number(all, "windowRmse"),
                number(all, "windowMeanRmse"),
                number(all, "windowNoChangeRmse"))
        : "%s mistakes; majority class %s, no change %s"
            .formatted(
                percent((Double) all.get("windowMistakeRate")),
                percent((Double) all.get("windowMajorityMistakeRate")),
                percent((Double) all.get("windowNoChangeMistakeRate")));
  }

  private static void addWarning(Yardsticks found, boolean isRegression, Map<String, String> rows) {
    List<String> better = new ArrayList<>();
    if (found.isWorseThanConstant()) {
      better.add(isRegression ? "the mean of the labels so far" : "always the commonest label");
    }
    if (found.isWorseThanNoChange()) {
      better.add("repeating the last label");
    }
    if (!better.isEmpty()) {
      rows.put("WARNING", "worse than no model at all: beaten by " + String.join(" and ", better));
    }
  }

  /** Adds the constant answer that would be best for the data of an evaluation. */
  static void addConstant(Metrics metrics, Map<String, Object> values) {
    if (metrics instanceof ClassificationMetrics classes) {
      double majority = classes.majorityMistakeRate();
      values.put("majorityMistakeRate", majority);
      values.put("kappaM", majority == 0 ? Double.NaN : 1 - classes.value() / majority);
    }
    Double r2 = (Double) values.get("r2");
    if (r2 != null) {
      values.put("meanRmse", metrics.value() / Math.sqrt(1 - r2));
    }
  }

  /** Adds the same for people. */
  static void addConstantRows(Map<String, Object> values, Map<String, String> rows) {
    Double majority = (Double) values.get("majorityMistakeRate");
    if (majority != null) {
      rows.put("majority class", percent(majority) + " mistakes by always answering the commonest");
      if ((Double) values.get("mistakeRate") > majority) {
        rows.put("WARNING", "worse than no model at all: beaten by always the commonest label");
      }
    }
    Double mean = (Double) values.get("meanRmse");
    if (mean != null) {
      rows.put("mean", "RMSE " + number(values, "meanRmse") + " by always answering the mean");
      if ((Double) values.get("rmse") > mean) {
        rows.put("WARNING", "worse than no model at all: beaten by the mean of the labels");
      }
    }
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.4f %%", value);
  }

  private static String number(Map<String, Object> all, String name) {
    return String.format(Locale.ROOT, "%.6g", (Double) all.get(name));
  }
}
