package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.points.CoreSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a tree does while it grows: it is planted, split, replanted, folded, and left alone. */
class TreeGrowthTest {
  /** Waves of many cells: far more detail than the root can hold. */
  static List<Instance> detail(Task task, int n, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double a = 4 * random.getAsDouble();
      double b = 4 * random.getAsDouble();
      double wave = Math.sin(4 * a) * Math.sin(4 * b);
      double label =
          switch (task.kind()) {
            case REGRESSION -> wave;
            case MULTICLASS -> wave > 0.3 ? 2 : wave < -0.3 ? 1 : 0;
            default -> wave >= 0 ? 1 : -1;
          };
      stream.add(new Instance(Features.dense(a, b), label));
    }
    return stream;
  }

  /** Labels that the features tell nothing of. */
  private static List<Instance> noise(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      Features x = Features.dense(random.getAsDouble(), random.getAsDouble());
      stream.add(new Instance(x, random.getAsDouble() < 0.5 ? 1 : -1));
    }
    return stream;
  }

  private static AvmTree tree(AvmOptions.Builder builder, int maxPoints) {
    TreeOptions small = TreeContractTest.small(builder);
    return new AvmTree(new TreeOptions(small.machine(), small.size(), small.ways(), maxPoints));
  }

  private static void learn(AvmTree tree, Instance instance) {
    tree.learn(instance.features(), instance.label(), instance.weight());
  }

  @Test
  @Tag("long")
  void detailMakesItSplitAndDoWithoutTheLiveMachine() {
    AvmTree tree = tree(AvmOptions.regression(), 2000);
    int deepest = 0;
    for (Instance instance : detail(tree.task(), 6000, 1)) {
      learn(tree, instance);
      deepest = Math.max(deepest, tree.shape().depth());
    }
    assertThat(deepest).isGreaterThan(1);
    assertThat(tree.hasLiveMachine()).isFalse();
  }

  @Test
  void onNoiseATreeIsPlantedAgainAndAgain() {
    AvmTree tree = tree(AvmOptions.binary(), 2000);
    int planted = 0;
    long before = 0;
    for (Instance instance : noise(6000, 2)) {
      learn(tree, instance);
      planted += tree.plantedAt() != before && tree.shape().depth() <= 1 ? 1 : 0;
      before = tree.plantedAt();
    }
    assertThat(planted).isGreaterThan(1);
    assertThat(tree.hasLiveMachine()).isTrue();
  }

  @Test
  @Tag("long")
  void atTheCapRegionsAreFoldedBackAndTheBoundHoldsForEver() {
    for (int maxPoints : new int[] {16, 32, 60, 100, 200}) {
      AvmTree tree = tree(AvmOptions.regression(), maxPoints);
      boolean hasFolded = false;
      SplitMix random = new SplitMix(3);
      for (int t = 0; t < 6000; t++) {
        double x = 4 * random.getAsDouble() + t / 1000 * 4;
        tree.learn(Features.dense(x, x), Math.sin(10 * x));
        hasFolded |= tree.growth().regions().stream().anyMatch(TreeGrowthTest::isFolded);
        assertThat(tree.growth().regions().size()).isLessThanOrEqualTo(tree.options().maxRegions());
        assertThat(tree.size()).isLessThanOrEqualTo(maxPoints);
      }
      assertThat(hasFolded).as("folded with %s points", maxPoints).isEqualTo(maxPoints >= 100);
      assertThat(tree.size()).isGreaterThanOrEqualTo(Math.min(maxPoints, 64) / 2);
    }
  }

  private static boolean isFolded(Region region) {
    return region.isLeaf() && region.foldedAt > 0;
  }

  private static Region folded(AvmTree tree) {
    return tree.growth().regions().stream().filter(TreeGrowthTest::isFolded).findAny().orElse(null);
  }

  /** What a fold gives up is what the children had learned; their parent learns on. */
  @Test
  void aFoldedRegionCountsAsItDidAndLearnsOn() {
    AvmTree tree = tree(AvmOptions.regression(), 100);
    SplitMix random = new SplitMix(3);
    Region folded = null;
    for (int t = 0; folded == null; t++) {
      double x = 4 * random.getAsDouble() + t / 1000 * 4;
      tree.learn(Features.dense(x, x), Math.sin(10 * x));
      folded = folded(tree);
    }
    assertThat(folded.seen).isGreaterThan(2L * tree.options().size());
    assertThat(folded.lossBefore).isPositive();
    assertThat(folded.kept.size()).isPositive();
    long known = folded.learner.instances();
    CoreSet core = folded.learner.parts().state().core();
    tree.learn(core.vector(0), 1e3);
    assertThat(folded.learner.instances()).isEqualTo(known + 1);
  }

  /** Without room for a split the tree is one machine, and no worse than it. */
  @Test
  void withoutRoomItIsOneMachine() {
    AvmTree tree = tree(AvmOptions.binary(), 40);
    Avm machine = new Avm(tree.options().machine());
    for (Instance instance : detail(tree.task(), 500, 4)) {
      assertThat(tree.score(instance.features())).isEqualTo(machine.score(instance.features()));
      learn(tree, instance);
      machine.learn(instance.features(), instance.label());
    }
    assertThat(tree.shape().regions()).isZero();
  }

  /** Corrections of 1e-100, whose squares vanish, open no gate and make no NaN. */
  @Test
  void aGateOfTinyCorrectionsIsANumber() {
    for (double tiny : new double[] {1e-60, 1e-100, 1e-160, 1e-200, 0}) {
      Gate gate = new Gate();
      for (int i = 0; i < 3; i++) {
        gate.add(tiny * 0.5, tiny * tiny, 0.9);
        assertThat(gate.value(0.3, 0.3)).isBetween(0.0, 1.0);
        assertThat(gate.cautious()).isBetween(0.0, 1.0);
      }
    }
  }

  @Test
  void aGateIsWhatWasDeserved() {
    Gate gate = new Gate();
    SplitMix random = new SplitMix(1);
    for (int i = 0; i < 2000; i++) {
      double correction = random.getAsDouble() - 0.5;
      double missing = 0.7 * correction + 0.01 * (random.getAsDouble() - 0.5);
      gate.add(correction * missing, correction * correction, 0.998);
    }
    assertThat(gate.value(0, 0.3)).isBetween(0.69, 0.71);
    assertThat(gate.value(0, 1e-9)).isLessThan(0.01);
  }
}
