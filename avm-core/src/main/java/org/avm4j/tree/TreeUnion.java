package org.avm4j.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.avm4j.Avm;
import org.avm4j.codec.Encoder;
import org.avm4j.internal.Columns;

/**
 * Merges the regions of a tree into those of another with the same root. Both are walked in
 * parallel:
 *
 * <ul>
 *   <li>Leaves whose machines have equal options are merged by {@link Avm#merge}.
 *   <li>If both were split in the same way, their children are merged.
 *   <li>Otherwise the region that was split is kept or, if both were, the one that has seen more.
 *       It learns the instances stored in the leaves of the other.
 * </ul>
 */
final class TreeUnion {
  private final Columns columns;
  private final int[] source;
  private final List<RecentRows> orphans = new ArrayList<>();

  /** Column c here is column {@code source[c]} of the other tree. */
  TreeUnion(Columns columns, int[] source) {
    this.columns = columns;
    this.source = source;
  }

  /** The instances stored in the leaves that were dropped. */
  List<RecentRows> orphans() {
    return orphans;
  }

  /**
   * Whether two regions were split in the same way: from the same core points, around the same
   * centres.
   */
  static boolean isSame(Region mine, Region its) {
    return Arrays.equals(bytes(mine), bytes(its));
  }

  private static byte[] bytes(Region region) {
    return bytes(
        out -> {
          region.core().encode(out);
          region.router.encode(out);
        });
  }

  private static byte[] bytes(Consumer<Encoder> content) {
    Encoder out = new Encoder();
    content.accept(out);
    return out.toBytes();
  }

  /**
   * Merges a region of the other tree into a region of this one; the other must not be used
   * afterwards.
   */
  void merge(Region mine, Region its) {
    if (mine.isLeaf() && its.isLeaf()) {
      mergeLeaves(mine, its);
    } else if (!mine.isLeaf() && !its.isLeaf() && isSame(mine, its)) {
      for (int i = 0; i < mine.children.length; i++) {
        merge(mine.children[i], its.children[i]);
      }
    } else if (mine.isLeaf() || !its.isLeaf() && its.seen > mine.seen) {
      giveUp(mine);
      adopt(mine, its);
    } else {
      giveUp(its);
    }
    mine.take(its);
  }

  private void mergeLeaves(Region mine, Region its) {
    boolean addUp =
        mine.learner != null
            && its.learner != null
            && mine.learner.options().equals(its.learner.options());
    if (addUp) {
      mine.learner.merge(its.learner);
      mine.kept.addAll(its.kept);
    } else if (its.seen > mine.seen) {
      giveUp(mine);
      adopt(mine, its);
    } else {
      giveUp(its);
    }
  }

  /** Collects the instances stored in the leaves of a region that is dropped. */
  private void giveUp(Region region) {
    if (!region.isLeaf()) {
      Arrays.stream(region.children).forEach(this::giveUp);
    } else if (region.kept != null) {
      orphans.add(region.kept);
    }
  }

  /** Replaces a region of this tree by one of the other, with all regions below it. */
  private void adopt(Region mine, Region its) {
    mine.learner = its.learner == null ? null : reordered(its.learner);
    mine.frozen = its.frozen == null ? null : its.frozen.reordered(source);
    mine.router = its.router;
    mine.kept = its.kept;
    mine.children = its.isLeaf() ? null : new Region[its.children.length];
    for (int i = 0; !its.isLeaf() && i < its.children.length; i++) {
      Region child = its.children[i];
      mine.children[i] = new Region(mine, child.meanSquare, child.born);
      adopt(mine.children[i], child);
      mine.children[i].take(child);
    }
  }

  /** The machine with its classes in the order of this tree. */
  private Avm reordered(Avm machine) {
    if (Arrays.equals(machine.parts().state().columns.appeared(), columns.appeared())) {
      return machine;
    }
    Avm empty = new Avm(machine.options());
    for (double label : columns.appeared()) {
      empty.parts().columnOf(label);
    }
    empty.merge(machine);
    return empty;
  }
}
