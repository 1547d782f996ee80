package org.avm4j.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.internal.Rules;
import org.avm4j.math.SplitMix;

/**
 * Measures the {@link Importance} of columns. The rows form a random cycle; to permute a column,
 * each row takes the value of the next one, so that no row keeps its own. Losses of the same rows
 * before and after are compared, from which standard errors and the figures of regions follow
 * without further answers.
 */
final class PermutationStudy {
  static final int MOST_COLUMNS = 40;

  private static final int FEWEST_ROWS = 100;
  private static final int SCREENED_ROWS = 10;
  private static final int MOST_SCREENED = 1_000;
  private static final int MOST_REGIONS = 3;
  private static final int FEWEST_IN_REGION = 50;
  private static final int NAMED_COLUMNS = 3;

  private final Model model;
  private final Schema schema;
  private final ColumnView view;
  private final List<Instance> rows;
  private final List<Integer> columns;
  private final int[] next;

  PermutationStudy(Model model, List<Instance> given, Schema schema, long seed, long answers) {
    if (model.task().isUnsupervised()) {
      throw new IllegalArgumentException(
          "the importance of columns is measured by the error, and a task without labels has none");
    }
    Rules.require(given.size() >= 2, "there must be two rows at least", given.size());
    this.model = model;
    this.schema = schema;
    view = new ColumnView(schema);
    List<Instance> most = given.subList(0, Math.min(Importance.MOST_ROWS, given.size()));
    columns = columns(most, circle(most.size(), seed));
    long affordable = answers / Math.max(1, columns.size());
    int enough = (int) Math.max(FEWEST_ROWS, affordable);
    rows = most.subList(0, Math.min(most.size(), enough));
    next = circle(rows.size(), seed);
  }

  /** The successor of each row in a random cycle of n rows. */
  private static int[] circle(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    int[] order = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = (int) (random.getAsDouble() * (i + 1));
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    int[] next = new int[n];
    for (int i = 0; i < n; i++) {
      next[order[i]] = order[(i + 1) % n];
    }
    return next;
  }

  private List<Integer> columns(List<Instance> all, int[] circle) {
    Map<Integer, Integer> counts = new TreeMap<>();
    all.forEach(row -> view.columns(row.features()).forEach(c -> counts.merge(c, 1, Integer::sum)));
    List<Integer> found = new ArrayList<>(counts.keySet());
    if (found.size() <= MOST_COLUMNS) {
      return found;
    }
    found.sort(Comparator.comparing(column -> -counts.get(column)));
    return screened(
        found.subList(0, Math.min(MOST_SCREENED, found.size())),
        all.subList(0, Math.min(SCREENED_ROWS, all.size())),
        Arrays.stream(circle).mapToObj(all::get).toList());
  }

  /** The columns that change the scores of a few rows most. */
  private List<Integer> screened(
      List<Integer> candidates, List<Instance> few, List<Instance> others) {
    List<double[]> before = few.stream().map(row -> model.score(row.features())).toList();
    Map<Integer, Double> moves = new TreeMap<>();
    for (int column : candidates) {
      double move = 0;
      for (int i = 0; i < few.size(); i++) {
        Features x = view.mixed(few.get(i).features(), others.get(i).features(), column);
        move += distance(before.get(i), model.score(x));
      }
      moves.put(column, move);
    }
    return moves.keySet().stream()
        .sorted(Comparator.comparing(column -> -moves.get(column)))
        .limit(MOST_COLUMNS)
        .toList();
  }

  private static double distance(double[] before, double[] after) {
    double sum = 0;
    for (int c = 0; c < before.length; c++) {
      sum += Math.abs(after[c] - before[c]);
    }
    return sum;
  }

