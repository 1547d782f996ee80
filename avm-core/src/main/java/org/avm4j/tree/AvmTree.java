package org.avm4j.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.ClassWeights;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Status.TreeShape;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.StatusBuilder;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;
import org.avm4j.points.FrozenMachine;
import org.avm4j.step.ClassCounts;

/**
 * A tree of machines that grows where the stream has detail: the δ-coverage of the paper at two and
 * more scales. Coarse cells route an instance, and the fine cells of one small machine learn it, so
 * that the cost of an instance does not depend on how many core points the tree holds.
 *
 * <p>One machine, the <em>live</em> one, learns the whole stream. Early on, a frozen copy of it
 * becomes the root of a tree. A region of the tree is split by k-means of its core points, and each
 * of its children learns to reduce the loss left by the frozen machines above it, with a narrower
 * kernel. The scores of a region are multiplied by a gate g in [0, 1] that measures how useful they
 * were lately, so that a young or useless region does no harm:
 *
 * <pre>s_d(x) = s_{d-1}(x) + g_d f_d(x),   s_0 = f_0.</pre>
 *
 * <p>The answer mixes the scores of the live machine and of the tree by a gate of the same kind.
 * Once the tree has proved better, the live machine is dropped; if the tree has proved worse, a new
 * one is planted from the live machine. So the answer is never clearly worse than that of the live
 * machine.
 *
 * <p>A leaf is split when its machine is full, it saves loss, its gate is open, and there is room.
 * At the cap on all points, the region that saves least is folded back into its parent to make room
 * for one that has more to gain.
 *
 * <p>A learner belongs to one thread. Classes and features may appear at any time.
 */
public final class AvmTree implements OnlineLearner {
  /** The kind of a file that holds a tree. */
  public static final String KIND = "avm-tree";

  /** The kind of a file that holds the frozen model of a tree. */
  public static final String MODEL_KIND = "avm-tree-model";

  private static final String THINNING = "thinning";

  /** The tree is planted after this multiple of the live machine's size, in instances. */
  private static final int PLANTED_AFTER = 4;

  /**
   * With forgetting, the interval between two judgements of the tree, as a multiple of the live
   * machine's size.
   */
  private static final int JUDGED_AFTER = 16;

  /**
   * Fraction of the live machine's loss that the tree must save before the live machine is dropped.
   */
  private static final double SAVED = 0.02;

  /**
   * Standard errors of the mean loss that the savings must exceed before the live machine is
   * dropped.
   */
  private static final double DEVIATIONS = 3;

  /** Weight in the mixture that the tree must have before the live machine is dropped. */
  private static final double ALONE = 0.85;

  /** Weight in the mixture below which a leaf, or a whole tree, does not grow. */
  private static final double ENOUGH = 0.25;

  /** Smallest gate of a leaf that may be split. */
  private static final double TRUSTED = 0.6;

  private final TreeOptions options;
  private Columns columns;
  private ClassCounts counts;
  private AgeGates ages;
  private AgeGates mixes;
  private TreeGrowth growth;
  private Correction correction;
  private Avm live;
  private ClassSubsampling subsampling;
  private RecentRows recent;
  private long t;
  private long plantedAt;
  private double liveLoss;
  private double treeLoss;
  private TreePath path;
  private double[] liveScores;
  private double[] answer;
  private double[] labels;

  /** An untrained tree. */
  public AvmTree(TreeOptions options) {
    this.options = options;
    reset();
  }

  @Override
  public void reset() {
    columns = options.machine().task().columns();
    counts = new ClassCounts(options.machine().classWeights());
    ages = new AgeGates(options.size());
    mixes = new AgeGates(options.size());
    growth = new TreeGrowth(options, columns, ages);
    correction = new Correction(options.machine().loss(), columns);
    live = new Avm(options.machine());
    subsampling = new ClassSubsampling(options.machine().maxSize());
    recent = new RecentRows(2 * options.machine().maxSize());
    t = 0;
    plantedAt = 0;
    liveLoss = 0;
    treeLoss = 0;
    path = new TreePath();
    knowClasses();
  }

  private void knowClasses() {
    liveScores = new double[width()];
    answer = new double[width()];
    labels = columns.labels();
  }

  private int width() {
    return columns.count() + columns.spare();
  }

  /** The options of this tree. */
  public TreeOptions options() {
    return options;
  }

  @Override
  public Task task() {
    return options.machine().task();
  }

