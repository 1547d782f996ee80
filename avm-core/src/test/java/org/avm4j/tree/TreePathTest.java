package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

class TreePathTest {
  private static AvmTree grown() {
    TreeOptions small = TreeContractTest.small(AvmOptions.multiclass());
    AvmTree tree = new AvmTree(new TreeOptions(small.machine(), 8, 3, 2000));
    for (Instance row : TreeGrowthTest.detail(tree.task(), 900, 1)) {
      tree.learn(row.features(), row.label());
    }
    assertThat(tree.shape().depth()).isGreaterThan(1);
    return tree;
  }

  /** Three classes and one to come; the way down by hand. */
  @Test
  void theScoresAddUpByTheGatesOnTheWayToTheLeaf() {
    AvmTree tree = grown();
    AgeGates ages = new AgeGates(8);
    tree.growth().regions().forEach(region -> region.gate.add(0.25, 0.5, 1));
    TreePath path = new TreePath();
    int deepest = 0;
    for (int i = 0; i < 50; i++) {
      Features x = Features.dense(i % 7 * 0.6, i % 5 * 0.8);
      path.walk(tree.growth().root(), x, 4, ages);
      double[] total = new double[4];
      Region region = tree.growth().root();
      for (int d = 0; d <= path.depth(); d++) {
        assertThat(path.region(d)).isSameAs(region);
        double[] own = new double[4];
        region.score(x, own);
        for (int c = 0; c < 4; c++) {
          assertThat(path.ungated(d)[c]).isCloseTo(total[c] + own[c], within(1e-12));
          total[c] += (d == 0 ? 1 : ages.gate(region)) * own[c];
          assertThat(path.scores(d)[c]).isCloseTo(total[c], within(1e-12));
        }
        region = region.isLeaf() ? region : region.child(x);
      }
      assertThat(path.leaf()).isSameAs(region);
      assertThat(path.leaf().isLeaf()).isTrue();
      assertThat(path.scores()).isSameAs(path.scores(path.depth()));
      deepest = Math.max(deepest, path.depth());
    }
    assertThat(deepest).isGreaterThan(1);
  }
}