  Importance importance() {
    double[] before = new double[rows.size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = loss(rows.get(i).features(), rows.get(i).label());
    }
    double[][] after = new double[columns.size()][];
    for (int c = 0; c < after.length; c++) {
      after[c] = losses(columns.get(c));
    }
    int[] all = IntStream.range(0, before.length).toArray();
    List<Importance.Rise> rises = rises(before, after, all);
    return new Importance(
        isRegression() ? "rmse" : "mistakeRate",
        before.length,
        figure(mean(before, all)),
        rises,
        regions(before, after, rises));
  }

  private double[] losses(int column) {
    double[] losses = new double[rows.size()];
    for (int i = 0; i < losses.length; i++) {
      Features other = rows.get(next[i]).features();
      losses[i] = loss(view.mixed(rows.get(i).features(), other, column), rows.get(i).label());
    }
    return losses;
  }

  private double loss(Features x, double label) {
    double answer = model.predict(x);
    return isRegression() ? (answer - label) * (answer - label) : answer == label ? 0 : 100;
  }

  private boolean isRegression() {
    return model.task().isRegression();
  }

  private double figure(double meanLoss) {
    return isRegression() ? Math.sqrt(meanLoss) : meanLoss;
  }

  private static double mean(double[] losses, int[] which) {
    double sum = 0;
    for (int i : which) {
      sum += losses[i];
    }
    return sum / which.length;
  }

  /** The rises over some of the rows, the largest first. */
  private List<Importance.Rise> rises(double[] before, double[][] after, int[] which) {
    List<Importance.Rise> rises = new ArrayList<>();
    for (int c = 0; c < after.length; c++) {
      rises.add(rise(view.name(columns.get(c)), before, after[c], which));
    }
    rises.sort(Comparator.comparingDouble(Importance.Rise::rise).reversed());
    return rises;
  }

  /**
   * The rise by one column. For a root mean square it is the rise of the mean square, divided by
   * the sum of both roots.
   */
  private Importance.Rise rise(String name, double[] before, double[] after, int[] which) {
    double was = mean(before, which);
    double is = mean(after, which);
    double squares = 0;
    for (int i : which) {
      double off = after[i] - before[i] - (is - was);
      squares += off * off;
    }
    double deviation = Math.sqrt(squares / Math.max(1, which.length - 1) / which.length);
    double roots = isRegression() ? figure(was) + figure(is) : 1;
    return roots == 0
        ? new Importance.Rise(name, 0, 0)
        : new Importance.Rise(name, (is - was) / roots, deviation / roots);
  }

  /** The largest regions that enough rows fell into, if there are several. */
  private List<Importance.Part> regions(
      double[] before, double[][] after, List<Importance.Rise> overall) {
    Map<Integer, List<Integer>> members =
        IntStream.range(0, rows.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    i -> model.regionOf(rows.get(i).features()),
                    TreeMap::new,
                    Collectors.toList()));
    if (members.size() < 2) {
      return List.of();
    }
    return members.values().stream()
        .filter(rowsOfOne -> rowsOfOne.size() >= FEWEST_IN_REGION)
        .sorted(Comparator.comparing(rowsOfOne -> -rowsOfOne.size()))
        .limit(MOST_REGIONS)
        .map(which -> region(which.stream().mapToInt(i -> i).toArray(), before, after, overall))
        .toList();
  }

  private Importance.Part region(
      int[] which, double[] before, double[][] after, List<Importance.Rise> overall) {
    return new Importance.Part(
        where(which, overall),
        which.length,
        figure(mean(before, which)),
        rises(before, after, which));
  }

  private String where(int[] which, List<Importance.Rise> overall) {
    UsualValues values = new UsualValues();
    for (int i : which) {
      values.add(rows.get(i).features());
    }
    Features usual = values.row(schema);
    List<String> names =
        overall.stream().limit(NAMED_COLUMNS).map(Importance.Rise::column).toList();
    return columns.stream()
        .filter(column -> names.contains(view.name(column)))
        .sorted(Comparator.comparing(column -> names.indexOf(view.name(column))))
        .map(column -> view.name(column) + " " + view.text(usual, column, ColumnView.ROUGH))
        .collect(Collectors.joining(", "));
  }
}
