package org.avm4j.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
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
import org.avm4j.points.FrozenMachine;

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

  private TreeState state;
  private TreeStep step;
  private TreePath path;
  private double[] liveScores;
  private double[] answer;
  private double[] labels;

  /** An untrained tree. */
  public AvmTree(TreeOptions options) {
    start(new TreeState(options));
  }

  private AvmTree(TreeState state) {
    start(state);
  }

  @Override
  public void reset() {
    start(new TreeState(options()));
  }

  private void start(TreeState from) {
    state = from;
    step = new TreeStep(from);
    path = new TreePath();
    knowClasses();
  }

  private void knowClasses() {
    liveScores = new double[state.width()];
    answer = new double[state.width()];
    labels = state.columns.labels();
  }

  /** The options of this tree. */
  public TreeOptions options() {
    return state.options;
  }

  @Override
  public Task task() {
    return options().machine().task();
  }

  @Override
  public boolean hasLogits() {
    return options().machine().loss().hasLogits();
  }

  @Override
  public void learn(Features x, double y, double weight) {
    task().check(y);
    OnlineLearner.checkWeight(weight);
    measure(x);
    if (state.columns.find(y) == Columns.NONE) {
      state.addClass(y);
      knowClasses();
      measure(x);
    }
    step.learn(path, liveScores, x, y, weight);
  }

  /** Computes the scores of x by column: a mixture of those of the live machine and of the tree. */
  private void measure(Features x) {
    if (hasLiveMachine()) {
      state.live.parts().scoreColumns(x, liveScores);
    }
    double part = 0;
    if (state.growth.isPlanted()) {
      path.walk(state.growth.root(), x, state.width(), state.ages);
      part = state.weight(path.leaf());
    }
    for (int c = 0; c < answer.length; c++) {
      answer[c] = part == 0 ? liveScores[c] : mixed(part, c);
    }
  }

  private double mixed(double part, int c) {
    double tree = path.scores()[c];
    return hasLiveMachine() ? liveScores[c] + part * (tree - liveScores[c]) : tree;
  }

  @Override
  public int columns() {
    return state.columns.count();
  }

  @Override
  public double[] classes() {
    return labels.clone();
  }

  @Override
  public void score(Features x, double[] scores) {
    measure(x);
    for (int place = 0; place < state.columns.count(); place++) {
      scores[place] = answer[state.columns.at(place)];
    }
  }

  @Override
  public double predict(Features x) {
    return task().predict(score(x), labels);
  }

  /** The number of core points of all machines together. */
  @Override
  public int size() {
    return state.size();
  }

  /** The number of instances learned. */
  public long instances() {
    return state.t;
  }

  /** The leaves as regions of the input space; valid until the next instance is learned. */
  public TreeLeaves leaves() {
    return new TreeLeaves(state.growth.regions());
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
    new TreeMerge(state, other.state).apply();
    knowClasses();
  }

  /** Whether the live machine has not been dropped. */
  boolean hasLiveMachine() {
    return state.live != null;
  }

  /** The instance at which the tree was planted or judged last. */
  long plantedAt() {
    return state.plantedAt;
  }

  /** The regions of the tree. */
  TreeGrowth growth() {
    return state.growth;
  }

  /** The shape of the tree. */
  public TreeShape shape() {
    return leaves().shape(state.ages, size(), state.t);
  }

  @Override
  public Status status() {
    int size = size();
    return new StatusBuilder(state.t, size, options().settings())
        .cells(size, size, options().machine().coverage().diameter())
        .tree(shape())
        .build();
  }

  @Override
  public Model snapshot() {
    FrozenMachine machine = hasLiveMachine() ? state.live.parts().frozen() : null;
    TreeModel.Node root =
        state.growth.isPlanted()
            ? TreeModel.Node.of(state.growth.root(), state.ages, state.mixes)
            : null;
    return new TreeModel(options(), state.columns, machine, root, state.t);
  }

  @Override
  public AvmTree copy() {
    return new AvmTree(state.copy());
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    state.encode(out);
  }

  /** The tree that {@link #encode} appended. */
  public static AvmTree decode(Decoder in) throws ModelFileException {
    return new AvmTree(TreeState.decode(in));
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
