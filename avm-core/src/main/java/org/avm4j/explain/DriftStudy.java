package org.avm4j.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.Features;
import org.avm4j.data.Schema;

/** What changed between the rows before and after a rise of the error. */
final class DriftStudy {
  /** Fewest rows on each side of a change; with fewer only the rise itself is reported. */
  private static final int FEWEST = 200;

  /** Probability of a false alarm in a study; a long stream without changes has a few studies. */
  private static final double FALSE_ALARM = 0.001;

  /** The most classes that are named; those that changed most come first. */
  private static final int MOST_LABELS = 5;

  /** Smallest part of all rows by which a class must grow or shrink to be named. */
  private static final double LEAST_SHARE = 0.02;

  /**
   * Standard errors between two shares beyond which they differ significantly, even among many
   * classes.
   */
  private static final double SURE = 4;

  private final long since;
  private final List<WatchedRow> before;
  private final List<WatchedRow> after;
  private final boolean isRegression;
  private final Schema schema;

  DriftStudy(WatchedRows rows, long since, boolean isRegression, Schema schema) {
    this.since = since;
    before = rows.between(1, since);
    after = rows.between(since, Long.MAX_VALUE);
    this.isRegression = isRegression;
    this.schema = schema;
  }

  /** What changed with a rise that was noticed at this row. */
  DriftEvent event(long noticed) {
    if (Math.min(before.size(), after.size()) < FEWEST) {
      return event(noticed, List.of(), List.of(), List.of(), false);
    }
    ChangeStudy study = new ChangeStudy(features(before), features(after), schema, FALSE_ALARM);
    EffectWords words = new EffectWords(before, after, isRegression, schema::labelText);
    ModelBeforeChange rule = new ModelBeforeChange(before, isRegression);
    EffectStudy effects = new EffectStudy(study, rule, before, after, words);
    return event(
        noticed, study.moved(), effects.changed(), isRegression ? movedLabel() : classes(), true);
  }

  private DriftEvent event(
      long noticed,
      List<ChangeStudy.Changed> moved,
      List<ChangeStudy.Changed> effects,
      List<ChangeStudy.Changed> labels,
      boolean isStudied) {
    List<WatchedRow> risen = after.stream().filter(row -> row.number() <= noticed).toList();
    List<WatchedRow> later = after.stream().filter(row -> row.number() > noticed).toList();
    return new DriftEvent(
        since,
        noticed,
        error(before, isRegression),
        error(risen, isRegression),
        later.isEmpty() ? Double.NaN : error(later, isRegression),
        moved,
        effects,
        labels,
        isStudied);
  }

  private static List<Features> features(List<WatchedRow> rows) {
    return rows.stream().map(WatchedRow::x).toList();
  }

  /** The fraction of wrong answers, or the root mean squared error; 0 without rows. */
  private static double error(List<WatchedRow> rows, boolean isRegression) {
    double sum = 0;
    int answered = 0;
    for (WatchedRow row : rows) {
      double gap = row.answer() - row.label();
      if (!Double.isNaN(gap)) {
        sum += isRegression ? gap * gap : gap == 0 ? 0 : 1;
        answered++;
      }
    }
    double mean = sum / Math.max(1, answered);
    return isRegression ? Math.sqrt(mean) : mean;
  }

  /** The label as a column of its own. */
  private List<ChangeStudy.Changed> movedLabel() {
    Schema label = new Schema();
    label.column("label", true);
    return new ChangeStudy(labels(before), labels(after), label, FALSE_ALARM).moved();
  }

  private static List<Features> labels(List<WatchedRow> rows) {
    return rows.stream().map(row -> Features.dense(row.label())).toList();
  }

  /** Classes whose share of the rows changed, the most first. */
  private List<ChangeStudy.Changed> classes() {
    Map<Double, int[]> counts = new TreeMap<>();
    before.forEach(row -> counts.computeIfAbsent(row.label(), c -> new int[2])[0]++);
    after.forEach(row -> counts.computeIfAbsent(row.label(), c -> new int[2])[1]++);
    List<ChangeStudy.Changed> changed = new ArrayList<>();
    counts.forEach(
        (label, pair) -> {
          double old = pair[0] / (double) before.size();
          double young = pair[1] / (double) after.size();
          double both = (pair[0] + pair[1]) / (double) (before.size() + after.size());
          double error = Math.sqrt(both * (1 - both) * (1.0 / before.size() + 1.0 / after.size()));
          double gap = Math.abs(young - old);
          if (gap >= LEAST_SHARE && gap > SURE * error) {
            changed.add(
                new ChangeStudy.Changed(
                    schema.labelText(label), gap, percent(old), percent(young)));
          }
        });
    return changed.stream()
        .sorted((a, b) -> Double.compare(b.size(), a.size()))
        .limit(MOST_LABELS)
        .toList();
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }
}
