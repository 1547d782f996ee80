package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Yardsticks;

/** Formats the errors of simple baselines, compared with those of the model. */
final class YardstickText {
  private static final List<String> OF_NO_CHANGE =
      List.of(
          ("kappaT noChangeMistakeRate windowNoChangeMistakeRate noChangeRmse noChangeMae "
                  + "windowNoChangeRmse")
              .split(" "));

  private YardstickText() {}

  /**
   * Adds the baselines of a stream, and which of them are better than the model.
   *
   * @param isOrdered whether the order of the rows is meaningful; otherwise no-change is left out
   */
  static void addValues(Yardsticks found, boolean isOrdered, Map<String, Object> values) {
    values.putAll(found.all());
    values.put("worseThan", worseThan(found, isOrdered, values.containsKey("meanRmse")));
    if (!isOrdered) {
      values.keySet().removeAll(OF_NO_CHANGE);
    }
  }

  private static List<String> worseThan(Yardsticks found, boolean isOrdered, boolean isRegression) {
    List<String> worse = new ArrayList<>();
    if (found.isWorseThanConstant()) {
      worse.add(isRegression ? "mean" : "majority");
    }
    if (isOrdered && found.isWorseThanNoChange()) {
      worse.add("noChange");
    }
    return worse;
  }

  /** Adds the baselines of a stream to a report; no-change only if the order is meaningful. */
  static void addRows(
      Yardsticks found, boolean isOrdered, DoubleFunction<String> names, Map<String, String> rows) {
    Map<String, Object> all = found.all();
    boolean isRegression = all.containsKey("meanRmse");
    if (isRegression) {
      rows.put("mean so far", "RMSE " + number(all, "meanRmse"));
    } else {
      rows.put(isOrdered ? "kappa T, kappa M" : "kappa M", kappas(found, isOrdered));
      String label = Double.isNaN(found.constant()) ? "" : ", now " + names.apply(found.constant());
      rows.put(
          "majority class",
          percent(found.constantError())
              + " mistakes by always answering the most common class"
              + label);
    }
    if (isOrdered) {
      rows.put(
          "no change", noChange(found.noChangeError(), isRegression, "repeating the last label"));
    }
    if (found.instances() > Yardsticks.WINDOW) {
      rows.put(
          "last " + Text.number(((Integer) all.get("window"))),
          window(all, isOrdered, isRegression));
    }
    addWarning(found, isOrdered, isRegression, rows);
  }

  private static String kappas(Yardsticks found, boolean isOrdered) {
    return (isOrdered
            ? Text.format("%.4f, %.4f", found.kappaT(), found.kappaM())
            : Text.format("%.4f", found.kappaM()))
        .replace("NaN", "-");
  }

  /** The error of repeating a label, as text. */
  static String noChange(double error, boolean isRegression, String which) {
    return isRegression
        ? Text.format("RMSE %.6g by %s", error, which)
        : percent(error) + " mistakes by " + which;
  }

  private static String window(Map<String, Object> all, boolean isOrdered, boolean isRegression) {
    String plain =
        isRegression
            ? "RMSE %s; mean so far %s"
                .formatted(number(all, "windowRmse"), number(all, "windowMeanRmse"))
            : "%s mistakes; majority class %s"
                .formatted(
                    percent((Double) all.get("windowMistakeRate")),
                    percent((Double) all.get("windowMajorityMistakeRate")));
    String noChange =
        isRegression
            ? number(all, "windowNoChangeRmse")
            : percent((Double) all.get("windowNoChangeMistakeRate"));
    return isOrdered ? plain + ", no change " + noChange : plain;
  }

  private static void addWarning(
      Yardsticks found, boolean isOrdered, boolean isRegression, Map<String, String> rows) {
    List<String> better = new ArrayList<>();
    if (found.isWorseThanConstant()) {
      better.add(
          isRegression
              ? "the mean of the labels so far"
              : "always answering the most common label");
    }
    if (isOrdered && found.isWorseThanNoChange()) {
      better.add("repeating the last label");
    }
    if (!better.isEmpty()) {
      rows.put("WARNING", "worse than no model at all: beaten by " + String.join(" and ", better));
    }
  }

  /** Adds the error of the best constant answer on the data of an evaluation. */
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

  /** Adds the baselines of an evaluation to a report. */
  static void addConstantRows(Map<String, Object> values, Map<String, String> rows) {
    Double majority = (Double) values.get("majorityMistakeRate");
    if (majority != null) {
      rows.put(
          "majority class",
          percent(majority) + " mistakes by always answering the most common class");
      addConstantWarning(majority, values, rows);
    }
    Double mean = (Double) values.get("meanRmse");
    if (mean != null) {
      rows.put("mean", "RMSE " + number(values, "meanRmse") + " by always answering the mean");
      if ((Double) values.get("rmse") > mean) {
        rows.put("WARNING", "worse than no model at all: beaten by the mean of the labels");
      }
    }
    Double noChange = (Double) values.get("noChangeRmse");
    if (noChange != null) {
      rows.put("no change", noChange(noChange, true, "repeating the last known label"));
      if ((Double) values.get("rmse") > noChange) {
        rows.put("WARNING", "worse than no model at all: beaten by repeating the last label");
      }
    }
  }

  /** Warns if a constant answer is better: cheaper if costs are known, else with fewer mistakes. */
  private static void addConstantWarning(
      double majority, Map<String, Object> values, Map<String, String> rows) {
    Double constant = (Double) values.get("constantCost");
    Object cost = values.getOrDefault("costAtModelThreshold", values.get("costAtZero"));
    if (constant == null) {
      if ((Double) values.get("mistakeRate") > majority) {
        rows.put(
            "WARNING",
            "worse than no model at all: beaten by always answering the most common label");
      }
    } else if ((Double) cost > constant) {
      rows.put(
          "WARNING",
          "worse than no model at all: the cheapest constant answer costs only "
              + Text.number(constant));
    }
  }

  private static String percent(double value) {
    return Text.format("%.4f %%", value);
  }

  private static String number(Map<String, Object> all, String name) {
    return Text.format("%.6g", (Double) all.get(name));
  }
}
