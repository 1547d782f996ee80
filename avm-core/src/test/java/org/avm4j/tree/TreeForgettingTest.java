package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Limit;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees of streams whose rule changes. */
@Tag("long")
class TreeForgettingTest {
  private static final int ROWS = 8000;

  private static Forgetting forgetting(String how) {
    return switch (how) {
      case "none" -> Forgetting.none();
      case "auto" -> Forgetting.auto();
      default -> Forgetting.horizon(Long.parseLong(how));
    };
  }

  private static AvmTree tree(String how) {
    AvmOptions machine =
        TreeContractTest.small(AvmOptions.binary().forgetting(forgetting(how)))
            .machine()
            .change()
            .maxSize(64, Limit.MERGE)
            .build();
    return new AvmTree(new TreeOptions(machine, 32, 4, 2000));
  }

  /** The mistakes in the last quarter of a stream whose labels change sign in the middle. */
  private static int lateMistakes(AvmTree tree) {
    List<Instance> rows = TreeGrowthTest.detail(tree.task(), ROWS, 1);
    int mistakes = 0;
    for (int t = 0; t < ROWS; t++) {
      Features x = rows.get(t).features();
      double y = t < ROWS / 2 ? rows.get(t).label() : -rows.get(t).label();
      mistakes += 4 * t >= 3 * ROWS && tree.predict(x) != y ? 1 : 0;
      tree.learn(x, y);
    }
    return mistakes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"500", "auto"})
  void aTreeThatForgetsLearnsTheNewRule(String how) {
    assertThat(lateMistakes(tree(how))).isLessThan(lateMistakes(tree("none")) * 9 / 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"50", "500", "auto"})
  void itGoesOnBitForBitFromAFile(String how) throws Exception {
    AvmTree tree = tree(how);
    List<Instance> rows = TreeGrowthTest.detail(tree.task(), 3000, 2);
    rows.subList(0, 2000).forEach(row -> tree.learn(row.features(), row.label()));
    AvmTree loaded = ModelFile.copy(tree, AvmTree::decode);
    for (Instance row : rows.subList(2000, 3000)) {
      tree.learn(row.features(), row.label());
      loaded.learn(row.features(), row.label());
    }
    assertThat(ModelFile.toBytes(loaded)).isEqualTo(ModelFile.toBytes(tree));
    assertThat(tree.score(Features.dense(1, 1))[0]).isFinite();
  }

  @Test
  void theLiveMachineStaysWhereInstancesAreForgotten() {
    AvmTree tree = tree("500");
    TreeGrowthTest.detail(tree.task(), ROWS, 3)
        .forEach(row -> tree.learn(row.features(), row.label()));
    assertThat(tree.hasLiveMachine()).isTrue();
  }
}
