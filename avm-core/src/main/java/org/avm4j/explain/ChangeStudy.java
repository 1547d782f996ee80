package org.avm4j.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.data.Schema;
import org.avm4j.internal.Rules;

/**
 * What changed between two samples of rows: columns whose values moved, by a χ² test of their bins,
 * and columns whose effect changed ({@link EffectStudy}).
 *
 * <p>All tests together raise a false alarm at most once in a hundred studies. A change must also
 * be large enough to matter.
 */
public final class ChangeStudy {
  private static final double FALSE_ALARM = 0.01;

  /** Smallest fraction of rows in other bins than before that is reported. */
  private static final double LEAST_MOVE = 0.05;

  /**
   * Smallest reported effect: the variance of the correction that it makes to the scores, relative
   * to that of the residuals.
   */
  static final double LEAST_EFFECT = 0.02;

  /** Fewest rows of each sample in a bin whose residuals are compared. */
  static final int FEWEST = 8;

  static final int MOST_EFFECTS = 5;

  /** Fewest rows of each sample in which changed effects are looked for. */
  public static final int FEWEST_LABELLED = 100;

  private final double falseAlarm;
  private final int before;
  private final List<ColumnBins> bins = new ArrayList<>();
  private final List<Integer> columns = new ArrayList<>();

  /** The feature of each column of numbers, -1 of categories. */
  private final List<Integer> parts = new ArrayList<>();

  private final ColumnView view;
  private final List<Features> features;
  private final int rows;

  /**
   * A column that changed.
   *
   * @param column its name
   * @param size the fraction of the rows that is in other bins than before; for an effect, the
   *     fraction of the variance of the residuals that it explains
   * @param before what it held before, in the words of the data: a median, or how frequent the
   *     category was that changed most; of an effect, how labels went with it
   * @param after the same now
   */
  public record Changed(String column, double size, String before, String after) {}

  /**
   * Two samples of rows.
   *
   * @throws IllegalArgumentException if one of them is empty
   */
  public ChangeStudy(List<Features> before, List<Features> after, Schema schema) {
    this(before, after, schema, FALSE_ALARM);
  }

  /** Two samples, with a given probability of a false alarm in the whole study. */
  ChangeStudy(List<Features> before, List<Features> after, Schema schema, double falseAlarm) {
    boolean areFilled = !before.isEmpty() && !after.isEmpty();
    Rules.require(areFilled, "both samples must have rows", before.size() + ", " + after.size());
    this.falseAlarm = falseAlarm;
    this.before = before.size();
    rows = before.size() + after.size();
    view = new ColumnView(schema);
    features = Stream.concat(before.stream(), after.stream()).toList();
    TreeSet<Integer> used = new TreeSet<>();
    for (Features row : features) {
      for (int e = 0; e < row.count(); e++) {
        used.add(row.index(e));
      }
    }
    TreeSet<Integer> categorical = new TreeSet<>();
    for (int feature : used) {
      int column = view.of(feature);
      if (!view.isCategorical(column)) {
        add(column, feature);
      } else if (categorical.add(column)) {
        add(column, -1);
      }
    }
  }

  private void add(int column, int feature) {
    columns.add(column);
    parts.add(feature);
    bins.add(ColumnBins.of(features, column, view, feature));
  }

  /**
   * The columns whose values moved, the farthest first. Where the year of dates moved, their other
   * parts are not told.
   */
  public List<Changed> moved() {
    List<Move> moves =
        IntStream.range(0, bins.size())
            .mapToObj(this::move)
            .filter(found -> found.distance >= LEAST_MOVE)
            .sorted((a, b) -> Double.compare(b.distance, a.distance))
            .toList();
    Set<Integer> dated =
        moves.stream()
            .filter(found -> isYear(found.column))
            .map(found -> columns.get(found.column))
            .collect(Collectors.toSet());
    return moves.stream()
        .filter(found -> isYear(found.column) || !dated.contains(columns.get(found.column)))
        .map(found -> changed(found.column, found.distance, found.bin))
        .toList();
  }

  private boolean isYear(int c) {
    return parts.get(c) >= 0 && view.isYear(parts.get(c));
  }

  /**
   * A column that moved.
   *
   * @param distance the fraction of the rows in other bins; 0 if this may be chance
   * @param bin the one that changed most
   */
  private record Move(int column, double distance, int bin) {}

