package org.avm4j.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.avm4j.Prediction;

/**
 * How well the rarer of two classes is found: average precision, lift, the curve of precision over
 * recall, and the threshold that costs least.
 */
final class RareClass {
  private static final int MOST_POINTS = 50;

  private final SavedModel saved;
  private double[] scores = new double[1024];
  private final BitSet uppers = new BitSet();
  private int count;

  RareClass(SavedModel saved) {
    this.saved = saved;
  }

  /** Takes an answer into account; of other tasks than two classes none counts. */
  void add(double label, Prediction answer) {
    double[] classes = saved.model().classes();
    if (answer.scores().length != 1 || classes.length != 2 || saved.isUnsupervised()) {
      return;
    }
    if (count == scores.length) {
      scores = Arrays.copyOf(scores, 2 * count);
    }
    scores[count] = answer.scores()[0];
    uppers.set(count, label == classes[1]);
    count++;
  }

  /** Whether there are rows of both classes. */
  boolean isDefined() {
    return uppers.cardinality() > 0 && uppers.cardinality() < count;
  }

  private boolean isUpperRare() {
    return 2L * uppers.cardinality() <= count;
  }

  private int rare() {
    return isUpperRare() ? uppers.cardinality() : count - uppers.cardinality();
  }

  /** Rows from the one that looks most like the rare class on. */
  private int[] sorted() {
    double sign = isUpperRare() ? -1 : 1;
    return IntStream.range(0, count)
        .boxed()
        .sorted((i, j) -> Double.compare(sign * scores[i], sign * scores[j]))
        .mapToInt(i -> i)
        .toArray();
  }

  private boolean isRare(int row) {
    return uppers.get(row) == isUpperRare();
  }

  /** What was found, by name; the threshold only if costs are given. */
  Map<String, Object> values(Costs costs) {
    int[] order = sorted();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("rareClass", saved.classes().get(isUpperRare() ? 1 : 0));
    values.put("rareShare", (double) rare() / count);
    addCurve(order, values);
    values.put("liftOfTopTenth", lift(order));
    if (costs != null) {
      addThreshold(order, costs, values);
    }
    return values;
  }

  private void addCurve(int[] order, Map<String, Object> values) {
    List<List<Double>> curve = new ArrayList<>();
    double area = 0;
    int found = 0;
    int counted = 0;
    for (int i = 0; i < count; i++) {
      found += isRare(order[i]) ? 1 : 0;
      boolean isTied = i + 1 < count && scores[order[i + 1]] == scores[order[i]];
      if (!isTied) {
        double precision = (double) found / (i + 1);
        area += precision * (found - counted) / rare();
        boolean isNext =
            found * (long) MOST_POINTS / rare() > counted * (long) MOST_POINTS / rare();
        counted = found;
        if (isNext) {
          curve.add(List.of((double) found / rare(), precision));
        }
      }
    }
    values.put("averagePrecision", area);
    values.put("recallAndPrecision", curve);
  }

  /** The share of the rare class in the top tenth, over its share in all rows. */
  private double lift(int[] order) {
    int top = Math.max(1, count / 10);
    long found = Arrays.stream(order).limit(top).filter(this::isRare).count();
    return (double) found / top / ((double) rare() / count);
  }

  private void addThreshold(int[] order, Costs costs, Map<String, Object> values) {
    double cost = costs.missed() * rare();
    double least = cost;
    int best = 0;
    for (int i = 0; i < count; i++) {
      cost += isRare(order[i]) ? -costs.missed() : costs.alarm();
      boolean isTied = i + 1 < count && scores[order[i + 1]] == scores[order[i]];
      if (!isTied && cost < least) {
        least = cost;
        best = i + 1;
      }
    }
    values.put("threshold", between(order, best));
    values.put("cost", least);
    values.put("costAtZero", costAtZero(costs));
  }

  /** A score between the rows before a place and those from there on. */
  private double between(int[] order, int place) {
    double before = scores[order[Math.max(0, place - 1)]];
    double after = scores[order[Math.min(count - 1, place)]];
    double step = Math.max(1e-9, Math.abs(before) * 1e-6);
    boolean isAll = place == count;
    boolean isNone = place == 0;
    double outside = isUpperRare() == isAll ? -step : step;
    return isAll || isNone ? before + outside : (before + after) / 2;
  }

  private double costAtZero(Costs costs) {
    double cost = 0;
    for (int row = 0; row < count; row++) {
      boolean saysUpper = scores[row] >= 0;
      boolean saysRare = saysUpper == isUpperRare();
      cost += isRare(row) && !saysRare ? costs.missed() : 0;
      cost += !isRare(row) && saysRare ? costs.alarm() : 0;
    }
    return cost;
  }

  /** Adds the same for people. */
  static void addRows(Map<String, Object> values, Map<String, String> rows) {
    rows.put(
        "average precision",
        String.format(
            Locale.ROOT,
            "%.4f of class %s, which is %.2f %% of the rows; its share in the top tenth is %.2g"
                + " times that",
            values.get("averagePrecision"),
            values.get("rareClass"),
            100 * (Double) values.get("rareShare"),
            values.get("liftOfTopTenth")));
    if (values.containsKey("threshold")) {
      rows.put(
          "threshold",
          String.format(
              Locale.ROOT,
              "%.6g costs %s, 0 costs %s; predict --threshold %.6g answers by it",
              values.get("threshold"),
              Text.number((Double) values.get("cost")),
              Text.number((Double) values.get("costAtZero")),
              values.get("threshold")));
    }
  }
}
