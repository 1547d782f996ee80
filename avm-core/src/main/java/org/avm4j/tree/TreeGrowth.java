package org.avm4j.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.points.FrozenMachine;

/**
 * The regions of an {@link AvmTree}: how one is split into others, and how one is folded back when
 * there is no room.
 *
 * <p>A region is split by k-means of its core points. Its children first learn the instances that
 * it stored. Their kernels are narrower in proportion to the size of their regions. If the kernel
 * at the root is a function of the squared distance, a Laplacian kernel competes with it on those
 * instances; the results of earlier splits count too.
 */
final class TreeGrowth {
  /**
   * Largest share of the stored instances that one child may get; otherwise the split is refused.
   */
  private static final double LARGEST_SHARE = 0.8;

  /** Forgetting factor, per split, of the evidence for a kernel. */
  private static final double EVIDENCE_KEPT = 0.9;

  /** Evidence beyond which the losing kernel is tried at only one split of four. */
  private static final double SURE = 1;

  /**
   * A region may be folded back if it saves less than this fraction of the loss left in the leaf
   * that needs room.
   */
  private static final double FOLD = 0.05;

  private final TreeOptions options;
  private final Columns columns;
  private final AgeGates ages;
  private final Correction correction;
  private final TreePath path = new TreePath();
  private final List<Region> regions = new ArrayList<>();
  private double evidence;
  private long splits;

  TreeGrowth(TreeOptions options, Columns columns, AgeGates ages) {
    this.options = options;
    this.columns = columns;
    this.ages = ages;
    correction = new Correction(options.machine().loss(), columns);
  }

  /** All regions, each after its parent; empty before the tree is planted. */
  List<Region> regions() {
    return regions;
  }

  boolean isPlanted() {
    return !regions.isEmpty();
  }

  Region root() {
    return regions.get(0);
  }

  private int width() {
    return columns.count() + columns.spare();
  }

  /** Replaces all regions by a root with a frozen machine, and splits it. */
  void plant(FrozenMachine machine, RecentRows recent, long t) {
    regions.clear();
    Region root = new Region(null, Math.max(recent.meanSquare(), Region.LEAST_ROOT_SPREAD), t);
    root.frozen = machine;
    root.kept = recent;
    regions.add(root);
    split(root, t);
  }

  /** Whether a leaf is full, has seen enough instances, and saves loss. */
  boolean isReady(Region leaf) {
    return leaf.kept != null
        && (leaf.learner == null || leaf.size() >= full(leaf))
        && hasSeenEnough(leaf)
        && leaf.depth < TreePath.DEEPEST
        && (leaf.parent == null || leaf.lossBefore > leaf.lossAfter);
  }

  private boolean hasSeenEnough(Region leaf) {
    return leaf.seen - leaf.foldedAt >= 2L * full(leaf) << leaf.refusals;
  }

  /** The most points of a region's machine. */
  private int full(Region region) {
    return region.parent == null ? options.machine().maxSize() : options.size();
  }

  /** Splits a leaf. If there is no room, the region that saves the least is first folded back. */
  void grow(Region leaf, long t) {
    if (hasRoom() || makeRoom(leaf, t)) {
      split(leaf, t);
    } else {
      refuse(leaf);
    }
  }

  private boolean hasRoom() {
    return regions.size() + options.ways() <= options.maxRegions();
  }

  private static void refuse(Region leaf) {
    leaf.refusals = Math.min(Region.MOST_REFUSALS, leaf.refusals + 1);
  }

  private boolean makeRoom(Region leaf, long t) {
    while (!hasRoom()) {
      Optional<Region> least = leastUseful(leaf.parent, t);
      if (least.isEmpty() || savings(least.get(), t) >= FOLD * leaf.lossLeft(t)) {
        return false;
      }
      fold(least.get());
    }
    return true;
  }

  /**
   * Adds the regions of a tree with the same root. If there are too many then, those that save the
   * least are folded back.
   */
  void merge(TreeGrowth other, int[] source, long t) {
    TreeUnion union = new TreeUnion(columns, source);
    Region root = root();
    union.merge(root, other.root());
    regions.clear();
    list(root);
    evidence += other.evidence;
    splits += other.splits;
    while (regions.size() > options.maxRegions()) {
      leastUseful(null, t).ifPresent(this::fold);
    }
    union.orphans().forEach(rows -> learnAgain(rows, rows.size()));
  }

