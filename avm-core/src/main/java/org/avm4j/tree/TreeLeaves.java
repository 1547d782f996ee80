package org.avm4j.tree;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Status.TreeShape;
import org.avm4j.points.CoreSet;

/**
 * The leaves of an {@link AvmTree} as regions of the input space. This is a view, valid until the
 * tree learns again. A leaf is identified by its index in {@link TreeShape#leaves}.
 *
 * <p>Features are those that the tree sees: scaled ones, if the tree is part of a pipeline or of
 * automatic mode.
 */
public final class TreeLeaves {
  private final List<Region> regions;
  private final List<Region> leaves;
  private final Map<Region, Integer> places = new IdentityHashMap<>();

  TreeLeaves(List<Region> regions) {
    this.regions = regions;
    leaves = regions.stream().filter(Region::isLeaf).toList();
    leaves.forEach(leaf -> places.put(leaf, places.size()));
  }

  /** The number of leaves; 0 before the tree is planted. */
  public int count() {
    return leaves.size();
  }

  /** The leaf that an instance belongs to; the tree must have been planted. */
  public int of(Features x) {
    Region region = regions.get(0);
    while (!region.isLeaf()) {
      region = region.child(x);
    }
    return places.get(region);
  }

  /** The core points of the machine of a leaf. */
  public List<Features> corePoints(int leaf) {
    CoreSet core = leaves.get(leaf).core();
    return IntStream.range(0, core.size()).mapToObj(core::vector).toList();
  }

  /** The shape at instance t of a tree with a number of core points in all. */
  TreeShape shape(AgeGates ages, int size, long t) {
    int depth = regions.stream().mapToInt(region -> region.depth).max().orElse(0);
    List<TreeShape.Leaf> all = leaves.stream().map(leaf -> shape(leaf, ages, t)).toList();
    return new TreeShape(depth, regions.size(), size, all);
  }

  private static TreeShape.Leaf shape(Region leaf, AgeGates ages, long t) {
    double window = Math.max(1, Math.min(leaf.seen, Region.HORIZON));
    return new TreeShape.Leaf(
        leaf.depth,
        leaf.size(),
        leaf.share(t),
        ages.gate(leaf),
        leaf.lossBefore / window,
        leaf.lossAfter / window);
  }
}
