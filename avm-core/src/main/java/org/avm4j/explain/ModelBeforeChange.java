package org.avm4j.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;

/**
 * How labels followed from columns before a change. Boosted trees learn the rule from the rows
 * before without a fifth, and answer this fifth, and a fifth of the rows after the change. A
 * learner that follows the stream would have adapted to the change already.
 */
final class ModelBeforeChange {
  /** The most classes with a residual of their own; all others share one. */
  private static final int MOST_CLASSES = 10;

  /** Rounds of boosting: enough to halve the residuals of smooth rules of a thousand rows. */
  private static final int ROUNDS = 25;

  /** Depth of the trees: pairs and triples of columns that act together. */
  private static final int DEPTH = 3;

  private static final double SHRINKAGE = 0.3;

  /** The most columns of a tree; of more, each tree draws some at random. */
  private static final int MOST_COLUMNS = 16;

  /** Parts of the rows, each of which is answered by a rule that was learned from the others. */
  private static final int PARTS = 5;

  private final double[] classes;
  private final boolean hasOthers;
  private final boolean isRegression;

  /** A rule for labels that are numbers, or classes that these rows have. */
  ModelBeforeChange(List<WatchedRow> rows, boolean isRegression) {
    this.isRegression = isRegression;
    classes = isRegression ? new double[0] : frequent(rows);
    hasOthers =
        !isRegression && rows.stream().anyMatch(row -> place(row.label()) == classes.length);
  }

  private static double[] frequent(List<WatchedRow> rows) {
    TreeMap<Double, Integer> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(row.label(), 1, Integer::sum));
    return counts.entrySet().stream()
        .sorted((a, b) -> Integer.compare(b.getValue(), a.getValue()))
        .limit(MOST_CLASSES)
        .mapToDouble(Map.Entry::getKey)
        .sorted()
        .toArray();
  }

  /** The index of the class of a label; one more than the last index for all other classes. */
  private int place(double label) {
    int at = Arrays.binarySearch(classes, label + 0.0);
    return at < 0 ? classes.length : at;
  }

  /** The number of scores: one for numbers and for two classes, else one for each class. */
  int outputs() {
    return isRegression || places() == 2 ? 1 : places();
  }

  private int places() {
    return classes.length + (hasOthers ? 1 : 0);
  }

  boolean isRegression() {
    return isRegression;
  }

  /** The target of a label: the number, or 1 for its class and 0 for others. */
  double[] target(double label) {
    if (isRegression) {
      return new double[] {label};
    }
    double[] target = new double[outputs()];
    int place = place(label);
    if (target.length == 1) {
      target[0] = place == 1 ? 1 : 0;
    } else if (place < target.length) {
      target[place] = 1;
    }
    return target;
  }

  /**
   * The scores of rows before, then of rows after: numbers, or log-odds of classes. Without two
   * classes before there is no rule, and all scores are 0.
   */
  double[][] scores(List<WatchedRow> before, List<WatchedRow> after) {
    double[][] found = new double[before.size() + after.size()][outputs()];
    if (!isRegression && places() < 2) {
      return found;
    }
    BoostedModel[] rules = new BoostedModel[PARTS];
    Arrays.setAll(rules, part -> model(without(before, part)));
    for (int i = 0; i < before.size(); i++) {
      rules[i % PARTS].score(before.get(i).x(), found[i]);
    }
    for (int i = 0; i < after.size(); i++) {
      rules[i % PARTS].score(after.get(i).x(), found[before.size() + i]);
    }
    return found;
  }

  private static List<WatchedRow> without(List<WatchedRow> rows, int part) {
    return IntStream.range(0, rows.size())
        .filter(i -> i % PARTS != part)
        .mapToObj(rows::get)
        .toList();
  }

  private BoostedModel model(List<WatchedRow> some) {
    TreeSet<Integer> columns = new TreeSet<>();
    List<Instance> rows = new ArrayList<>();
    for (WatchedRow row : some) {
      Features x = row.x();
      IntStream.range(0, x.count()).forEach(e -> columns.add(x.index(e)));
      rows.add(new Instance(x, isRegression ? row.label() : place(row.label())));
    }
    double part = Math.min(1, MOST_COLUMNS / (double) Math.max(1, columns.size()));
    int rounds = ROUNDS / (outputs() > 2 ? 2 : 1);
    double[] all = IntStream.range(0, places()).asDoubleStream().toArray();
    Boosting boosting =
        new Boosting(
            task(),
            isRegression ? new double[0] : all,
            rows,
            List.of(),
            BoostOptions.DEFAULT
                .withTrees(DEPTH, SHRINKAGE)
                .withRounds(rounds)
                .withSamples(1, part, 1));
    for (int round = 0; round < rounds; round++) {
      boosting.round();
    }
    return boosting.model(boosting.rounds());
  }

  private Task task() {
    if (isRegression) {
      return Task.regression();
    }
    return places() == 2 ? Task.binary() : Task.multiclass();
  }
}
