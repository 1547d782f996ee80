package org.avm4j.boost;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.form.StatusBuilder;

/**
 * Boosted decision trees: each score of a row is a constant plus the sum of the values of the
 * leaves that the row belongs to. Scores of classes are log-odds.
 *
 * <p>In a file, kind {@code avm-boosted-model}: the task; the number of classes (4) and their
 * labels (8 each); the number of features in use (4) and their numbers (4 each); the constants; the
 * number of rows that were learned (8); the number of trees (4), a multiple of the number of
 * scores, and the trees, those of a round one behind the other.
 */
public final class BoostedModel implements Model, OpenModel {
  /** The kind of a file that holds such a model. */
  public static final String KIND = "avm-boosted-model";

  private static final int MOST_TREES = 1 << 24;

  private final Task task;
  private final double[] classes;
  private final int[] features;
  private final double[] start;
  private final BoostedTree[] trees;
  private final long instances;

  private BoostedModel(
      Task task,
      double[] classes,
      int[] features,
      double[] start,
      BoostedTree[] trees,
      long instances) {
    this.task = task;
    this.classes = classes;
    this.features = features;
    this.start = start;
    this.trees = trees;
    this.instances = instances;
  }

  /**
   * The model of trees over columns with these features; features that no tree uses are dropped.
   *
   * @param unit the factor on the values of leaves
   */
  static BoostedModel of(
      Task task,
      double[] classes,
      int[] columns,
      double[] start,
      List<BoostedTree> trees,
      double unit,
      long instances) {
    boolean[] isAsked = new boolean[columns.length];
    for (BoostedTree tree : trees) {
      for (int node = 0; node < tree.size(); node++) {
        if (!tree.isLeaf(node)) {
          isAsked[tree.slot(node)] = true;
        }
      }
    }
    int[] slots = new int[columns.length];
    int used = 0;
    for (int c = 0; c < columns.length; c++) {
      slots[c] = isAsked[c] ? used++ : -1;
    }
    int[] features =
        IntStream.range(0, columns.length).filter(c -> isAsked[c]).map(c -> columns[c]).toArray();
    BoostedTree[] kept =
        trees.stream().map(tree -> tree.in(slots, unit)).toArray(BoostedTree[]::new);
    return new BoostedModel(task, classes, features, start, kept, instances);
  }

  @Override
  public Task task() {
    return task;
  }

  @Override
  public int columns() {
    return start.length;
  }

  @Override
  public double[] classes() {
    return classes.clone();
  }

  @Override
  public boolean hasLogits() {
    return classes.length > 0;
  }

  @Override
  public void score(Features x, double[] scores) {
    double[] row = row(x);
    System.arraycopy(start, 0, scores, 0, start.length);
    for (int t = 0, c = 0; t < trees.length; t++) {
      scores[c] += trees[t].value(row);
      c = c + 1 == start.length ? 0 : c + 1;
    }
  }

  /** The values of the features in use. */
  private double[] row(Features x) {
    double[] row = new double[features.length];
    for (int e = 0, i = 0; e < x.count() && i < row.length; ) {
      int order = Integer.compare(x.index(e), features[i]);
      if (order == 0) {
        row[i] = x.value(e);
      }
      e += order <= 0 ? 1 : 0;
      i += order >= 0 ? 1 : 0;
    }
    return row;
  }

  @Override
  public Prediction answer(Features x) {
    double[] scores = score(x);
    return new Prediction(task().predict(scores, classes()), classes(), scores);
  }

  @Override
  public ModelForm form() {
    List<Double> constants = Arrays.stream(start).boxed().toList();
    return new ModelForm.Boosted(
        constants, Arrays.stream(trees).map(tree -> tree.form(features)).toList());
  }

  /** The number of rounds. */
  public int rounds() {
    return trees.length / start.length;
  }

  /** {@inheritDoc} The size is the number of leaves. */
  @Override
  public Status status() {
    int leaves = Arrays.stream(trees).mapToInt(BoostedTree::leaves).sum();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("name", "boosted trees");
    settings.put("task", task.word());
    settings.put("rounds", rounds());
    settings.put("trees", trees.length);
    return new StatusBuilder(instances, leaves, settings).cells(0, 0, Double.NaN).build();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    task.encode(out);
    out.counted(classes);
    out.int32(features.length);
    out.ints(features);
    out.doubles(start, start.length);
    out.int64(instances);
    out.list(List.of(trees), BoostedTree::encode);
  }

  /** The model that was appended. */
  public static BoostedModel decode(Decoder in) throws ModelFileException {
    Task task = Task.decode(in);
    boolean isSupervised = task.kind() != Task.Kind.ANOMALY;
    Decoder.check(isSupervised, "trees must be boosted for a task with labels", task.word());
    double[] classes = in.counted("the classes", Integer.MAX_VALUE);
    checkClasses(task, classes);
    int used = in.int32("the features", BinnedRows.MOST_COLUMNS);
    int[] features = in.ints("a feature", used, Features.MAX_DIMENSION - 1);
    Decoder.checkAscending("features", Arrays.stream(features).asDoubleStream().toArray());
    int columns = BoostLoss.of(task).columns(classes.length);
    double[] start = in.doubles(columns, columns);
    long instances = in.count("the rows that were learned");
    return new BoostedModel(task, classes, features, start, trees(in, columns, used), instances);
  }

  private static void checkClasses(Task task, double[] classes) throws ModelFileException {
    boolean isRight =
        switch (task.kind()) {
          case BINARY -> classes.length == 2;
          case MULTICLASS -> classes.length > 0;
          default -> classes.length == 0;
        };
    Decoder.check(isRight, "the classes must be those of the task", classes.length);
    Decoder.checkAscending("labels", classes);
  }

  private static BoostedTree[] trees(Decoder in, int columns, int slots) throws ModelFileException {
    List<BoostedTree> trees =
        in.list("the trees", MOST_TREES, tree -> BoostedTree.decode(tree, slots));
    boolean areWhole = trees.size() % columns == 0;
    Decoder.check(areWhole, "each round must have a tree for every score", trees.size());
    return trees.toArray(BoostedTree[]::new);
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return "boosted trees, "
        + task.word()
        + ": "
        + rounds()
        + " rounds, "
        + trees.length
        + " trees";
  }
}
