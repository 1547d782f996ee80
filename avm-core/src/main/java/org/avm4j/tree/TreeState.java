package org.avm4j.tree;

import org.avm4j.Avm;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.step.ClassCounts;

/**
 * Everything that an {@link AvmTree} has learned, and that a file of kind {@code avm-tree} holds.
 * {@code n×} means a count (4), then the values; {@code «name»} is a section.
 *
 * <pre>
 * tree      «options», n× class (8), «counts» n× count of a class (8), instances (8), the one at
 *           which the tree was planted or last judged (8), loss of the live machine since then (8),
 *           of the tree (8), 24× gate by age, 24× gate of the mixture by age, has a live machine
 *           (1), if so «live» (learner), «recent» (rows), «thinning» n× instances of a class (8),
 *           then «regions»
 * gate      Σn (8), Σd (8), variance (8)
 * rows      room (4), n× [features, label (8), weight (8)]
 * regions   evidence for a kernel (8), splits (8), n× [place of the parent (4), «region»]
 * region    spread (8), birth (8), instances (8), those it began with (8), loss before its scores
 *           (8) and after (8), refused splits (4), gate, gate of the mixture, learns (1), «learner»
 *           or «frozen» (frozen machine), is split (1), if so «router» (core set), has rows (1), if
 *           so «kept» (rows), if it was folded «folded» instances then (8)
 * </pre>
 */
final class TreeState {
  private static final String THINNING = "thinning";

  final TreeOptions options;
  final Columns columns;
  final AgeGates ages;
  final AgeGates mixes;
  final TreeGrowth growth;
  ClassCounts counts;

  /** The machine that learns the whole stream, and its latest instances; null once dropped. */
  Avm live;

  RecentRows recent;
  ClassSubsampling subsampling;
  long t;

  /** The instance at which the tree was planted or judged last. */
  long plantedAt;

  /** The losses of the live machine and of the tree since then. */
  double liveLoss;

  double treeLoss;

  TreeState(TreeOptions options) {
    this.options = options;
    columns = options.machine().task().columns();
    counts = new ClassCounts(options.machine().classWeights());
    ages = new AgeGates(options.size());
    mixes = new AgeGates(options.size());
    growth = new TreeGrowth(options, columns, ages);
    live = new Avm(options.machine());
    subsampling = new ClassSubsampling(options.machine().maxSize());
    recent = new RecentRows(rows());
  }

  private int rows() {
    return 2 * options.machine().maxSize();
  }

  /** Replaces the tree by a new one, planted from the live machine. */
  void plant() {
    ages.clear();
    mixes.clear();
    growth.plant(live.parts().frozen(), recent, t);
    recent = new RecentRows(rows());
  }

  void dropLive() {
    live = null;
    recent = null;
  }

  /** The weight of the tree in the mixture, for instances of a leaf. */
  double weight(Region leaf) {
    return live == null ? 1 : mixes.value(leaf, leaf.mix);
  }

  /** The number of columns with the spare one. */
  int width() {
    return columns.count() + columns.spare();
  }

  void addClass(double label) {
    columns.add(label);
    growth.addClass(label);
    if (live != null) {
      live.parts().columnOf(label);
    }
  }

  /** The number of core points of all machines together. */
  int size() {
    int size = live == null ? 0 : live.size();
    return size + growth.regions().stream().mapToInt(Region::size).sum();
  }

  TreeState copy() {
    return ModelFile.copy(AvmTree.KIND, this::encode, TreeState::decode);
  }

  void encode(Encoder out) {
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

  static TreeState decode(Decoder in) throws ModelFileException {
    TreeState state = new TreeState(in.section("options", TreeOptions::decode));
    state.decodeRest(in);
    return state;
  }

  private void decodeRest(Decoder in) throws ModelFileException {
    columns.decode(in);
    counts =
        in.section("counts", s -> ClassCounts.decode(s, options.machine().classWeights(), columns));
    t = in.count("the instances");
    plantedAt = in.count("when the tree was planted");
    liveLoss = in.finite("a loss");
    treeLoss = in.finite("a loss");
    ages.decode(in);
    mixes.decode(in);
    if (in.bool()) {
      decodeLive(in);
    } else {
      dropLive();
    }
    in.section("regions", growth::decode);
    Decoder.check(live != null || growth.isPlanted(), "a machine or a tree must be there", t);
  }

  private void decodeLive(Decoder in) throws ModelFileException {
    int size = options.machine().maxSize();
    live = in.section("live", Avm::decode);
    options.checkRoot(live, columns);
    recent =
        in.section("recent", s -> RecentRows.decode(s, rows(), options.machine().task(), columns));
    int classes = Math.max(2, columns.count());
    subsampling =
        in.optional(THINNING, s -> ClassSubsampling.decode(s, size, classes)).orElse(subsampling);
  }
}
