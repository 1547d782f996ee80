package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

/** Regions of two trees, each made by hand. */
class TreeUnionTest {
  private static final TreeOptions OPTIONS = TreeContractTest.small(AvmOptions.multiclass());

  private final Columns columns = Columns.perClass(List.of(4.0, 7.0));
  private final TreeUnion union = new TreeUnion(columns, new int[] {1, 0, 2});

  /** A leaf that has learned one row of each class, the named one first. */
  private static Region leaf(Region parent, double gamma, int seen, double... labels) {
    Region leaf = new Region(parent, 1, 5);
    leaf.learner = new Avm(OPTIONS.below(Kernel.gaussian(gamma)));
    leaf.kept = new RecentRows(16);
    for (double label : labels) {
      Features x = Features.dense(label, 1);
      leaf.learner.learn(x, label);
      leaf.kept.add(x, label, 1);
    }
    leaf.seen = seen;
    return leaf;
  }

  private static Region split(Region region, double border) {
    region.router = Router.to(List.of(Features.dense(0), Features.dense(2 * border)));
    region.children = new Region[] {leaf(region, 1, 10, 4, 7), leaf(region, 1, 20, 4, 7)};
    region.kept = null;
    return region;
  }

  private static Region split(int seen, double border) {
    return split(leaf(null, 1, seen, 4, 7), border);
  }

  @Test
  void regionsAreSplitAlikeAroundTheSameCentresOfTheSamePoints() {
    assertThat(TreeUnion.isSame(split(1, 5), split(2, 5))).isTrue();
    assertThat(TreeUnion.isSame(split(1, 5), split(1, 6))).isFalse();
    Region other = split(leaf(null, 1, 1, 4), 5);
    assertThat(TreeUnion.isSame(split(1, 5), other)).isFalse();
  }

  @Test
  void twoLeavesWithEqualOptionsAddUp() {
    Region mine = leaf(null, 1, 30, 4, 7);
    union.merge(mine, leaf(null, 1, 90, 4, 7, 4));
    assertThat(mine.learner.instances()).isEqualTo(5);
    assertThat(mine.kept.size()).isEqualTo(5);
    assertThat(mine.seen).isEqualTo(120);
    assertThat(union.orphans()).isEmpty();
  }

  @Test
  void ofTwoLeavesThatDifferTheOneThatHasSeenMoreStays() {
    Region mine = leaf(null, 1, 30, 4, 7);
    RecentRows its = leaf(null, 2, 30, 4, 7).kept;
    Region equal = leaf(null, 2, 30, 4, 7);
    equal.kept = its;
    union.merge(mine, equal);
    assertThat(mine.learner.options().kernel()).isEqualTo(Kernel.gaussian(1));
    assertThat(union.orphans()).containsExactly(its);
    RecentRows own = mine.kept;
    Region heavier = leaf(null, 3, 61, 4, 7);
    union.merge(mine, heavier);
    assertThat(mine.learner.options().kernel()).isEqualTo(Kernel.gaussian(3));
    assertThat(mine.kept).isSameAs(heavier.kept);
    assertThat(mine.seen).isEqualTo(121);
    assertThat(union.orphans()).containsExactly(its, own);
  }

  @Test
  void whereBothWereSplitAlikeTheirChildrenAddUp() {
    Region mine = split(50, 5);
    union.merge(mine, split(70, 5));
    assertThat(mine.children[0].learner.instances()).isEqualTo(4);
    assertThat(mine.children[1].learner.instances()).isEqualTo(4);
    assertThat(mine.children[0].seen).isEqualTo(20);
    assertThat(mine.children[1].seen).isEqualTo(40);
    assertThat(mine.seen).isEqualTo(120);
    assertThat(union.orphans()).isEmpty();
  }

  @Test
  void theOneThatWasSplitStays() {
    Region mine = split(10, 5);
    Region its = leaf(null, 1, 90, 4, 7);
    union.merge(mine, its);
    assertThat(mine.isLeaf()).isFalse();
    assertThat(union.orphans()).containsExactly(its.kept);
    Region leaf = leaf(null, 1, 90, 4, 7);
    RecentRows kept = leaf.kept;
    Region other = split(10, 6);
    union.merge(leaf, other);
    assertThat(leaf.router).isSameAs(other.router);
    assertThat(leaf.children).hasSize(2);
    assertThat(leaf.kept).isNull();
    assertThat(leaf.children[1].parent).isSameAs(leaf);
    assertThat(leaf.children[1].seen).isEqualTo(20);
    assertThat(leaf.children[1].kept).isSameAs(other.children[1].kept);
    assertThat(leaf.children[1].born).isEqualTo(5);
    assertThat(union.orphans()).containsExactly(its.kept, kept);
  }

  @Test
  void ofTwoSplitsThatDifferTheOneThatHasSeenMoreStays() {
    Region mine = split(50, 5);
    Router router = mine.router;
    Region its = split(50, 6);
    union.merge(mine, its);
    assertThat(mine.router).isSameAs(router);
    assertThat(union.orphans()).containsExactly(its.children[0].kept, its.children[1].kept);
    Region heavier = split(101, 7);
    union.merge(mine, heavier);
    assertThat(mine.router).isSameAs(heavier.router);
    assertThat(union.orphans()).hasSize(4);
  }

  /** Its classes came in the other order. */
  @Test
  void whatIsTakenOverHasTheColumnsOfThisTree() {
    Region mine = leaf(null, 1, 30, 4, 7);
    Region its = leaf(null, 2, 90, 7, 4);
    double[] there = its.learner.score(Features.dense(7, 1));
    union.merge(mine, its);
    assertThat(mine.learner.parts().state().columns.appeared()).containsExactly(4, 7);
    assertThat(mine.learner.score(Features.dense(7, 1))).containsExactly(there, within(0.1));
    Region frozen = leaf(null, 1, 30, 4, 7);
    Region root = leaf(null, 1, 90, 7, 4);
    root.frozen = root.learner.parts().frozen();
    root.learner = null;
    double[] before = new double[3];
    root.score(Features.dense(4, 1), before);
    union.merge(frozen, root);
    double[] after = new double[3];
    frozen.score(Features.dense(4, 1), after);
    assertThat(frozen.learner).isNull();
    assertThat(after).containsExactly(before[1], before[0], before[2]);
  }
}
