package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoAvm;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.codec.Savable;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes behind a valid checksum are refused in a sentence, or give something that works.
 */
class TreeMutationTest {
  private static final int ROUNDS = 250;

  private static AvmTree grown(TreeOptions options, int n) {
    AvmTree tree = new AvmTree(options);
    for (Instance instance : TreeGrowthTest.detail(options.machine().task(), n, 3)) {
      tree.learn(instance.features(), instance.label());
    }
    return tree;
  }

  private static byte[] content(Savable savable) {
    Encoder out = new Encoder();
    savable.encode(out);
    return out.toBytes();
  }

  private static byte[] mutated(byte[] good, SplitMix random) {
    byte[] bad =
        switch (random.nextInt(12)) {
          case 0 -> Arrays.copyOf(good, random.nextInt(good.length));
          case 1 -> Arrays.copyOf(good, good.length + 1 + random.nextInt(64));
          default -> good.clone();
        };
    for (int i = 1 + random.nextInt(2); i > 0 && bad.length > 8; i--) {
      int at = random.nextInt(bad.length - 8);
      switch (random.nextInt(4)) {
        case 0 -> bad[at] = (byte) random.nextLong();
        case 1 -> bad[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> Arrays.fill(bad, at, at + 1 + random.nextInt(8), (byte) (random.nextInt(2) - 1));
        default -> System.arraycopy(good, random.nextInt(good.length - 8), bad, at, 8);
      }
    }
    return bad;
  }

  private static void refusedOrUsable(Savable good, Map<String, Integer> outcomes, int rounds) {
    byte[] content = content(good);
    SplitMix random = new SplitMix(content.length);
    for (int i = 0; i < rounds; i++) {
      byte[] bad = mutated(content, random);
      try {
        use(ModelFile.frame(good.kind(), bad), good instanceof OnlineLearner);
        outcomes.merge("usable", 1, Integer::sum);
      } catch (ModelFileException refused) {
        assertThat(refused.getMessage()).isNotBlank();
        outcomes.merge("refused", 1, Integer::sum);
      } catch (IllegalArgumentException outOfRange) {
        // A number that fits its place may still be too large to go on with: learning says so.
        assertThat(outOfRange)
            .hasMessage("the sums of the second-order step exceed the range of numbers");
        outcomes.merge("refused", 1, Integer::sum);
      } catch (IOException | RuntimeException broken) {
        fail(good.kind() + ", mutation " + i, broken);
      }
    }
  }

  private static void use(byte[] bytes, boolean isLearner) throws IOException {
    if (isLearner) {
      OnlineLearner learner = OnlineLearner.fromBytes(bytes);
      List<Instance> more = TreeGrowthTest.detail(learner.task(), 50, 5);
      more.forEach(instance -> use(learner, instance));
      learner.snapshot().predict(more.get(0).features());
      learner.status();
      learner.toBytes();
    } else {
      Model model = Model.fromBytes(bytes);
      model.predict(Features.dense(0.1, 0.2));
      model.answer(Features.dense(0.1, 0.2, 3));
      model.status();
      model.toBytes();
    }
  }

  private static void use(OnlineLearner learner, Instance instance) {
    learner.score(instance.features());
    learner.predict(instance.features());
    double label =
        switch (learner.task().kind()) {
          case BINARY -> learner.classes()[instance.label() > 0 ? 1 : 0];
          default -> instance.label();
        };
    learner.learn(instance.features(), label);
  }

  private static void both(AvmTree tree) {
    Map<String, Integer> outcomes = new TreeMap<>();
    refusedOrUsable(tree, outcomes, ROUNDS);
    refusedOrUsable(tree.snapshot(), outcomes, ROUNDS);
    assertThat(outcomes.values()).hasSize(2).allMatch(count -> count > ROUNDS / 10);
  }

  @Test
  void aTreeOfSeveralClassesBeforeItsFirstSplit() {
    both(grown(TreeContractTest.small(AvmOptions.multiclass()), 50));
  }

  @Test
  void aTreeOfSeveralClasses() {
    both(grown(TreeContractTest.small(AvmOptions.multiclass()), 400));
  }

  @Test
  void aTreeForNumbersWithoutItsLiveMachine() {
    AvmTree tree = grown(TreeContractTest.small(AvmOptions.regression()), 2000);
    assertThat(tree.hasLiveMachine()).isFalse();
    both(tree);
  }

  @Test
  void aTreeOfTwoClassesWithALinearPart() {
    both(grown(TreeContractTest.small(AvmOptions.binary(), 2), 300));
  }

  @Test
  void aMachineWithALinearPartAndItsModel() {
    Map<String, Integer> outcomes = new TreeMap<>();
    AvmOptions options =
        AvmOptions.multiclass()
            .coverage(Coverage.sphere(1e-9))
            .update(Update.newton(0.1, 2))
            .maxSize(12, Limit.MERGE)
            .build();
    Avm avm = new Avm(options);
    for (Instance instance : TreeGrowthTest.detail(options.task(), 200, 3)) {
      avm.learn(instance.features(), instance.label());
    }
    refusedOrUsable(avm, outcomes, ROUNDS);
    refusedOrUsable(avm.snapshot(), outcomes, ROUNDS);
    assertThat(outcomes).containsKeys("refused", "usable");
  }

  @Test
  void anAutomaticLearnerWithATree() {
    AutoAvm auto = new AutoAvm();
    for (Instance instance : TreeGrowthTest.detail(Task.binary(), 2600, 3)) {
      auto.learn(instance.features(), instance.label());
    }
    assertThat(auto.inspect(AvmTree.class)).isPresent();
    Map<String, Integer> outcomes = new TreeMap<>();
    refusedOrUsable(auto, outcomes, ROUNDS / 5);
    refusedOrUsable(auto.snapshot(), outcomes, ROUNDS / 5);
    assertThat(outcomes).containsKeys("refused", "usable");
  }
}
