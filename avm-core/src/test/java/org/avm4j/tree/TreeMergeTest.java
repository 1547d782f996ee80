package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trees that went on alone from one root are put together again. */
class TreeMergeTest {
  private static AvmTree tree(AvmOptions.Builder builder, int maxPoints) {
    TreeOptions small = TreeContractTest.small(builder);
    return new AvmTree(new TreeOptions(small.machine(), small.size(), small.ways(), maxPoints));
  }

  private static AvmTree planted(AvmOptions.Builder builder, int maxPoints) {
    AvmTree tree = tree(builder, maxPoints);
    for (Instance row : TreeGrowthTest.detail(tree.task(), 20_000, 1)) {
      if (!tree.growth().isPlanted()) {
        learn(tree, List.of(row));
      }
    }
    assertThat(tree.growth().isPlanted()).isTrue();
    return tree;
  }

  /** A tree that does without its live machine, so that it is never planted anew. */
  private static AvmTree settled(AvmOptions.Builder builder, int maxPoints) {
    AvmTree tree = tree(builder, maxPoints);
    for (Instance row : TreeGrowthTest.detail(tree.task(), 40_000, 1)) {
      if (tree.hasLiveMachine()) {
        learn(tree, List.of(row));
      }
    }
    assertThat(tree.hasLiveMachine()).isFalse();
    return tree;
  }

  private static void learn(AvmTree tree, List<Instance> rows) {
    rows.forEach(row -> tree.learn(row.features(), row.label(), row.weight()));
  }

  private static double meanSquare(AvmTree tree, List<Instance> rows) {
    return rows.stream()
        .mapToDouble(row -> tree.score(row.features())[0] - row.label())
        .map(e -> e * e)
        .average()
        .orElseThrow();
  }

  private static List<Instance> left(List<Instance> rows, boolean isLeft) {
    return rows.stream().filter(row -> row.features().get(0) < 2 == isLeft).toList();
  }

  @Test
  @Tag("long")
  void whatEachLearnedOfItsOwnHalfOfTheSpaceIsKnownToBoth() {
    AvmTree one = planted(AvmOptions.regression(), 4000);
    AvmTree other = one.copy();
    List<Instance> stream = TreeGrowthTest.detail(one.task(), 8000, 2);
    learn(one, left(stream, true));
    learn(other, left(stream, false));
    List<Instance> test = TreeGrowthTest.detail(one.task(), 2000, 3);
    double alone = Math.min(meanSquare(one, test), meanSquare(other, test));
    one.merge(other);
    assertThat(meanSquare(one, test)).isLessThan(0.7 * alone);
    assertThat(one.instances()).isGreaterThan(8000);
  }

  @Test
  void twoLeavesAddUpAsTheirMachinesDo() {
    AvmTree one = planted(AvmOptions.regression(), 4000);
    AvmTree other = one.copy();
    learn(one, TreeGrowthTest.detail(one.task(), 20, 4));
    learn(other, TreeGrowthTest.detail(one.task(), 20, 5));
    List<Avm> expected = new ArrayList<>();
    for (int i = 1; i < one.growth().regions().size(); i++) {
      Avm sum = one.growth().regions().get(i).learner.copy();
      sum.merge(other.growth().regions().get(i).learner);
      expected.add(sum);
    }
    one.merge(other);
    for (int i = 0; i < expected.size(); i++) {
      Avm merged = one.growth().regions().get(i + 1).learner;
      assertThat(merged.score(Features.dense(1, 1)))
          .isEqualTo(expected.get(i).score(Features.dense(1, 1)));
    }
  }

  @Test
  void theOtherTreeStaysAsItIs() {
    AvmTree one = planted(AvmOptions.binary(), 1000);
    AvmTree other = one.copy();
    learn(other, TreeGrowthTest.detail(one.task(), 1000, 6));
    byte[] before = ModelFile.toBytes(other);
    one.merge(other);
    assertThat(ModelFile.toBytes(other)).isEqualTo(before);
  }

  @Test
  void classesThatOnlyOneHasSeenAreKnownToBoth() throws Exception {
    AvmTree one = settled(AvmOptions.multiclass(), 1000);
    AvmTree other = one.copy();
    List<Instance> stream = TreeGrowthTest.detail(one.task(), 3000, 7);
    one.learn(Features.dense(9, 9), 7);
    learn(one, stream.subList(0, 1500));
    other.learn(Features.dense(9, -9), 8);
    other.learn(Features.dense(9, 9), 7);
    learn(other, stream.subList(1500, 3000));
    for (int i = 0; i < 50; i++) {
      other.learn(Features.dense(9, -9 + 0.01 * i), 8);
    }
    one.merge(other);
    assertThat(one.classes()).containsExactly(0, 1, 2, 7, 8);
    double there = one.score(Features.dense(9, -9))[4];
    assertThat(there).isGreaterThan(one.score(Features.dense(9, 9))[4]);
    assertThat(there).isCloseTo(other.score(Features.dense(9, -9))[4], within(0.5));
    AvmTree loaded = ModelFile.copy(one, AvmTree::decode);
    learn(one, stream.subList(0, 500));
    learn(loaded, stream.subList(0, 500));
    assertThat(ModelFile.toBytes(loaded)).isEqualTo(ModelFile.toBytes(one));
  }

  @Test
  void theCapHoldsForBothTogether() {
    AvmTree one = settled(AvmOptions.regression(), 600);
    AvmTree other = one.copy();
    List<Instance> stream = TreeGrowthTest.detail(one.task(), 3000, 8);
    learn(one, left(stream, true));
    learn(other, left(stream, false));
    one.merge(other);
    assertThat(one.size()).isLessThanOrEqualTo(600);
    learn(one, stream);
    assertThat(one.size()).isLessThanOrEqualTo(600);
  }

  @Test
  void treesThatAreNotPlantedAddUpTheirMachines() {
    AvmTree one = tree(AvmOptions.regression(), 1000);
    AvmTree other = tree(AvmOptions.regression(), 1000);
    learn(one, TreeGrowthTest.detail(one.task(), 10, 9));
    learn(other, TreeGrowthTest.detail(one.task(), 10, 10));
    one.merge(other);
    assertThat(one.instances()).isEqualTo(20);
    assertThat(one.size()).isGreaterThan(10);
  }

  @Test
  void treesOfOtherRootsAndOtherOptionsAreRefused() {
    AvmTree one = planted(AvmOptions.regression(), 1000);
    AvmTree other = tree(AvmOptions.regression(), 1000);
    learn(other, TreeGrowthTest.detail(one.task(), 2000, 11));
    assertThatThrownBy(() -> one.merge(other)).hasMessageContaining("from the same root");
    assertThatThrownBy(() -> one.merge(one)).hasMessageContaining("another one");
    assertThatThrownBy(() -> one.merge(tree(AvmOptions.regression(), 999)))
        .hasMessageContaining("equal options");
  }
}
