package org.avm4j.tree;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;

/**
 * Merges what one tree has learned into another with the same root: first both get the same
 * classes, then their sums are added, and {@link TreeUnion} merges the regions.
 */
final class TreeMerge {
  private final TreeState mine;
  private final TreeState its;

  /** Checks that both fit, and copies the other one, which does not change. */
  TreeMerge(TreeState mine, TreeState other) {
    check(mine, other);
    this.mine = mine;
    its = other.copy();
  }

  private static void check(TreeState mine, TreeState other) {
    if (other == mine) {
      throw new IllegalArgumentException("a tree must be merged with another one");
    }
    boolean areEqual = mine.options.equals(other.options);
    String both = mine.options + " and " + other.options;
    Rules.require(areEqual, "trees to merge must have equal options", both);
    boolean isPlanted = mine.growth.isPlanted();
    boolean areSame =
        isPlanted == other.growth.isPlanted()
            && (!isPlanted || TreeUnion.isSame(mine.growth.root(), other.growth.root()));
    if (!areSame) {
      throw new IllegalArgumentException("trees to merge must have grown from the same root");
    }
  }

  /** Changes the first tree into the result. */
  void apply() {
    addClasses(its.columns.appeared(), mine);
    addClasses(mine.columns.appeared(), its);
    int[] columns = Arrays.stream(its.columns.appeared()).mapToInt(mine.columns::find).toArray();
    int[] classes = mine.columns.classNumbers(columns);
    mine.t += its.t;
    mine.plantedAt = Math.max(mine.plantedAt, its.plantedAt);
    mine.liveLoss += its.liveLoss;
    mine.treeLoss += its.treeLoss;
    mine.ages.merge(its.ages);
    mine.mixes.merge(its.mixes);
    mine.counts.merge(its.counts, classes);
    if (mine.growth.isPlanted()) {
      mine.growth.merge(its.growth, sources(), mine.t);
    }
    mergeLive(classes);
  }

  private static void addClasses(double[] labels, TreeState to) {
    for (double label : labels) {
      if (to.columns.find(label) == Columns.NONE) {
        to.addClass(label);
      }
    }
  }

  /** For each column here, the column of the other tree; the spare column keeps its place. */
  private int[] sources() {
    return IntStream.range(0, mine.width())
        .map(c -> c < mine.columns.count() ? its.columns.find(mine.columns.label(c)) : c)
        .toArray();
  }

  /** Merges the live machines; the result has none if either tree has dropped its own. */
  private void mergeLive(int[] classes) {
    if (mine.live == null || its.live == null) {
      mine.dropLive();
      return;
    }
    mine.live.merge(its.live);
    mine.recent.addAll(its.recent);
    mine.subsampling.merge(its.subsampling, classes);
  }
}
