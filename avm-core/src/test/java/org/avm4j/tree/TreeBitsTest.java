package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A tree, its files and its snapshots give the same bits at any moment. */
class TreeBitsTest {
  static List<TreeOptions> forms() {
    return List.of(
        TreeContractTest.small(AvmOptions.binary()),
        TreeContractTest.small(AvmOptions.multiclass()),
        TreeContractTest.small(AvmOptions.regression()),
        TreeContractTest.small(AvmOptions.multiclass(), 1),
        TreeContractTest.small(AvmOptions.binary().classWeights(ClassWeights.balanced()), 0));
  }

  /** Classes 3, 4 and 5 come late, each in one corner alone. */
  private static List<Instance> stream(Task task, int n) {
    List<Instance> stream = new ArrayList<>();
    for (Instance instance : TreeGrowthTest.detail(task, n, 7)) {
      int late = 3 + 3 * stream.size() / n;
      Features x = instance.features();
      boolean isCorner = x.get(0) > 3 && x.get(1) > 5 - late + 2;
      boolean isLate = task.kind() == Task.Kind.MULTICLASS && 2 * stream.size() > n && isCorner;
      double weight = stream.size() % 3 == 0 ? 0.5 + stream.size() % 4 : 1;
      stream.add(new Instance(x, isLate ? late : instance.label(), weight));
    }
    return stream;
  }

  private static void learn(OnlineLearner learner, Instance instance) {
    learner.learn(instance.features(), instance.label(), instance.weight());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void savedAtAnyMomentItGoesOnBitForBit(TreeOptions options) throws IOException {
    AvmTree whole = new AvmTree(options);
    AvmTree resumed = new AvmTree(options);
    SplitMix random = new SplitMix(5);
    for (Instance instance : stream(options.machine().task(), 2500)) {
      if (random.nextInt(40) == 0) {
        resumed = (AvmTree) OnlineLearner.fromBytes(resumed.toBytes());
      }
      assertThat(resumed.score(instance.features())).isEqualTo(whole.score(instance.features()));
      learn(whole, instance);
      learn(resumed, instance);
    }
    assertThat(resumed.toBytes()).isEqualTo(whole.toBytes());
    assertThat(whole.shape().depth()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aSnapshotScoresAsItsTree(TreeOptions options) throws IOException {
    AvmTree tree = new AvmTree(options);
    SplitMix random = new SplitMix(6);
    List<Instance> probes = TreeGrowthTest.detail(options.machine().task(), 20, 8);
    for (Instance instance : stream(options.machine().task(), 2500)) {
      learn(tree, instance);
      if (random.nextInt(50) == 0) {
        Model snapshot = tree.snapshot();
        Model saved = Model.fromBytes(snapshot.toBytes());
        assertThat(saved.toBytes()).isEqualTo(snapshot.toBytes());
        assertThat(saved.classes()).isEqualTo(tree.classes());
        for (Instance probe : probes) {
          double[] scores = tree.score(probe.features());
          close(snapshot.score(probe.features()), scores);
          assertThat(saved.score(probe.features())).isEqualTo(snapshot.score(probe.features()));
          assertThat(saved.predict(probe.features())).isEqualTo(tree.predict(probe.features()));
        }
      }
    }
  }

  private static void close(double[] found, double[] expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int c = 0; c < found.length; c++) {
      double margin = 1e-12 * (1 + Math.abs(expected[c]));
      assertThat(found[c]).isBetween(expected[c] - margin, expected[c] + margin);
    }
  }

  @Test
  void aSnapshotStandsStillWhileClassesComeAndRegionsSplit() {
    AvmTree tree = new AvmTree(forms().get(1));
    List<Instance> stream = stream(tree.task(), 2500);
    stream.subList(0, 1200).forEach(instance -> learn(tree, instance));
    Model then = tree.snapshot();
    byte[] bytes = then.toBytes();
    double[][] scores = stream.stream().map(i -> then.score(i.features())).toArray(double[][]::new);
    stream.subList(1200, 2500).forEach(instance -> learn(tree, instance));
    assertThat(tree.columns()).isGreaterThan(then.columns());
    assertThat(then.toBytes()).isEqualTo(bytes);
    IntStream.range(0, 2500)
        .parallel()
        .forEach(i -> assertThat(then.score(stream.get(i).features())).isEqualTo(scores[i]));
  }

  @Test
  void refusedInstancesChangeNothingAtAnyMoment() {
    AvmTree tree = new AvmTree(forms().get(1));
    Features far = Features.dense(1, 1e300);
    for (Instance instance : stream(tree.task(), 1500)) {
      learn(tree, instance);
      if (tree.instances() % 100 == 0) {
        byte[] before = tree.toBytes();
        assertThatThrownBy(() -> tree.learn(far, 77)).hasMessageContaining("1.0E300");
        assertThatThrownBy(() -> tree.learn(far, 1)).hasMessageContaining("1.0E300");
        assertThatThrownBy(() -> tree.learn(instance.features(), Double.NaN));
        assertThatThrownBy(() -> tree.learn(instance.features(), 1, -1));
        assertThatThrownBy(() -> tree.score(far)).hasMessageContaining("1.0E300");
        assertThatThrownBy(() -> tree.snapshot().score(far)).hasMessageContaining("1.0E300");
        assertThat(tree.toBytes()).isEqualTo(before);
      }
    }
  }
}