  @Override
  public boolean hasLogits() {
    return options.machine().loss().hasLogits();
  }

  @Override
  public void learn(Features x, double y, double weight) {
    task().check(y);
    OnlineLearner.checkWeight(weight);
    measure(x);
    if (columns.find(y) == Columns.NONE) {
      addClass(y);
      measure(x);
    }
    t++;
    int own = columns.find(y);
    double weightInTree = weightInTree(y, weight);
    if (growth.isPlanted()) {
      learnInTree(x, y, weightInTree, own);
    }
    if (live != null) {
      recent.add(x, y, weightInTree);
      learnLive(x, y, weight);
      tend();
    }
  }

  private void learnLive(Features x, double y, double weight) {
    int times = options.forgets() ? 1 : subsampling.next(columns.classNumber(y));
    if (times > 0) {
      live.learn(x, y, Math.min(Rules.LARGEST_WEIGHT, times * weight));
    }
  }

  /**
   * The weight of an instance times that of its class, which is counted over the whole stream and
   * not per region.
   */
  private double weightInTree(double y, double weight) {
    int number = columns.classNumber(y);
    counts.count(number, weight);
    double product = weight * counts.weight(number, y);
    return Math.max(Double.MIN_NORMAL, Math.min(Rules.LARGEST_WEIGHT, product));
  }

  private void addClass(double label) {
    columns.add(label);
    growth.addClass(label);
    if (live != null) {
      live.parts().columnOf(label);
    }
    knowClasses();
  }

  private void learnInTree(Features x, double y, double weight, int own) {
    for (int d = 0; d <= path.depth(); d++) {
      judge(d, y, weight, own);
    }
    if (live != null) {
      judgeMixture(y, weight, own);
    }
    growth.learn(path, x, y, weight, own);
    Region leaf = path.leaf();
    if (growth.isReady(leaf) && isTrusted(leaf)) {
      growth.grow(leaf, t);
    }
  }

  private void judge(int d, double y, double weight, int own) {
    Region region = path.region(d);
    region.seen++;
    if (d > 0) {
      correction.measure(path.scores(d - 1), path.ungated(d), width(), own, y);
      correction.times(weight);
      region.judge(correction, region.keep());
      ages.add(region, correction);
    }
  }

  /** Judges the correction from the scores of the live machine to those of the tree. */
  private void judgeMixture(double y, double weight, int own) {
    Region leaf = path.leaf();
    correction.measure(liveScores, path.scores(), width(), own, y);
    correction.times(weight);
    liveLoss += correction.before;
    treeLoss += correction.after;
    leaf.mix.add(correction.num, correction.den, leaf.keep());
    mixes.add(leaf, correction);
  }

  private boolean isTrusted(Region leaf) {
    return ages.gate(leaf) >= TRUSTED && (live == null || mixes.value(leaf, leaf.mix) >= ENOUGH);
  }

  /** Plants or replants the tree, or drops the live machine, if it is time. */
  private void tend() {
    int size = options.machine().maxSize();
    if (!growth.isPlanted()) {
      boolean isRipe = t >= (long) PLANTED_AFTER * size && live.size() >= size;
      if (isRipe && options.hasRoomForATree()) {
        plant();
      }
    } else if (isTimeToJudge()) {
      if (isBetterAlone()) {
        live = null;
        recent = null;
      } else if (treeLoss >= liveLoss && mixes.pooled() < ENOUGH) {
        plant();
      }
      plantedAt = t;
      treeLoss = 0;
      liveLoss = 0;
    }
  }

  private boolean isBetterAlone() {
    double saved = Math.max(SAVED, DEVIATIONS / Math.sqrt(t - plantedAt));
    boolean isBetter = treeLoss < (1 - saved) * liveLoss && mixes.pooled() >= ALONE;
    return isBetter && !options.forgets();
  }

  /**
   * Whether the stream has doubled since the tree was planted or last judged or, with forgetting, a
   * fixed number of instances has passed.
   */
  private boolean isTimeToJudge() {
    return options.forgets()
        ? t - plantedAt >= (long) JUDGED_AFTER * options.machine().maxSize()
        : t >= 2 * plantedAt;
  }

  private void plant() {
    ages.clear();
    mixes.clear();
    growth.plant(live.parts().frozen(), recent, t);
    recent = new RecentRows(2 * options.machine().maxSize());
    plantedAt = t;
  }

