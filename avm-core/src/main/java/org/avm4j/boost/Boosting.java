package org.avm4j.boost;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.internal.Rules;
import org.avm4j.math.SplitMix;

/**
 * Gradient boosting of decision trees (Friedman 2001) by second derivatives and histograms, as
 * XGBoost does it (Chen, Guestrin 2016): each tree minimises Σ_i (g_i f(x_i) + ½ h_i f(x_i)²) + ½ λ
 * Σ_leaves value², where g_i and h_i are the derivatives of the loss by the score of row i, and η
 * times the tree is added to the scores.
 *
 * <pre>{@code
 * Boosting boosting =
 *     new Boosting(Task.binary(), new double[] {-1, 1}, rows, held, BoostOptions.DEFAULT);
 * while (boosting.round()) {
 *   double[] losses = boosting.heldLosses();
 * }
 * BoostedModel model = boosting.model(boosting.rounds());
 * }</pre>
 *
 * <p>Memory: a byte for each row and column, 24 bytes for each row and score, and the trees.
 */
public final class Boosting {
  /** The most columns that trees use; of more, those that alone tell most of the label. */
  public static final int MOST_COLUMNS = BinnedRows.MOST_COLUMNS;

  private final Task task;
  private final BoostLoss loss;
  private final HoldoutLoss holdoutLoss;
  private final BoostOptions options;
  private final SplitMix random;
  private final double[] classes;
  private final int learned;
  private final BinnedRows bins;
  private final TreeGrower grower;
  private final double unit;
  private final double[] targets;
  private final float[] weights;
  private final double[] start;
  private final double[][] scores;
  private final BoostLoss.Derivatives derivatives;
  private final List<BoostedTree> trees = new ArrayList<>();
  private int rounds;

