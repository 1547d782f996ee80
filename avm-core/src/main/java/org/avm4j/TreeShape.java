package org.avm4j;

import java.util.List;

/**
 * How a tree of machines looks.
 *
 * @param depth the longest way from the root to a leaf; 0 before the first split
 * @param regions the number of regions
 * @param points the number of core points of all machines together, the live one's included
 * @param leaves the leaves, in the order in which they came
 */
public record TreeShape(int depth, int regions, int points, List<Leaf> leaves) {
  /**
   * One leaf.
   *
   * @param depth its distance from the root
   * @param points the core points of its machine
   * @param share its part of the stream since it came
   * @param gate the part of its scores that count
   * @param lossBefore the mean squared loss of its latest instances by the machines above it
   * @param lossAfter the same with its own scores
   */
  public record Leaf(
      int depth, int points, double share, double gate, double lossBefore, double lossAfter) {}

  static TreeShape of(List<Region> regions, AgeGates ages, int live, long t) {
    int depth = regions.stream().mapToInt(region -> region.depth).max().orElse(0);
    int points = live + regions.stream().mapToInt(Region::size).sum();
    List<Leaf> leaves =
        regions.stream().filter(Region::isLeaf).map(region -> leaf(region, ages, t)).toList();
    return new TreeShape(depth, regions.size(), points, leaves);
  }

  private static Leaf leaf(Region region, AgeGates ages, long t) {
    double window = Math.max(1, Math.min(region.seen, Region.HORIZON));
    return new Leaf(
        region.depth,
        region.size(),
        region.share(t),
        ages.gate(region),
        region.lossBefore / window,
        region.lossAfter / window);
  }
}