  /** Computes the scores of x by column: a mixture of those of the live machine and of the tree. */
  private void measure(Features x) {
    if (live != null) {
      live.parts().scoreColumns(x, liveScores);
    }
    double part = 0;
    if (growth.isPlanted()) {
      path.walk(growth.root(), x, width(), ages);
      part = live == null ? 1 : mixes.value(path.leaf(), path.leaf().mix);
    }
    for (int c = 0; c < answer.length; c++) {
      answer[c] = part == 0 ? liveScores[c] : mixed(part, c);
    }
  }

  private double mixed(double part, int c) {
    double tree = path.scores()[c];
    return live == null ? tree : liveScores[c] + part * (tree - liveScores[c]);
  }

  @Override
  public int columns() {
    return columns.count();
  }

  @Override
  public double[] classes() {
    return labels.clone();
  }

  @Override
  public void score(Features x, double[] scores) {
    measure(x);
    for (int place = 0; place < columns.count(); place++) {
      scores[place] = answer[columns.at(place)];
    }
  }

  @Override
  public double predict(Features x) {
    return task().predict(score(x), labels);
  }

  /** The number of core points of all machines together. */
  @Override
  public int size() {
    int size = live == null ? 0 : live.size();
    for (Region region : growth.regions()) {
      size += region.size();
    }
    return size;
  }

  /** The number of instances learned. */
  public long instances() {
    return t;
  }

  /** The leaves as regions of the input space; valid until the next instance is learned. */
  public TreeLeaves leaves() {
    return new TreeLeaves(growth.regions());
  }

  /**
   * Adds what another tree with equal options learned from another part of the stream. Both must
   * have the same root: they are copies of one planted tree that went on separately, or neither has
   * been planted yet.
   *
   * <p>The sums of two leaves are added. With squared loss, and for leaves of the same core points
   * directly below the root, the result equals learning both parts as one stream. Otherwise it is
   * close to that: gates differ, and of two different splits only one is kept, which then learns
   * the instances stored in the leaves of the other. What both trees knew when they were copied
   * counts twice.
   *
   * @throws IllegalArgumentException if the options or the roots differ
   */
  public void merge(AvmTree other) {
    checkSame(other);
    AvmTree its = other.copy();
    shareClasses(its);
    t += its.t;
    plantedAt = Math.max(plantedAt, its.plantedAt);
    liveLoss += its.liveLoss;
    treeLoss += its.treeLoss;
    ages.merge(its.ages);
    mixes.merge(its.mixes);
    counts.merge(its.counts, columns.classNumbers(columnsOf(its)));
    if (growth.isPlanted()) {
      growth.merge(its.growth, sources(its), t);
    }
    mergeLive(its);
  }

  private void checkSame(AvmTree other) {
    if (other == this) {
      throw new IllegalArgumentException("a tree must be merged with another one");
    }
    boolean areEqual = options.equals(other.options);
    String both = options + " and " + other.options;
    Rules.require(areEqual, "trees to merge must have equal options", both);
    boolean areSame =
        growth.isPlanted() == other.growth.isPlanted()
            && (!growth.isPlanted() || TreeUnion.isSame(growth.root(), other.growth.root()));
    if (!areSame) {
      throw new IllegalArgumentException("trees to merge must have grown from the same root");
    }
  }

  private void shareClasses(AvmTree its) {
    for (double label : its.columns.appeared()) {
      if (columns.find(label) == Columns.NONE) {
        addClass(label);
      }
    }
    for (double label : columns.appeared()) {
      if (its.columns.find(label) == Columns.NONE) {
        its.addClass(label);
      }
    }
  }

  /** The column in this tree of each class of the other tree. */
  private int[] columnsOf(AvmTree its) {
    return Arrays.stream(its.columns.appeared()).mapToInt(columns::find).toArray();
  }

  /**
   * For each column of this tree, the column of the other tree; the spare column keeps its place.
   */
  private int[] sources(AvmTree its) {
    return IntStream.range(0, width())
        .map(c -> c < columns.count() ? its.columns.find(columns.label(c)) : c)
        .toArray();
  }

  /** Merges the live machines; the result has none if either tree has dropped its own. */
  private void mergeLive(AvmTree its) {
    if (live == null || its.live == null) {
      live = null;
      recent = null;
      return;
    }
    live.merge(its.live);
    recent.addAll(its.recent);
    subsampling.merge(its.subsampling, columns.classNumbers(columnsOf(its)));
  }

