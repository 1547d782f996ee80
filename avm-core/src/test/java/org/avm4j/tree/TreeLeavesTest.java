package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Status.TreeShape;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.junit.jupiter.api.Test;

class TreeLeavesTest {
  private static AvmTree tree() {
    AvmOptions machine =
        AvmOptions.binary()
            .kernel(Kernel.gaussian(2))
            .coverage(Coverage.sphere(AutoOptions.NO_DIAMETER))
            .update(Update.newton())
            .maxSize(16, Limit.MERGE)
            .build();
    return new AvmTree(new TreeOptions(machine, 8, 4, 1000));
  }

  private static AvmTree grown() {
    AvmTree tree = tree();
    Random random = new Random(1);
    for (int t = 0; t < 3000; t++) {
      Features x = point(random);
      boolean isDark = (int) (4 * x.get(0)) % 2 == (int) (4 * x.get(1)) % 2;
      tree.learn(x, isDark ? 1 : -1);
    }
    return tree;
  }

  private static Features point(Random random) {
    return Features.dense(random.nextDouble(), random.nextDouble());
  }

  @Test
  void leavesAreThoseOfTheShape() {
    AvmTree tree = grown();
    TreeLeaves leaves = tree.leaves();
    List<TreeShape.Leaf> shape = tree.shape().leaves();
    assertThat(leaves.count()).isEqualTo(shape.size()).isGreaterThan(4);
    for (int leaf = 0; leaf < leaves.count(); leaf++) {
      assertThat(leaves.corePoints(leaf)).hasSize(shape.get(leaf).points());
    }
  }

  @Test
  void everyLeafHoldsSomePlaceAndEveryPlaceHasALeaf() {
    TreeLeaves leaves = grown().leaves();
    Random random = new Random(2);
    int[] met = IntStream.range(0, 20_000).map(i -> leaves.of(point(random))).distinct().toArray();
    assertThat(met).hasSizeGreaterThan(leaves.count() / 2);
    for (int leaf : met) {
      assertThat(leaf).isBetween(0, leaves.count() - 1);
    }
  }

  @Test
  void aTreeThatIsNotPlantedHasNoLeaves() {
    assertThat(tree().leaves().count()).isZero();
  }

  @Test
  void theTreeIsSeenThroughAPipeline() {
    AvmTree tree = tree();
    assertThat(new Pipeline(Preparation.none(), tree).inspect(AvmTree.class)).containsSame(tree);
    assertThat(new Avm(AvmOptions.binary().build()).inspect(AvmTree.class)).isEmpty();
  }
}
