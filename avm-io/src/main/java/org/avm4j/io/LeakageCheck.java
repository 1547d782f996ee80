package org.avm4j.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Decimal;
import org.avm4j.data.Note;
import org.avm4j.data.Units;

/**
 * Looks for columns that give the label away (target leakage), alone or in pairs, and for columns
 * that are equal, in a random sample of the rows. Each column alone predicts the label: rows are
 * grouped by their text, or by the size of their number, and the answer to a row of one half of the
 * sample is the most common label, or the mean, of its group in the other half.
 */
final class LeakageCheck {
  private static final int MOST_ROWS = 2000;
  private static final int MOST_CELLS = 2_000_000;
  private static final int FEWEST_ROWS = 100;

  /**
   * A column gives the label away if predicting from it leaves at most this fraction of the
   * mistakes of a constant.
   */
  private static final double MISTAKES_LEFT = 0.1;

  /** The same for numeric labels, as a fraction of their variance. */
  private static final double VARIANCE_LEFT = 0.02;

  /** Rank correlation of a column with numeric labels that gives them away. */
  private static final double SAME_ORDER = 0.999;

  /** Maximum number of groups of numbers; also the maximum number of labels that are classes. */
  private static final int GROUPS = 50;

  /** Minimum number of rows in a group of numbers. */
  private static final int ROWS_OF_A_GROUP = 20;

  private final Random chance = new Random(1);
  private final List<String[]> rows = new ArrayList<>();
  private List<String> names;
  private int label;
  private long seen;
  private final NeighbourLabels neighbours = new NeighbourLabels();

  /** Adds a row to the sample; rows without a label or with other columns are ignored. */
  void add(Header header, String[] fields) {
    if (names == null) {
      names = header.names();
      label = header.label();
    }
    if (label < 0 || !names.equals(header.names())) {
      return;
    }
    neighbours.add(fields, label);
    if (fields[label] == null) {
      return;
    }
    seen++;
    int most = Math.min(MOST_ROWS, MOST_CELLS / fields.length);
    if (rows.size() < most) {
      rows.add(fields.clone());
    } else {
      long at = (long) (chance.nextDouble() * seen);
      if (at < most) {
        rows.set((int) at, fields.clone());
      }
    }
  }

  /** Replaces the texts of a column with units by plain numbers. */
  void replace(String name, Units units) {
    int column = names.indexOf(name);
    for (String[] row : rows) {
      double number = row[column] == null ? Double.NaN : units.number(row[column]);
      row[column] = Double.isNaN(number) ? null : Decimal.text(number);
    }
  }

  /** Notes for users; none if there are too few rows. */
  List<Note> notes(Map<String, ColumnKind> kinds, ColumnKind labelKind) {
    if (rows.size() < FEWEST_ROWS) {
      return List.of();
    }
    List<Note> notes = new ArrayList<>();
    Set<String> used = new LinkedHashSet<>(kinds.keySet());
    used.removeIf(name -> !names.contains(name) || kinds.get(name) == ColumnKind.IGNORED);
    for (String name : List.copyOf(used)) {
      if (decides(names.indexOf(name), kinds.get(name), labelKind)) {
        used.remove(name);
        notes.add(
            Note.warning(
                "column '"
                    + name
                    + "' alone nearly decides the label: is it known when you predict? --ignore"
                    + " leaves it out"));
      }
    }
    formula(used, kinds, labelKind).ifPresent(notes::add);
    notes.addAll(neighbours.notes(names, used));
    notes.addAll(same(kinds));
    return notes;
  }

  private Optional<Note> formula(
      Set<String> used, Map<String, ColumnKind> kinds, ColumnKind ofLabel) {
    if (ofLabel == null) {
      return Optional.empty();
    }
    LabelFormula formula = new LabelFormula(numbers(label, ofLabel));
    for (String name : used) {
      if (kinds.get(name).isNumeric()) {
        formula.add(name, numbers(names.indexOf(name), kinds.get(name)));
      }
    }
    return formula.warning();
  }

  /** The numbers in a column; NaN where there is none. */
  private double[] numbers(int column, ColumnKind kind) {
    return rows.stream()
        .mapToDouble(row -> row[column] == null ? Double.NaN : kind.number(row[column]))
        .toArray();
  }

  /** Notes on pairs of columns that have the same text in every row. */
  private List<Note> same(Map<String, ColumnKind> kinds) {
    Map<List<String>, String> first = new LinkedHashMap<>();
    List<Note> notes = new ArrayList<>();
    kinds.forEach(
        (name, kind) -> {
          int column = names.indexOf(name);
          if (column < 0 || kind == ColumnKind.IGNORED) {
            return;
          }
          List<String> texts = rows.stream().map(row -> row[column]).toList();
          boolean isConstant = texts.stream().distinct().limit(2).count() < 2;
          String other = isConstant ? null : first.putIfAbsent(texts, name);
          if (other != null) {
            notes.add(
                Note.of("columns '" + other + "' and '" + name + "' are the same in every row"));
          }
        });
    return notes;
  }

  private boolean decides(int column, ColumnKind kind, ColumnKind labelKind) {
    return decides(groups(column, kind), labelKind)
        || decides(present(column), labelKind)
        || hasSameOrder(column, kind, labelKind);
  }