  /** Whether the live machine has not been dropped. */
  boolean hasLiveMachine() {
    return live != null;
  }

  /** The instance at which the tree was planted or judged last. */
  long plantedAt() {
    return plantedAt;
  }

  /** The regions of the tree. */
  TreeGrowth growth() {
    return growth;
  }

  /** The shape of the tree. */
  public TreeShape shape() {
    List<Region> regions = growth.regions();
    int depth = regions.stream().mapToInt(region -> region.depth).max().orElse(0);
    List<TreeShape.Leaf> leaves = regions.stream().filter(Region::isLeaf).map(this::shape).toList();
    return new TreeShape(depth, regions.size(), size(), leaves);
  }

  private TreeShape.Leaf shape(Region leaf) {
    double window = Math.max(1, Math.min(leaf.seen, Region.HORIZON));
    return new TreeShape.Leaf(
        leaf.depth,
        leaf.size(),
        leaf.share(t),
        ages.gate(leaf),
        leaf.lossBefore / window,
        leaf.lossAfter / window);
  }

  @Override
  public Status status() {
    int size = size();
    return new StatusBuilder(t, size, options.settings())
        .cells(size, size, options.machine().coverage().diameter())
        .tree(shape())
        .build();
  }

  @Override
  public Model snapshot() {
    FrozenMachine machine = live == null ? null : live.parts().frozen();
    TreeModel.Node root = growth.isPlanted() ? TreeModel.Node.of(growth.root(), ages, mixes) : null;
    return new TreeModel(options, columns, machine, root, t);
  }

  @Override
  public AvmTree copy() {
    return ModelFile.copy(this, AvmTree::decode);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", options::encode);
    columns.encode(out);
    out.section("counts", counts::encode);
    out.int64(t);
    out.int64(plantedAt);
    out.float64(liveLoss);
    out.float64(treeLoss);
    ages.encode(out);
    mixes.encode(out);
    out.bool(live != null);
    if (live != null) {
      out.section("live", live::encode);
      out.section("recent", recent::encode);
      out.section(THINNING, subsampling::encode);
    }
    out.section("regions", growth::encode);
  }

  /** The tree that {@link #encode} appended. */
  public static AvmTree decode(Decoder in) throws ModelFileException {
    AvmTree tree = new AvmTree(in.section("options", TreeOptions::decode));
    tree.columns.decode(in);
    ClassWeights classWeights = tree.options.machine().classWeights();
    tree.counts = in.section("counts", s -> ClassCounts.decode(s, classWeights, tree.columns));
    tree.knowClasses();
    tree.t = in.count("the instances");
    tree.plantedAt = in.count("when the tree was planted");
    tree.liveLoss = in.finite("a loss");
    tree.treeLoss = in.finite("a loss");
    tree.ages.decode(in);
    tree.mixes.decode(in);
    tree.live = null;
    tree.recent = null;
    if (in.bool()) {
      tree.live = in.section("live", Avm::decode);
      tree.options.checkRoot(tree.live, tree.columns);
      int rows = 2 * tree.options.machine().maxSize();
      tree.recent =
          in.section("recent", s -> RecentRows.decode(s, rows, tree.task(), tree.columns));
      tree.subsampling = tree.decodeSubsampling(in);
    }
    in.section("regions", tree::decodeRegions);
    Decoder.check(
        tree.live != null || tree.growth.isPlanted(), "a machine or a tree must be there", tree.t);
    return tree;
  }

  private ClassSubsampling decodeSubsampling(Decoder in) throws ModelFileException {
    int size = options.machine().maxSize();
    int classes = Math.max(2, columns.count());
    return in.optional(THINNING, s -> ClassSubsampling.decode(s, size, classes))
        .orElseGet(() -> new ClassSubsampling(size));
  }

  private TreeGrowth decodeRegions(Decoder in) throws ModelFileException {
    growth.decode(in);
    return growth;
  }

  /** Reads the encoded model that {@link #snapshot} returned. */
  public static Model decodeModel(Decoder in) throws ModelFileException {
    return TreeModel.decode(in);
  }

  /** The tree that was saved in a file; it goes on bit for bit as if it had never stopped. */
  public static AvmTree load(Path file) throws IOException {
    return ModelFile.open(file).read(Map.of(KIND, AvmTree::decode));
  }

  /** What it is and how large, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
