package org.avm4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Certainty.Interval;

/** How often intervals held the label, and how wide they were. */
final class IntervalFigures {
  private static final int WINDOW = 1000;

  private final double level;
  private final List<Double> labels = new ArrayList<>();
  private final List<Interval> intervals = new ArrayList<>();

  IntervalFigures(double level) {
    this.level = level;
  }

  /** Adds a row; a missing interval counts as infinite. */
  void add(double label, Optional<Interval> interval) {
    labels.add(label);
    Interval everything = new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    intervals.add(interval.orElse(everything));
  }

  /**
   * All in per cent, widths of the range of labels: coverage, that of the window of 1,000 rows
   * farthest from the level (the first is left out), mean width where it is finite, and that width
   * if all intervals were stretched by the one factor that covers just the level.
   */
  Map<String, Double> all() {
    double range =
        labels.stream().mapToDouble(y -> y).max().orElse(0)
            - labels.stream().mapToDouble(y -> y).min().orElse(0);
    double width =
        intervals.stream()
            .mapToDouble(Interval::width)
            .filter(Double::isFinite)
            .average()
            .orElse(0);
    double[] stretches = new double[labels.size()];
    Arrays.setAll(stretches, this::stretch);
    Arrays.sort(stretches);
    double factor = stretches[(int) Math.ceil(level * stretches.length) - 1];
    return Map.of(
        "coverage",
        coverage(0, labels.size()),
        "window",
        window(),
        "width",
        100 * width / range,
        "equal",
        100 * factor * width / range);
  }

  private double coverage(int from, int to) {
    int held = 0;
    for (int t = from; t < to; t++) {
      held += intervals.get(t).contains(labels.get(t)) ? 1 : 0;
    }
    return 100.0 * held / (to - from);
  }

  private double window() {
    double worst = 100 * level;
    for (int t = WINDOW; t + WINDOW <= labels.size(); t += WINDOW) {
      double found = coverage(t, t + WINDOW);
      worst = Math.abs(found - 100 * level) > Math.abs(worst - 100 * level) ? found : worst;
    }
    return worst;
  }

  /** The factor at which an interval, stretched from its middle, just holds the label. */
  private double stretch(int t) {
    Interval interval = intervals.get(t);
    if (!Double.isFinite(interval.width())) {
      return 0;
    }
    double off = Math.abs(labels.get(t) - (interval.low() + interval.high()) / 2);
    return off == 0 ? 0 : 2 * off / interval.width();
  }
}