  private boolean decides(int[] groups, ColumnKind labelKind) {
    if (labelKind == null || fewLabels()) {
      String[] labels = rows.stream().map(row -> row[label]).toArray(String[]::new);
      double constant = mistakes(new int[rows.size()], labels);
      return constant > 0 && mistakes(groups, labels) <= MISTAKES_LEFT * constant;
    }
    double[] labels = numbers(label, labelKind);
    double constant = squares(new int[rows.size()], labels);
    return constant > 0 && squares(groups, labels) <= VARIANCE_LEFT * constant;
  }

  /**
   * Whether the label rises or falls with the number in a column nearly without exception, as a
   * copy in another currency does: the rank correlation (Spearman) of the two is nearly 1 or -1.
   */
  private boolean hasSameOrder(int column, ColumnKind kind, ColumnKind labelKind) {
    if (labelKind == null || !kind.isNumeric() || fewLabels()) {
      return false;
    }
    List<double[]> pairs =
        rows.stream()
            .filter(row -> row[column] != null)
            .map(row -> new double[] {kind.number(row[column]), labelKind.number(row[label])})
            .filter(pair -> Double.isFinite(pair[0]) && Double.isFinite(pair[1]))
            .toList();
    double[] x = ranks(pairs.stream().mapToDouble(pair -> pair[0]).toArray());
    double[] y = ranks(pairs.stream().mapToDouble(pair -> pair[1]).toArray());
    return x.length >= FEWEST_ROWS && Math.abs(correlation(x, y)) >= SAME_ORDER;
  }

  /** The ranks of numbers; equal ones share the mean of theirs. */
  private static double[] ranks(double[] numbers) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    Map<Double, double[]> found = new HashMap<>();
    for (int i = 0; i < sorted.length; i++) {
      double[] of = found.computeIfAbsent(sorted[i], n -> new double[2]);
      of[0] += i;
      of[1]++;
    }
    return Arrays.stream(numbers).map(n -> found.get(n)[0] / found.get(n)[1]).toArray();
  }

  /** The correlation of two sequences; NaN if one is constant. */
  private static double correlation(double[] x, double[] y) {
    double meanX = Arrays.stream(x).average().orElse(0);
    double meanY = Arrays.stream(y).average().orElse(0);
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (int i = 0; i < x.length; i++) {
      xx += (x[i] - meanX) * (x[i] - meanX);
      xy += (x[i] - meanX) * (y[i] - meanY);
      yy += (y[i] - meanY) * (y[i] - meanY);
    }
    return xy / Math.sqrt(xx * yy);
  }

  private boolean fewLabels() {
    return rows.stream().map(row -> row[label]).distinct().count() <= GROUPS;
  }

  /** Groups rows by whether they have a value at all, which may tell more than the value. */
  private int[] present(int column) {
    return rows.stream().mapToInt(row -> row[column] == null ? 0 : 1).toArray();
  }

  /** Groups rows by their text or, if there are many different numbers, by size. */
  private int[] groups(int column, ColumnKind kind) {
    List<String> texts = rows.stream().map(row -> row[column]).toList();
    Map<String, Integer> found = new HashMap<>();
    int[] groups = new int[texts.size()];
    if (kind.isNumeric() && texts.stream().distinct().count() > GROUPS) {
      double[] sorted =
          texts.stream().filter(Objects::nonNull).mapToDouble(kind::number).sorted().toArray();
      Arrays.setAll(groups, r -> group(texts.get(r), kind, sorted));
    } else {
      Arrays.setAll(
          groups, r -> found.computeIfAbsent(String.valueOf(texts.get(r)), t -> found.size()));
    }
    return groups;
  }

  private static int group(String text, ColumnKind kind, double[] sorted) {
    if (text == null) {
      return -1;
    }
    int place = Arrays.binarySearch(sorted, kind.number(text));
    int most = Math.min(GROUPS, Math.max(1, sorted.length / ROWS_OF_A_GROUP));
    return (int) ((long) most * (place < 0 ? -place - 1 : place) / sorted.length);
  }

  private double mistakes(int[] groups, String[] labels) {
    int wrong = 0;
    for (int half = 0; half < 2; half++) {
      Map<Integer, Map<String, Integer>> counts = new HashMap<>();
      Map<String, Integer> all = new HashMap<>();
      for (int r = 1 - half; r < labels.length; r += 2) {
        counts.computeIfAbsent(groups[r], g -> new HashMap<>()).merge(labels[r], 1, Integer::sum);
        all.merge(labels[r], 1, Integer::sum);
      }
      for (int r = half; r < labels.length; r += 2) {
        wrong += commonest(counts.getOrDefault(groups[r], all)).equals(labels[r]) ? 0 : 1;
      }
    }
    return wrong;
  }

  private static String commonest(Map<String, Integer> counts) {
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private double squares(int[] groups, double[] labels) {
    double sum = 0;
    for (int half = 0; half < 2; half++) {
      int from = half;
      int[] known = IntStream.range(0, labels.length).filter(r -> r % 2 != from).toArray();
      double mean = Arrays.stream(known).mapToDouble(r -> labels[r]).average().orElse(0);
      Map<Integer, double[]> sums = new HashMap<>();
      for (int r : known) {
        double[] of = sums.computeIfAbsent(groups[r], g -> new double[2]);
        of[0] += labels[r];
        of[1]++;
      }
      for (int r = half; r < labels.length; r += 2) {
        double[] of = sums.get(groups[r]);
        double error = labels[r] - (of == null ? mean : of[0] / of[1]);
        sum += error * error;
      }
    }
    return sum;
  }
}
