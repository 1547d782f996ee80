package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A tree is never clearly worse than the machine that it grew from, and better where it pays. */
class TreeQualityTest {
  private static AvmOptions machine(Kernel kernel, int size) {
    return AvmOptions.binary()
        .kernel(kernel)
        .update(Update.newton(0.1))
        .coverage(Coverage.sphere(1e-9))
        .maxSize(size, Limit.MERGE)
        .build();
  }

  private static double mistakes(OnlineLearner learner, List<Instance> stream) {
    double wrong = 0;
    for (Instance instance : stream) {
      wrong += learner.predict(instance.features()) == instance.label() ? 0 : 1;
      learner.learn(instance.features(), instance.label());
    }
    return wrong / stream.size();
  }

  private static List<Instance> coins(int n, double bias) {
    SplitMix random = new SplitMix(2);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      Features x = Features.dense(random.getAsDouble(), random.getAsDouble(), random.getAsDouble());
      stream.add(new Instance(x, random.getAsDouble() < bias ? 1 : -1));
    }
    return stream;
  }

  @Test
  void onNoiseItIsAsGoodAsItsMachine() {
    for (double bias : new double[] {0.5, 0.8}) {
      AvmOptions machine = machine(Kernel.gaussian(3), 32);
      List<Instance> stream = coins(8000, bias);
      double alone = mistakes(new Avm(machine), stream);
      double tree = mistakes(new AvmTree(new TreeOptions(machine, 16, 4, 2000)), stream);
      assertThat(tree).isLessThan(alone + 0.01);
    }
  }

  @Test
  void onDetailItIsFarBetterThanItsMachine() {
    AvmOptions machine = machine(Kernel.gaussian(1), 32);
    List<Instance> stream = TreeGrowthTest.detail(machine.task(), 8000, 3);
    double alone = mistakes(new Avm(machine), stream);
    double tree = mistakes(new AvmTree(new TreeOptions(machine, 32, 4, 4000)), stream);
    assertThat(tree).isLessThan(0.6 * alone);
  }

  /** Most of 5,000 features are absent, and new ones come all the time. */
  @Test
  void sparseRowsOfManyFeaturesAreLearned() {
    AvmOptions machine = machine(Kernel.gaussian(0.1), 32);
    AvmTree tree = new AvmTree(new TreeOptions(machine, 16, 4, 500));
    SplitMix random = new SplitMix(4);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < 1500; t++) {
      int topic = random.nextInt(4);
      int[] index = {topic, 10 + random.nextInt(100), 200 + random.nextInt(4800)};
      Features x = Features.sparse(index, new double[] {3, 1, random.getAsDouble()});
      stream.add(new Instance(x, topic % 2 == 0 ? 1 : -1));
    }
    assertThat(mistakes(tree, stream)).isLessThan(0.05);
    Model snapshot = tree.snapshot();
    stream.forEach(
        i -> assertThat(snapshot.predict(i.features())).isEqualTo(tree.predict(i.features())));
  }

  /** Of coins that fall evenly the weights decide which side is called. */
  @Test
  void weightsMatter() {
    AvmOptions machine = machine(Kernel.gaussian(3), 16);
    AvmTree plain = new AvmTree(new TreeOptions(machine, 8, 3, 200));
    AvmTree weighted = new AvmTree(new TreeOptions(machine, 8, 3, 200));
    for (Instance instance : coins(3000, 0.5)) {
      plain.learn(instance.features(), instance.label());
      weighted.learn(instance.features(), instance.label(), instance.label() > 0 ? 5 : 1);
    }
    double positives = 0;
    double weightedPositives = 0;
    for (Instance instance : coins(300, 0.5)) {
      positives += plain.predict(instance.features()) > 0 ? 1 : 0;
      weightedPositives += weighted.predict(instance.features()) > 0 ? 1 : 0;
    }
    assertThat(positives).isBetween(60.0, 240.0);
    assertThat(weightedPositives).isGreaterThan(285);
  }

  @Test
  void balancedClassesMatter() {
    AvmOptions machine =
        machine(Kernel.gaussian(3), 16).change().classWeights(ClassWeights.balanced()).build();
    AvmTree tree = new AvmTree(new TreeOptions(machine, 8, 3, 200));
    for (Instance instance : coins(3000, 0.9)) {
      tree.learn(instance.features(), instance.label());
    }
    double positives = 0;
    for (Instance instance : coins(300, 0.5)) {
      positives += tree.predict(instance.features()) > 0 ? 1 : 0;
    }
    assertThat(positives).isBetween(60.0, 240.0);
  }

  @Test
  void onA9aItIsNotClearlyWorseThanItsMachine() throws IOException {
    List<Instance> rows = a9a();
    SplitMix random = new SplitMix(1);
    for (int i = rows.size() - 1; i > 0; i--) {
      rows.set(i, rows.set(random.nextInt(i + 1), rows.get(i)));
    }
    AvmOptions machine = machine(Kernel.gaussian(0.03), 256);
    List<Instance> stream = rows.subList(0, 20_000);
    double alone = mistakes(new Avm(machine), stream);
    assertThat(mistakes(new AvmTree(TreeOptions.of(machine)), stream)).isLessThan(1.02 * alone);
  }

  private static List<Instance> a9a() throws IOException {
    String folder = System.getenv("AVM_DATA");
    Assumptions.assumeTrue(folder != null, "AVM_DATA does not name a folder with public data sets");
    Path file = Path.of(folder, "a9a.libsvm.gz");
    Assumptions.assumeTrue(Files.exists(file), file + " is not there");
    List<Instance> rows = new ArrayList<>();
    try (LibsvmReader reader = LibsvmReader.open(file)) {
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return rows;
  }
}