  /**
   * Trees that are still to be grown.
   *
   * @param classes the labels in ascending order; none for regression
   * @param rows the rows that are learned
   * @param held held-out rows, which are scored after each round but not learned
   * @throws IllegalArgumentException if there is no row to learn, or a label is not among the
   *     classes
   */
  public Boosting(
      Task task, double[] classes, List<Instance> rows, List<Instance> held, BoostOptions options) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("boosting needs a row to learn from");
    }
    this.task = task;
    this.options = options;
    this.classes = classes.clone();
    loss = BoostLoss.of(task);
    holdoutLoss = new HoldoutLoss(loss);
    random = new SplitMix(options.seed());
    learned = rows.size();
    List<Instance> all = new ArrayList<>(rows);
    all.addAll(held);
    unit = loss == BoostLoss.SQUARED ? deviation(rows) : 1;
    targets = all.stream().mapToDouble(row -> target(row.label())).toArray();
    weights = new float[all.size()];
    List<Features> features = new ArrayList<>();
    for (int r = 0; r < weights.length; r++) {
      weights[r] = (float) all.get(r).weight();
      features.add(all.get(r).features());
    }
    bins = new BinnedRows(features, learned, new ColumnChoice(targets, classes.length));
    grower = new TreeGrower(bins, options);
    start = loss.start(targets, weights, learned, classes.length);
    scores = new double[start.length][all.size()];
    for (int c = 0; c < start.length; c++) {
      Arrays.fill(scores[c], start[c]);
    }
    derivatives = new BoostLoss.Derivatives(start.length, learned);
  }

  /** Trees that learn all of some rows; the classes are those that occur in them. */
  public static Boosting of(Task.Kind kind, List<Instance> rows, BoostOptions options) {
    double[] classes = classes(kind, rows);
    Task task =
        switch (kind) {
          case REGRESSION -> Task.regression();
          case BINARY -> Task.binary();
          default -> Task.multiclass(classes);
        };
    return new Boosting(task, classes, rows, List.of(), options);
  }

  /**
   * The classes of some rows in ascending order: -1 and 1 for a binary task, none for regression.
   */
  public static double[] classes(Task.Kind kind, List<Instance> rows) {
    return switch (kind) {
      case REGRESSION -> new double[0];
      case BINARY -> new double[] {-1, 1};
      default -> rows.stream().mapToDouble(row -> row.label() + 0.0).distinct().sorted().toArray();
    };
  }

  /**
   * The standard deviation of labels, the unit in which numbers are learned; 1 if all are equal.
   */
  private static double deviation(List<Instance> rows) {
    double mean = rows.stream().mapToDouble(Instance::label).sum() / rows.size();
    double squares =
        rows.stream().mapToDouble(row -> (row.label() - mean) * (row.label() - mean)).sum();
    double deviation = Math.sqrt(squares / rows.size());
    return deviation > 0 && Double.isFinite(deviation) ? deviation : 1;
  }

  /** A number in units of the deviation, or the index of a class. */
  private double target(double label) {
    if (loss == BoostLoss.SQUARED) {
      task.check(label);
      return label / unit;
    }
    int place = Arrays.binarySearch(classes, label + 0.0);
    if (place < 0) {
      throw new IllegalArgumentException("a label must be one of the classes: " + label);
    }
    return place;
  }

  /** Grows a tree for every score; returns whether more rounds may follow. */
  public boolean round() {
    boolean mayGoOn = rounds < options.rounds();
    for (int c = 0; mayGoOn && c < scores.length; c++) {
      mayGoOn = grow();
    }
    return mayGoOn;
  }

  /** Grows the tree for the next score; returns whether more trees may follow. */
  public boolean grow() {
    if (rounds == options.rounds()) {
      return false;
    }
    int c = trees.size() % scores.length;
    if (c == 0) {
      loss.derive(scores, targets, weights, learned, derivatives);
    }
    Sample sample = sample();
    float[] first = derivatives.first[c];
    float[] second = derivatives.second[c];
    trees.add(grower.grow(sample.rows, sample.rest, columns(), first, second, scores[c]));
    rounds = trees.size() / scores.length;
    return rounds < options.rounds();
  }

  /**
   * An upper bound of the additions for one tree: of rows at each level, and of bins at each leaf.
   */
  public long work() {
    long level = (long) learned * bins.stores();
    long leaf = IntStream.range(0, bins.stores()).mapToLong(bins::bins).sum();
    return options.depth() * level + Math.min(1L << options.depth(), learned) * leaf;
  }

  /** The total gain of the cuts of each feature over all trees so far, for the first features. */
  public double[] gains(int features) {
    double[] gains = new double[features];
    for (int column = 0; column < bins.columns().size(); column++) {
      int feature = bins.columns().get(column).feature();
      if (feature < features) {
        gains[feature] += grower.gains()[column];
      }
    }
    return gains;
  }

  /** The number of trees so far. */
  public int trees() {
    return trees.size();
  }

  /** The number of trees after the last round. */
  public int mostTrees() {
    return options.rounds() * scores.length;
  }

  /** The rows that a tree is grown from, and all others. */
  private record Sample(NodeRows rows, NodeRows rest) {}

  private Sample sample() {
    int[] taken = new int[learned];
    int[] rest = new int[bins.rows()];
    int count = 0;
    int others = 0;
    boolean takesAll = options.rowPart() == 1;
    for (int r = 0; r < bins.rows(); r++) {
      boolean isTaken = r < learned && (takesAll || random.getAsDouble() < options.rowPart());
      if (isTaken) {
        taken[count++] = r;
      } else {
        rest[others++] = r;
      }
    }
    return new Sample(new NodeRows(taken, count), new NodeRows(rest, others));
  }

  /** The columns that the next tree may use, in ascending order. */
  private int[] columns() {
    int all = bins.columns().size();
    int count = all == 0 ? 0 : (int) Math.max(1, Math.rint(options.columnPart() * all));
    int[] drawn = IntStream.range(0, all).toArray();
    for (int i = 0; i < count && count < all; i++) {
      int other = i + random.nextInt(all - i);
      int column = drawn[i];
      drawn[i] = drawn[other];
      drawn[other] = column;
    }
    int[] some = Arrays.copyOf(drawn, count);
    Arrays.sort(some);
    return some;
  }

  /** The number of rounds so far. */
  public int rounds() {
    return rounds;
  }

  /** The scores of each held row; numbers are in units of the deviation of the labels. */
  double[][] heldScores() {
    double[][] held = new double[bins.rows() - learned][scores.length];
    for (int i = 0; i < held.length; i++) {
      for (int c = 0; c < scores.length; c++) {
        held[i][c] = scores[c][learned + i];
      }
    }
    return held;
  }

  /**
   * The loss of each held row: half the squared error, in units of the deviation of the labels, or
   * the log loss after all scores are multiplied by the factor that minimises it.
   */
  public double[] heldLosses() {
    return holdoutLoss.of(heldScores(), Arrays.copyOfRange(targets, learned, targets.length));
  }

  /** The trees of the first rounds. */
  public BoostedModel model(int firstRounds) {
    boolean areGrown = firstRounds >= 0 && firstRounds <= rounds;
    Rules.require(areGrown, "rounds must be from 0 to " + rounds, firstRounds);
    int[] features = bins.columns().stream().mapToInt(BinnedRows.Column::feature).toArray();
    List<BoostedTree> some = trees.subList(0, firstRounds * start.length);
    double[] constants = Arrays.stream(start).map(score -> score * unit).toArray();
    return BoostedModel.of(task, classes, features, constants, some, unit, learned);
  }
}
