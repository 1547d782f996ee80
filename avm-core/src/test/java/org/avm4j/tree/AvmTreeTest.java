package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A tree as a learner: from its first instance, over planting, to the end of the live machine. */
class AvmTreeTest {
  private static final Features PROBE = Features.dense(1.3, 2.1);

  static List<TreeOptions> forms() {
    return List.of(
        roomy(AvmOptions.binary()),
        roomy(AvmOptions.multiclass().classWeights(ClassWeights.balanced())),
        roomy(AvmOptions.regression()),
        roomy(AvmOptions.binary().forgetting(Forgetting.horizon(100))),
        roomy(AvmOptions.regression().kernel(Kernel.laplacian(1))));
  }

  private static TreeOptions roomy(AvmOptions.Builder builder) {
    TreeOptions small = TreeContractTest.small(builder);
    return new TreeOptions(small.machine(), small.size(), small.ways(), 2000);
  }

  private static List<Instance> rows(AvmTree tree, int n) {
    return TreeGrowthTest.detail(tree.task(), n, 1);
  }

  private static AvmTree learned(TreeOptions options, int n) {
    AvmTree tree = new AvmTree(options);
    rows(tree, n).forEach(row -> tree.learn(row.features(), row.label()));
    return tree;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void itGoesOnBitForBitFromAFileAtAnyTime(TreeOptions options) throws IOException {
    AvmTree whole = new AvmTree(options);
    AvmTree resumed = new AvmTree(options);
    for (Instance row : rows(whole, 500)) {
      if (whole.instances() % 83 == 40) {
        resumed = (AvmTree) OnlineLearner.fromBytes(resumed.toBytes());
        assertThat(resumed.score(PROBE)).isEqualTo(whole.score(PROBE));
      }
      whole.learn(row.features(), row.label());
      resumed.learn(row.features(), row.label());
    }
    assertThat(resumed.toBytes()).isEqualTo(whole.toBytes());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void itsModelAnswersAsItDoesAtAnyTime(TreeOptions options) throws IOException {
    AvmTree tree = new AvmTree(options);
    for (Instance row : rows(tree, 500)) {
      tree.learn(row.features(), row.label());
      if (tree.instances() % 83 == 40) {
        TreeModel model = (TreeModel) tree.snapshot();
        TreeModel read = ModelFile.copy(model, TreeModel::decode);
        double[] scores = tree.score(PROBE);
        assertThat(model.score(PROBE)).containsExactly(scores, within(1e-9));
        assertThat(read.score(PROBE)).isEqualTo(model.score(PROBE));
        assertThat(model.predict(PROBE)).isEqualTo(tree.predict(PROBE), within(1e-9));
        assertThat(model.classes()).isEqualTo(tree.classes());
        assertThat(model.status().size()).isEqualTo(tree.size());
        assertThat(model.status().instances()).isEqualTo(tree.instances());
      }
    }
  }

  /** Until the root is full and has met four times its size there is one machine. */
  @Test
  void itIsPlantedWhenTheRootIsRipe() {
    AvmTree tree = new AvmTree(roomy(AvmOptions.regression()));
    Avm machine = new Avm(tree.options().machine());
    for (Instance row : rows(tree, 64)) {
      assertThat(tree.growth().isPlanted()).isFalse();
      assertThat(tree.score(row.features())).isEqualTo(machine.score(row.features()));
      tree.learn(row.features(), row.label());
      machine.learn(row.features(), row.label());
    }
    assertThat(tree.growth().isPlanted()).isTrue();
    assertThat(tree.plantedAt()).isEqualTo(64);
    assertThat(tree.shape().regions()).isEqualTo(4);
    assertThat(tree.shape().depth()).isEqualTo(1);
  }

  /** All rows are one point, so that the root is never full. */
  @Test
  void itIsNotPlantedWhileTheRootHasRoom() {
    AvmTree tree = new AvmTree(roomy(AvmOptions.regression()));
    for (int t = 0; t < 200; t++) {
      tree.learn(PROBE, t % 3);
    }
    assertThat(tree.growth().isPlanted()).isFalse();
    assertThat(tree.size()).isEqualTo(1);
  }

  @Test
  void itIsJudgedWheneverTheStreamHasDoubled() {
    AvmTree tree = new AvmTree(roomy(AvmOptions.binary()));
    long before = 0;
    for (Instance row : rows(tree, 1200)) {
      tree.learn(row.features(), -row.label() * (tree.instances() % 2 == 0 ? 1 : -1));
      if (tree.plantedAt() != before) {
        assertThat(tree.plantedAt()).isEqualTo(before == 0 ? 64 : 2 * before);
        before = tree.plantedAt();
      }
    }
    assertThat(before).isEqualTo(1024);
    assertThat(tree.hasLiveMachine()).isTrue();
  }

  /** Every 16 times the size of the root. */
  @Test
  void whereInstancesAreForgottenItIsJudgedAgainAndAgain() {
    AvmTree tree = new AvmTree(roomy(AvmOptions.regression().forgetting(Forgetting.horizon(200))));
    long before = 0;
    for (Instance row : rows(tree, 900)) {
      tree.learn(row.features(), row.label());
      if (tree.plantedAt() != before) {
        assertThat(tree.plantedAt()).isEqualTo(before == 0 ? 64 : before + 256);
        before = tree.plantedAt();
      }
    }
    assertThat(before).isEqualTo(64 + 3 * 256);
    assertThat(tree.hasLiveMachine()).isTrue();
  }

  /** A tree that has proved better does without the machine that it grew from. */
  @Test
  void theLiveMachineIsGivenUpOnceTheTreeIsBetter() throws IOException {
    AvmTree tree = new AvmTree(roomy(AvmOptions.regression()));
    for (Instance row : rows(tree, 6000)) {
      if (tree.hasLiveMachine()) {
        tree.learn(row.features(), row.label());
      }
    }
    assertThat(tree.hasLiveMachine()).isFalse();
    assertThat(tree.plantedAt()).isEqualTo(tree.instances());
    AvmTree read = (AvmTree) OnlineLearner.fromBytes(tree.toBytes());
    assertThat(read.score(PROBE)).isEqualTo(tree.score(PROBE));
    assertThat(tree.snapshot().score(PROBE)).containsExactly(tree.score(PROBE), within(1e-9));
    for (Instance row : TreeGrowthTest.detail(tree.task(), 100, 2)) {
      tree.learn(row.features(), row.label());
      read.learn(row.features(), row.label());
    }
    assertThat(read.toBytes()).isEqualTo(tree.toBytes());
  }

  @Test
  void theSizeIsThatOfAllMachines() {
    for (int n : new int[] {30, 300, 1500}) {
      AvmTree tree = learned(roomy(AvmOptions.regression()), n);
      Status status = tree.status();
      int points = tree.growth().regions().stream().mapToInt(Region::size).sum();
      int live = tree.size() - points;
      assertThat(live).isEqualTo(tree.hasLiveMachine() ? 16 : 0);
      assertThat(status.size()).isEqualTo(tree.size());
      assertThat(status.instances()).isEqualTo(n).isEqualTo(tree.instances());
      assertThat(tree.shape().points()).isEqualTo(tree.size());
      assertThat(tree.toString()).isEqualTo(status.summary()).isNotEmpty();
    }
  }

  @Test
  void theShapeTellsWhatEachLeafDoes() {
    AvmTree tree = learned(roomy(AvmOptions.regression()), 900);
    List<Region> leaves = tree.growth().regions().stream().filter(Region::isLeaf).toList();
    Status.TreeShape shape = tree.shape();
    assertThat(shape.leaves()).hasSameSizeAs(leaves);
    assertThat(shape.regions()).isEqualTo(tree.growth().regions().size());
    assertThat(shape.depth()).isGreaterThan(1);
    for (int i = 0; i < leaves.size(); i++) {
      Region region = leaves.get(i);
      Status.TreeShape.Leaf leaf = shape.leaves().get(i);
      double window = Math.max(1, Math.min(region.seen, 500));
      assertThat(leaf.depth()).isEqualTo(region.depth);
      assertThat(leaf.points()).isEqualTo(region.size());
      assertThat(leaf.share()).isEqualTo(region.share(900));
      assertThat(leaf.gate()).isBetween(0.0, 1.0);
      assertThat(leaf.lossBefore()).isEqualTo(region.lossBefore / window);
      assertThat(leaf.lossAfter()).isEqualTo(region.lossAfter / window);
    }
  }

  @Test
  void whatIsRefusedChangesNothing() {
    AvmTree tree = learned(roomy(AvmOptions.binary()), 300);
    byte[] before = tree.toBytes();
    assertThatThrownBy(() -> tree.learn(PROBE, 0)).hasMessageContaining("must be -1 or +1");
    assertThatThrownBy(() -> tree.learn(PROBE, 1, -1)).hasMessageContaining("weight");
    assertThat(tree.toBytes()).isEqualTo(before);
  }

  @Test
  void scoringChangesNothingAndACopyGoesItsOwnWay() {
    AvmTree tree = learned(roomy(AvmOptions.multiclass()), 400);
    byte[] before = tree.toBytes();
    tree.score(PROBE);
    assertThat(tree.predict(PROBE)).isIn(0.0, 1.0, 2.0);
    AvmTree copy = tree.copy();
    copy.learn(PROBE, 9);
    assertThat(tree.toBytes()).isEqualTo(before);
    assertThat(copy.classes()).containsExactly(0, 1, 2, 9);
    assertThat(copy.columns()).isEqualTo(4);
    assertThat(tree.columns()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void resetForgetsEverything(TreeOptions options) {
    AvmTree tree = learned(options, 150);
    tree.reset();
    assertThat(tree.toBytes()).isEqualTo(new AvmTree(options).toBytes());
    rows(tree, 150).forEach(row -> tree.learn(row.features(), row.label()));
    assertThat(tree.toBytes()).isEqualTo(learned(options, 150).toBytes());
  }

  /**
   * Twice the weight counts as the row twice, where rows do not come often enough to be thinned.
   */
  @Test
  void weightsCount() {
    TreeOptions options = roomy(AvmOptions.regression());
    AvmTree light = new AvmTree(options);
    AvmTree heavy = new AvmTree(options);
    for (Instance row : rows(light, 40)) {
      light.learn(row.features(), row.label(), 0.01);
      heavy.learn(row.features(), row.label(), 100);
    }
    assertThat(Math.abs(light.score(PROBE)[0])).isLessThan(0.5 * Math.abs(heavy.score(PROBE)[0]));
    learnMore(light, 0.01);
    learnMore(heavy, 100);
    assertThat(light.growth().isPlanted()).isTrue();
    assertThat(light.score(PROBE)).isNotEqualTo(heavy.score(PROBE));
  }

  private static void learnMore(AvmTree tree, double weight) {
    TreeGrowthTest.detail(tree.task(), 500, 2)
        .forEach(row -> tree.learn(row.features(), row.label(), weight));
  }

  @Test
  void itSaysWhatItIs(@TempDir Path folder) throws IOException {
    TreeOptions options = roomy(AvmOptions.binary().loss(Loss.logistic()));
    AvmTree tree = learned(options, 100);
    assertThat(tree.options()).isEqualTo(options);
    assertThat(tree.task()).isEqualTo(Task.binary());
    assertThat(tree.hasLogits()).isTrue();
    assertThat(tree.snapshot().hasLogits()).isTrue();
    assertThat(tree.snapshot().task()).isEqualTo(Task.binary());
    assertThat(new AvmTree(roomy(AvmOptions.binary())).hasLogits()).isFalse();
    assertThat(tree.kind()).isEqualTo("avm-tree");
    assertThat(tree.snapshot().kind()).isEqualTo("avm-tree-model");
    Path file = folder.resolve("tree");
    Files.write(file, tree.toBytes());
    assertThat(AvmTree.load(file).toBytes()).isEqualTo(tree.toBytes());
  }

  private static List<RecentRows.Row> kept(AvmTree tree) {
    List<RecentRows.Row> rows = new ArrayList<>();
    for (Region region : tree.growth().regions()) {
      for (int i = 0; region.kept != null && i < region.kept.size(); i++) {
        rows.add(region.kept.get(i));
      }
    }
    return rows;
  }

  /** One row in ten is of the rare class, which then weighs five times as much. */
  @Test
  void aRowCountsInTheTreeByItsWeightAndThatOfItsClass() {
    AvmTree tree = new AvmTree(roomy(AvmOptions.binary().classWeights(ClassWeights.balanced())));
    for (Instance row : rows(tree, 300)) {
      tree.learn(row.features(), tree.instances() % 10 == 0 ? 1 : -1, 3);
    }
    assertThat(kept(tree)).isNotEmpty();
    for (RecentRows.Row row : kept(tree)) {
      assertThat(row.weight()).isCloseTo(row.y() > 0 ? 15 : 3 / 1.8, within(2.0));
    }
  }

  @Test
  void theLossesOfRegionsCountByTheWeightsOfTheirRows() {
    AvmTree light = new AvmTree(roomy(AvmOptions.regression()));
    AvmTree heavy = new AvmTree(roomy(AvmOptions.regression()));
    for (Instance row : rows(light, 200)) {
      light.learn(row.features(), row.label(), 1);
      heavy.learn(row.features(), row.label(), 1000);
    }
    double ofLight = light.shape().leaves().stream().mapToDouble(leaf -> leaf.lossBefore()).sum();
    double ofHeavy = heavy.shape().leaves().stream().mapToDouble(leaf -> leaf.lossBefore()).sum();
    assertThat(ofLight).isPositive();
    assertThat(ofHeavy).isGreaterThan(50 * ofLight);
  }

  /**
   * All at one point, so that the root is never full; of 2,048 on one row in two is passed over.
   */
  @Test
  void aClassOfWhichEnoughWasSeenIsThinnedOutUnlessItIsForgotten() throws IOException {
    AvmTree tree = new AvmTree(roomy(AvmOptions.binary()));
    AvmTree fades = new AvmTree(roomy(AvmOptions.binary().forgetting(Forgetting.horizon(5000))));
    Avm machine = new Avm(tree.options().machine());
    Avm fading = new Avm(fades.options().machine());
    AvmTree read = tree;
    for (int t = 0; t < 4300; t++) {
      double y = t % 2 == 0 ? 1 : -1;
      Features x = Features.dense(t % 3, 1);
      tree.learn(x, y);
      machine.learn(x, y);
      fades.learn(x, y);
      fading.learn(x, y);
      if (t == 4200) {
        read = (AvmTree) OnlineLearner.fromBytes(tree.toBytes());
      } else if (t > 4200) {
        read.learn(x, y);
      }
    }
    assertThat(read.toBytes()).isEqualTo(tree.toBytes());
    Features probe = Features.dense(1, 1);
    assertThat(tree.score(probe)).isNotEqualTo(machine.score(probe));
    assertThat(fades.score(probe)).isEqualTo(fading.score(probe));
  }

  /** One has seen one class, the other the other, and together enough to be planted. */
  @Test
  void twoThatAreNotPlantedYetArePlantedWithTheRowsOfBoth() {
    TreeOptions options = roomy(AvmOptions.binary().classWeights(ClassWeights.balanced()));
    AvmTree one = new AvmTree(options);
    AvmTree other = new AvmTree(options);
    List<Instance> rows = rows(one, 63);
    rows.subList(0, 10).forEach(row -> one.learn(row.features(), 1));
    rows.subList(10, 63).forEach(row -> other.learn(row.features(), -1));
    one.merge(other);
    assertThat(one.growth().isPlanted()).isFalse();
    assertThat(one.instances()).isEqualTo(63);
    Features next = Features.dense(1.25, 2);
    one.learn(next, -1);
    assertThat(one.growth().isPlanted()).isTrue();
    Region[] children = one.growth().root().children;
    assertThat(Arrays.stream(children).mapToLong(child -> child.replayed).sum()).isEqualTo(32);
    RecentRows.Row last =
        kept(one).stream().filter(row -> row.x().equals(next)).findAny().orElseThrow();
    assertThat(last.weight()).isCloseTo(64 / (2 * 54.0), within(1e-9));
  }

  @Test
  void itsLeavesAndItsModelsAreRead() throws IOException {
    AvmTree tree = learned(roomy(AvmOptions.regression()), 300);
    assertThat(tree.leaves().count()).isEqualTo(tree.shape().leaves().size()).isPositive();
    TreeModel model = (TreeModel) tree.snapshot();
    assertThat(ModelFile.copy(model, AvmTree::decodeModel).score(PROBE))
        .isEqualTo(model.score(PROBE));
  }
}