  private Move move(int c) {
    ColumnBins column = bins.get(c);
    double[][] counts = counts(column);
    double after = rows - before;
    double chi = 0;
    double distance = 0;
    double farthest = 0;
    int most = 0;
    int used = 0;
    for (int b = 0; b < column.count(); b++) {
      double both = counts[0][b] + counts[1][b];
      double gap = counts[0][b] / before - counts[1][b] / after;
      chi += both > 0 ? gap * gap * before * after / both : 0;
      used += both > 0 ? 1 : 0;
      distance += Math.abs(gap) / 2;
      most = Math.abs(gap) > farthest ? b : most;
      farthest = Math.max(farthest, Math.abs(gap));
    }
    boolean isChance = used < 2 || isChance(z(chi, used - 1), 1);
    return new Move(c, isChance ? 0 : distance, most);
  }

  /**
   * The columns whose effect on the labels changed, the strongest first. What the labels depended
   * on is learned from the rows before.
   *
   * @param labels the label of each row, first those before and then those after
   * @param areClasses whether labels are classes and not numbers
   * @param labelText the text of a class
   */
  public List<Changed> effects(
      double[] labels, boolean areClasses, DoubleFunction<String> labelText) {
    List<WatchedRow> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.add(new WatchedRow(i + 1, features.get(i), labels[i], Double.NaN, 0));
    }
    List<WatchedRow> old = all.subList(0, before);
    List<WatchedRow> young = all.subList(before, rows);
    EffectWords words = new EffectWords(old, young, !areClasses, labelText);
    ModelBeforeChange rule = new ModelBeforeChange(old, !areClasses);
    return new EffectStudy(this, rule, old, young, words).changed();
  }

  /** The number of columns, numbers and categories alike. */
  int columns() {
    return bins.size();
  }

  ColumnBins bins(int c) {
    return bins.get(c);
  }

  int before() {
    return before;
  }

  /**
   * The probability of keeping each row, chosen such that columns that moved have the same
   * distribution in both samples; 0 where only one of the samples has rows.
   */
  double[] overlap() {
    double[] kept = new double[rows];
    Arrays.fill(kept, 1);
    for (int c = 0; c < bins.size(); c++) {
      if (move(c).distance >= LEAST_MOVE) {
        ColumnBins fine = bins.get(c).finer();
        double[][] counts = counts(fine);
        for (int i = 0; i < rows; i++) {
          int bin = fine.of(i);
          double old = counts[0][bin] / before;
          double young = counts[1][bin] / (rows - before);
          kept[i] *= Math.min(1, i < before ? young / old : old / young);
        }
      }
    }
    return kept;
  }

  private double[][] counts(ColumnBins column) {
    double[][] counts = new double[2][column.count()];
    for (int i = 0; i < rows; i++) {
      counts[i < before ? 0 : 1][column.of(i)]++;
    }
    return counts;
  }

  /** A changed effect of a column, with how labels went with it. */
  Changed effect(int c, double size, EffectWords words) {
    EffectWords.Pair pair = words.of(bins.get(c));
    return new Changed(view.name(columns.get(c)), size, pair.before(), pair.after());
  }

  private Changed changed(int c, double size, int bin) {
    ColumnBins column = bins.get(c);
    if (isYear(c)) {
      return new Changed(
          view.name(columns.get(c)),
          size,
          "median " + ColumnView.day(column.median(0, before)),
          "median " + ColumnView.day(column.median(before, rows)));
    }
    return new Changed(
        view.name(columns.get(c), parts.get(c)),
        size,
        column.text(0, before, bin),
        column.text(before, rows, bin));
  }

  /**
   * Whether a normal deviate may be chance, given the number of columns.
   *
   * @param tests the number of tests of each column
   */
  boolean isChance(double z, double tests) {
    return z < deviate(falseAlarm / Math.max(1, bins.size()) / tests);
  }

  /** The normal deviate with the same tail probability as a χ² (Wilson and Hilferty). */
  static double z(double chi, int degrees) {
    double part = 2.0 / (9 * degrees);
    return (StrictMath.cbrt(chi / degrees) - (1 - part)) / Math.sqrt(part);
  }

  /** The normal deviate that is exceeded with a small probability, to three digits. */
  private static double deviate(double probability) {
    double t = Math.sqrt(-2 * StrictMath.log(probability));
    double top = 2.515517 + t * (0.802853 + t * 0.010328);
    double bottom = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    return t - top / bottom;
  }
}