  private void list(Region region) {
    regions.add(region);
    for (int i = 0; !region.isLeaf() && i < region.children.length; i++) {
      list(region.children[i]);
    }
  }

  /** Learns the latest of some rows, up to a limit, in the leaves that they belong to now. */
  private void learnAgain(RecentRows rows, int most) {
    for (int i = Math.max(0, rows.size() - most); i < rows.size(); i++) {
      RecentRows.Row row = rows.get(i);
      path.walk(root(), row.x(), width(), ages);
      learn(path, row.x(), row.y(), row.weight(), columns.find(row.y()));
    }
  }

  private Optional<Region> leastUseful(Region kept, long t) {
    return regions.stream()
        .filter(region -> region != kept && isFoldable(region))
        .min(Comparator.comparingDouble(region -> savings(region, t)));
  }

  private static boolean isFoldable(Region region) {
    return region.parent != null
        && !region.isLeaf()
        && Arrays.stream(region.children).allMatch(Region::isLeaf);
  }

  private static double savings(Region region, long t) {
    return Arrays.stream(region.children).mapToDouble(child -> child.savings(t)).sum();
  }

  /**
   * Makes a region a leaf again. Its machine continues to learn, first the latest instances that
   * its children stored. It may be split again after the number of instances that a new leaf must
   * see.
   */
  private void fold(Region region) {
    Region[] folded = region.children;
    regions.removeAll(List.of(folded));
    region.children = null;
    region.router = null;
    region.kept = new RecentRows(keptRows());
    region.foldedAt = region.seen;
    region.refusals = 0;
    for (Region child : folded) {
      learnAgain(child.kept, keptRows() / folded.length);
    }
  }

  private int keptRows() {
    return 2 * options.size();
  }

  private void split(Region leaf, long t) {
    Clusters clusters = new Clusters(leaf.core(), options.ways());
    Router router = clusters.count() < 2 ? null : Router.to(clusters.centres());
    if (router == null || leaf.parent != null && isLopsided(router, leaf.kept)) {
      refuse(leaf);
      return;
    }
    leaf.router = router;
    splits++;
    leaf.children = children(leaf, clusters, t);
    leaf.kept = null;
    regions.addAll(List.of(leaf.children));
  }

  private static boolean isLopsided(Router router, RecentRows rows) {
    int[] counts = new int[router.ways()];
    for (int i = 0; i < rows.size(); i++) {
      counts[router.route(rows.get(i).x())]++;
    }
    return Arrays.stream(counts).max().orElse(0) > LARGEST_SHARE * rows.size();
  }

  /** The children with the better of two kernels, if there is a choice. */
  private Region[] children(Region leaf, Clusters clusters, long t) {
    boolean hasChoice = options.machine().kernel().isOfSquare();
    boolean isSettled = Math.abs(evidence) > SURE && splits % 4 != 0;
    boolean triesRoots = !hasChoice || !isSettled || evidence > 0;
    boolean triesLaplacian = hasChoice && (!isSettled || evidence < 0);
    Region[] same = triesRoots ? candidates(leaf, clusters, false, t) : null;
    double loss = triesRoots ? replay(leaf, same) : 0;
    if (!triesLaplacian) {
      return same;
    }
    Region[] other = candidates(leaf, clusters, true, t);
    double otherLoss = replay(leaf, other);
    if (!triesRoots) {
      return other;
    }
    double gain = loss > 0 && otherLoss > 0 ? StrictMath.log(otherLoss / loss) : 0;
    boolean isRootsBetter = gain + evidence >= 0;
    evidence = EVIDENCE_KEPT * evidence + gain;
    return isRootsBetter ? same : other;
  }

  private Region[] candidates(Region leaf, Clusters clusters, boolean laplacian, long t) {
    Region[] children = new Region[clusters.count()];
    for (int i = 0; i < children.length; i++) {
      children[i] = child(leaf, clusters.meanSquare(i), laplacian, t);
    }
    return children;
  }

