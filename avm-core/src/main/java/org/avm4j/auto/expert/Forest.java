package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * A random forest (Breiman 2001) that forgets: decision trees over the latest rows, grown again
 * every {@link Constants#FOREST_EVERY} rows. The trees are grown from samples in which older rows
 * are rarer. If the labels depend on thresholds of single features, trees find these sooner than a
 * kernel.
 */
public final class Forest implements Expert {
  private final Task.Kind task;
  private final Inputs inputs;
  private final RowWindow rows;
  private List<DecisionTree> trees = List.of();
  private double[] classes = {0};
  private long seen;

  /** A forest without trees; if there are no features, it never gets any. */
  public Forest(Task.Kind task, Inputs inputs, int features) {
    this(task, inputs, new RowWindow(features, Constants.RECENT_ROWS));
  }

  private Forest(Task.Kind task, Inputs inputs, RowWindow rows) {
    this.task = task;
    this.inputs = inputs;
    this.rows = rows;
  }

  @Override
  public String name() {
    return "forest";
  }

  @Override
  public boolean isCostly() {
    return true;
  }

  @Override
  public double memory(long instances) {
    return rows.size();
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    rows.add(now.through(inputs), y);
    seen++;
    if (seen % Constants.FOREST_EVERY == 0 && rows.size() > 0) {
      plant();
    }
  }

  private void plant() {
    SplitMix random = new SplitMix(seen);
    ForestGrowth growth = new ForestGrowth(rows, task, random);
    List<DecisionTree> grown = new ArrayList<>();
    for (int i = 0; i < Constants.FOREST_TREES; i++) {
      grown.add(growth.grow(sample(random)));
    }
    trees = grown;
    classes = growth.classes();
  }

  /** Places of rows drawn with exponentially distributed ages, cut off at the oldest row. */
  private int[] sample(SplitMix random) {
    int[] sample = new int[rows.size()];
    for (int i = 0; i < sample.length; i++) {
      double age = rows.size();
      while (age >= rows.size()) {
        age = -Constants.FOREST_AGE * StrictMath.log(1 - random.getAsDouble());
      }
      sample[i] = rows.place((int) age);
    }
    return sample;
  }

  /** The number of leaves of all trees. */
  @Override
  public int size() {
    return trees.stream().mapToInt(DecisionTree::leaves).sum();
  }

  /**
   * Writes the mean answer of the trees: a number, or the share of each class mapped to [-1, 1].
   */
  @Override
  public void score(Moment now, double[] known, double[] into) {
    Arrays.fill(into, 0);
    if (trees.isEmpty()) {
      return;
    }
    float[] row = rows.dense(now.through(inputs));
    double[] means = new double[classes.length];
    for (DecisionTree tree : trees) {
      double[] values = tree.values(row);
      for (int c = 0; c < means.length; c++) {
        means[c] += values[c] / trees.size();
      }
    }
    boolean hasClasses = task == Task.Kind.MULTICLASS;
    for (int c = 0; c < into.length; c++) {
      int place = hasClasses ? Arrays.binarySearch(classes, known[c]) : 0;
      into[c] = place < 0 ? -1 : means[place];
    }
  }

  private boolean isAbovePrevious(int c) {
    return classes[c] > classes[c - 1];
  }

  /** A copy of the trees without the window of rows. */
  @Override
  public Forest freeze() {
    Forest same = new Forest(task, inputs, new RowWindow(rows.features(), 0));
    same.trees = trees;
    same.classes = classes;
    same.seen = seen;
    return same;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    encodeTrees(out);
  }

  /** Appends everything but the inputs. */
  public void encodeTrees(Encoder out) {
    out.section("rows", rows::encode);
    out.int64(seen);
    out.int32(classes.length);
    out.doubles(classes, classes.length);
    out.int32(trees.size());
    trees.forEach(tree -> tree.encode(out));
  }

  static Forest decode(Decoder in, SharedInputs shared, Task.Kind task) throws ModelFileException {
    return decode(in, shared.read(in), task);
  }

  /** Reads what {@link #encodeTrees} wrote. */
  public static Forest decode(Decoder in, Inputs inputs, Task.Kind task) throws ModelFileException {
    RowWindow rows =
        in.section("rows", section -> RowWindow.decode(section, Constants.RECENT_ROWS));
    Forest forest = new Forest(task, inputs, rows);
    forest.seen = in.count("the rows of a forest");
    int columns = in.int32("the classes of a forest", Constants.RECENT_ROWS);
    forest.classes = in.doubles(columns, columns);
    boolean isAscending =
        columns > 0 && IntStream.range(1, columns).allMatch(forest::isAbovePrevious);
    Decoder.check(isAscending, "the classes of a forest must ascend", columns);
    int count = in.int32("the trees of a forest", Constants.FOREST_TREES);
    List<DecisionTree> trees = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      trees.add(DecisionTree.decode(in, forest.rows.features(), columns));
    }
    forest.trees = trees;
    return forest;
  }
}