  private Region child(Region leaf, double spread, boolean laplacian, long t) {
    double least = leaf.meanSquare * Region.LEAST_SPREAD;
    Region child = new Region(leaf, Math.max(Math.min(spread, leaf.meanSquare), least), t);
    child.learner = new Avm(machine(child.meanSquare, laplacian));
    if (!options.forgets()) {
      child.learner.parts().rememberExactly();
    }
    for (int c = 0; c < columns.count(); c++) {
      child.learner.parts().columnOf(columns.label(c));
    }
    child.kept = new RecentRows(keptRows());
    return child;
  }

  /** The options of a machine for a region of this spread. */
  private AvmOptions machine(double meanSquare, boolean laplacian) {
    double ratio = root().meanSquare / meanSquare;
    Kernel kernel = options.machine().kernel();
    double factor = kernel.isOfSquare() ? ratio : Math.sqrt(ratio);
    return options.below(
        laplacian
            ? Kernel.laplacian(1 / Math.sqrt(meanSquare))
            : kernel.withGamma(factor * kernel.gamma()));
  }

  /**
   * Trains children on the instances that their parent stored; returns the loss of the second half.
   */
  private double replay(Region leaf, Region[] children) {
    leaf.children = children;
    RecentRows rows = leaf.kept;
    double loss = 0;
    for (int i = 0; i < rows.size(); i++) {
      RecentRows.Row row = rows.get(i);
      path.walk(root(), row.x(), width(), ages);
      int own = columns.find(row.y());
      double[] scores = path.ungated(path.depth());
      boolean isJudged = 2 * i >= rows.size();
      loss += isJudged ? row.weight() * correction.loss(scores, width(), own, row.y()) : 0;
      path.leaf().seen++;
      learn(path, row.x(), row.y(), row.weight(), own);
    }
    for (Region child : children) {
      child.replayed = child.seen;
    }
    return loss;
  }

  /**
   * Lets the leaf of a path learn the residual of an instance, if there is any, and stores the
   * instance.
   */
  void learn(TreePath walked, Features x, double y, double weight, int own) {
    Region leaf = walked.leaf();
    int d = walked.depth();
    boolean isSettled =
        !options.forgets() && correction.isSettled(walked.ungated(d), columns.count(), own, y);
    if (d > 0 && leaf.learner != null && !isSettled) {
      leaf.learner.parts().learnBeside(walked.scores(d - 1), x, y, weight);
    }
    if (leaf.kept != null) {
      leaf.kept.add(x, y, weight);
    }
  }

  void addClass(double label) {
    regions.forEach(region -> region.addClass(label));
  }

  void encode(Encoder out) {
    out.float64(evidence);
    out.int64(splits);
    out.int32(regions.size());
    for (Region region : regions) {
      out.int32(regions.indexOf(region.parent));
      out.section("region", region::encode);
    }
  }

  /** Reads the regions into this, which is returned. */
  TreeGrowth decode(Decoder in) throws ModelFileException {
    evidence = in.finite("the evidence for a kernel");
    splits = in.count("the splits");
    int count = in.int32("the regions", options.maxRegions());
    int[] placed = new int[count];
    for (int i = 0; i < count; i++) {
      int parent = in.int32();
      boolean isKnown = parent < i && (i == 0 ? parent == -1 : parent >= 0);
      Decoder.check(isKnown, "the parent of a region must come before it", parent);
      Region above = i == 0 ? null : regions.get(parent);
      Region region = in.section("region", s -> Region.decode(s, above, options, columns));
      if (above != null) {
        place(above, region, placed[parent]++);
      }
      regions.add(region);
    }
    for (int i = 0; i < count; i++) {
      int ways = regions.get(i).isLeaf() ? 0 : regions.get(i).children.length;
      Decoder.check(placed[i] == ways, "a region must have " + ways + " children", placed[i]);
    }
    return this;
  }

  private static void place(Region above, Region region, int at) throws ModelFileException {
    boolean hasPlace = !above.isLeaf() && at < above.children.length;
    Decoder.check(hasPlace, "a region must have a place below its parent", at);
    Decoder.check(region.depth <= TreePath.DEEPEST, "a tree must not be so deep", region.depth);
    above.children[at] = region;
  }
}
