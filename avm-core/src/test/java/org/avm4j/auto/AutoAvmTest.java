package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.LearnerContract;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status.Standing;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.auto.constants.Constants;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class AutoAvmTest {
  private static final int SIZE = 30;

  /** Everything is chosen but for the size and the linear part. */
  private static AutoOptions oneMachine(int size) {
    AutoOptions all = AutoOptions.all(size);
    EnumSet<Choice> free = EnumSet.copyOf(all.free());
    free.remove(Choice.LINEAR);
    return new AutoOptions(all.base(), all.scaling(), free);
  }

  private static Avm machine(AutoAvm auto) {
    return (Avm) auto.best();
  }

  abstract static class Form extends LearnerContract {
    private final Task task;

    Form(Task task) {
      this.task = task;
    }

    @Override
    protected OnlineLearner make() {
      return new AutoAvm(oneMachine(SIZE));
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return AutoAvm.load(file);
    }

    @Override
    protected Task task() {
      return task;
    }

    @Override
    protected int bound() {
      return SIZE;
    }
  }

  @Nested
  class Binary extends Form {
    Binary() {
      super(Task.binary());
    }
  }

  @Nested
  class Multiclass extends Form {
    Multiclass() {
      super(Task.multiclass());
    }
  }

  @Nested
  class Regression extends Form {
    Regression() {
      super(Task.regression());
    }
  }

  @TempDir Path folder;

  private static double mistakes(OnlineLearner learner, List<Instance> stream) {
    double wrong = 0;
    for (Instance instance : stream) {
      wrong += learner.predict(instance.features()) == instance.label() ? 0 : 1;
      learner.learn(instance.features(), instance.label());
    }
    return wrong / stream.size();
  }

  /** Features on scales a million apart, the larger one noise. */
  private static List<Instance> badlyScaled(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    return Streams.binary(n, 2, seed).stream()
        .map(
            i ->
                new Instance(
                    Features.dense(
                        1e-3 * i.features().get(0),
                        1e-3 * i.features().get(1),
                        1e3 * random.getAsDouble()),
                    i.label() > 0 ? 7 : 3))
        .toList();
  }

  @Test
  void oneRowDoesNotMakeLargeScores() {
    AutoAvm learner = new AutoAvm(AutoOptions.of(Task.binary()));
    learner.learn(Features.dense(1, 1), 1);
    assertThat(learner.answer(Features.dense(2, 2)).scores()[0]).isBetween(0.0, 1.0);
  }

  @Test
  void scalingWidthAndLabelsAreFoundOut() {
    AutoAvm auto = new AutoAvm(oneMachine(100));
    assertThat(mistakes(auto, badlyScaled(3000, 1))).isLessThan(0.12);
    assertThat(auto.scaling()).isNotEqualTo(Scaling.NONE);
    assertThat(auto.classes()).containsExactly(3, 7);
    assertThat(machine(auto).options().task()).isEqualTo(Task.binary());
    assertThat(auto.size()).isLessThanOrEqualTo(100);
  }

  /** Nearly as good as a machine that had the settings from the start. */
  @Test
  void theSearchCostsLittle() {
    List<Instance> stream = Streams.binary(3000, 3, 3);
    AutoAvm auto = new AutoAvm(oneMachine(60));
    double raced = mistakes(auto, stream);
    double alone = mistakes(new Avm(machine(auto).options()), stream);
    assertThat(raced).isLessThan(alone + 0.01);
    assertThat(auto.running()).isEqualTo(1);
  }

  /** Whenever the instances have doubled, up to 2,048, and not later. */
  @Test
  void settingsAreSearchedForAtEachDoubling() {
    AutoAvm auto = new AutoAvm(oneMachine(20));
    mistakes(auto, Streams.binary(5000, 2, 4));
    assertThat(auto.standings().stream().map(Standing::instances).distinct())
        .containsSubsequence(8L, 16L, 32L, 64L, 128L, 256L, 512L, 1024L, 2048L)
        .allMatch(t -> t <= 2048);
    assertThat(
            auto.standings().stream()
                .filter(standing -> standing.instances() == 2048 && standing.isBest()))
        .singleElement()
        .satisfies(
            standing -> assertThat(standing.kernel()).isEqualTo(machine(auto).options().kernel()));
  }

  @Test
  void whatIsGivenIsTaken() {
    AvmOptions base =
        AvmOptions.binary()
            .kernel(Kernel.matern32(0.7))
            .update(Update.newton(0.5))
            .coverage(Coverage.sphere(0.3))
            .maxSize(40, Limit.APPROXIMATE)
            .seed(9)
            .build();
    AutoAvm auto =
        new AutoAvm(new AutoOptions(base, Scaling.SYMMETRIC, EnumSet.noneOf(Choice.class)));
    mistakes(auto, Streams.binary(700, 3, 1));
    assertThat(machine(auto).options()).isEqualTo(base);
    assertThat(auto.scaling()).isEqualTo(Scaling.SYMMETRIC);
    assertThat(auto.running()).isEqualTo(1);
    assertThatThrownBy(() -> auto.learn(Features.dense(1), 3))
        .hasMessage("a label of this binary task must be -1 or 1: 3");
  }

  @Test
  void aThirdClassMakesItATaskOfSeveral() {
    AutoAvm auto = new AutoAvm(oneMachine(60));
    mistakes(auto, Streams.binary(2500, 2, 1));
    assertThat(auto.columns()).isEqualTo(1);
    SplitMix random = new SplitMix(1);
    for (int t = 0; t < 500; t++) {
      auto.learn(Features.dense(5 + random.getAsDouble(), 5), 2);
      auto.learn(Features.dense(random.getAsDouble() - 0.5, 0.9), t % 2 == 0 ? 1 : -1);
    }
    assertThat(auto.classes()).containsExactly(-1, 1, 2);
    assertThat(auto.predict(Features.dense(5.5, 5))).isEqualTo(2);
  }

  @Test
  void aFractionMakesItRegression() {
    AutoAvm auto = new AutoAvm(oneMachine(60));
    for (int t = 0; t < 300; t++) {
      double x = t % 50 / 10.0;
      auto.learn(Features.dense(x), t < 20 ? Math.rint(x) : x);
    }
    assertThat(machine(auto).options().task()).isEqualTo(Task.regression());
    assertThat(auto.predict(Features.dense(2.5))).isBetween(2.3, 2.7);
  }

  /** Numbers far from 0 are known about from the first one on. */
  @Test
  void numbersFarFromZeroCostOneBadAnswer() {
    AutoAvm auto = new AutoAvm(oneMachine(60), 1900);
    assertThat(auto.predict(Features.dense(1))).isEqualTo(1900);
    SplitMix random = new SplitMix(2);
    for (int t = 0; t < 100; t++) {
      double x = random.getAsDouble();
      auto.learn(Features.dense(x), 2000.5 + x);
      assertThat(auto.predict(Features.dense(random.getAsDouble()))).isBetween(1999.0, 2003.0);
    }
  }

  @Test
  void labelsOfAGivenBinaryTaskMayComeOneByOne() {
    AutoOptions all = oneMachine(60);
    AutoAvm auto =
        new AutoAvm(
            new AutoOptions(
                all.base(), Scaling.NONE, EnumSet.complementOf(EnumSet.of(Choice.TASK))));
    for (int t = 0; t < 100; t++) {
      auto.learn(Features.dense(t), t < 50 ? 2 : 0);
    }
    assertThat(auto.classes()).containsExactly(0, 2);
    assertThatThrownBy(() -> auto.learn(Features.dense(1), 1)).hasMessageContaining("0 or 2: 1");
  }

  /** Past the warm-up, where the contract's streams do not reach. */
  @Test
  void itGoesOnBitForBitPastTheWarmUp() throws IOException {
    Path file = folder.resolve("auto.avm");
    AutoAvm uninterrupted = new AutoAvm(oneMachine(20));
    AutoAvm resumed = new AutoAvm(oneMachine(20));
    int t = 0;
    for (Instance instance : Streams.multiclass(12_000, 2, 6)) {
      if (t++ % 997 == 0) {
        resumed.save(file);
        resumed = AutoAvm.load(file);
      }
      assertThat(resumed.score(instance.features()))
          .isEqualTo(uninterrupted.score(instance.features()));
      uninterrupted.learn(instance.features(), instance.label());
      resumed.learn(instance.features(), instance.label());
    }
  }

  /** Stripes that a wide kernel cannot follow. */
  private static List<Instance> stripes(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    return Stream.generate(() -> Features.dense(random.getAsDouble(), random.getAsDouble()))
        .limit(n)
        .map(x -> new Instance(x, Math.sin(40 * x.get(0)) * Math.sin(40 * x.get(1)) > 0 ? 1 : 0))
        .toList();
  }

  @Test
  void withoutASizeATreeLearnsWhatFollowsTheSearch() {
    AutoAvm auto = new AutoAvm();
    for (Instance instance : stripes(2500, 3)) {
      auto.learn(instance.features(), instance.label());
      assertThat(auto.inspect(AvmTree.class).isPresent() && auto.instances() < Constants.WARM_UP)
          .isFalse();
    }
    AvmTree tree = auto.inspect(AvmTree.class).orElseThrow();
    assertThat(tree.instances()).isEqualTo(2500);
    assertThat(tree.options().machine().maxSize()).isEqualTo(TreeOptions.DEFAULT_ROOT);
    assertThat(auto.size()).isGreaterThanOrEqualTo(tree.size());
    assertThat(auto.status().instances()).isEqualTo(2500);
  }

  /** Many features that count a little each. */
  private static Instance weak(SplitMix random) {
    double[] x = new double[200];
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      x[i] = random.getAsDouble() < 0.1 ? 1 : 0;
      sum += x[i] * (i % 2 == 0 ? 1 : -1);
    }
    return new Instance(Features.dense(x), sum + random.getAsDouble() - 0.5 > 0 ? 1 : 0);
  }

  @Test
  void manyWeakFeaturesGetALinearPart() {
    AutoAvm auto = new AutoAvm();
    SplitMix random = new SplitMix(5);
    for (int t = 0; t < 2400; t++) {
      Instance row = weak(random);
      auto.learn(row.features(), row.label());
    }
    assertThat(auto.running()).isEqualTo(1);
    assertThat(auto.inspect(AvmTree.class).orElseThrow().instances()).isEqualTo(2400);
    assertThat(auto.status().settings().get("linear")).isEqualTo(200);
  }

  /** Across the start of the tree and its splits. */
  @Test
  void withATreeItGoesOnBitForBit() throws IOException {
    AutoAvm whole = new AutoAvm();
    AutoAvm resumed = new AutoAvm();
    List<Instance> stream = stripes(5000, 4);
    for (int t = 0; t < stream.size(); t++) {
      if (t == 2047 || t == 2048 || t == 2100 || t == 4200 || t % 611 == 610) {
        resumed = (AutoAvm) OnlineLearner.fromBytes(resumed.toBytes());
      }
      Features x = stream.get(t).features();
      if (t % 7 == 0) {
        assertThat(resumed.score(x)).isEqualTo(whole.score(x));
      }
      double label = t > 4000 && x.get(0) > 0.9 ? 2 : stream.get(t).label();
      whole.learn(x, label);
      resumed.learn(x, label);
    }
    assertThat(resumed.toBytes()).isEqualTo(whole.toBytes());
    assertThat(whole.inspect(AvmTree.class).orElseThrow().shape().depth()).isPositive();
    assertThat(whole.classes()).containsExactly(0, 1, 2);
    Model snapshot = whole.snapshot();
    Model loaded = Model.fromBytes(whole.toBytes());
    for (Instance probe : stream.subList(0, 100)) {
      assertThat(snapshot.predict(probe.features())).isEqualTo(whole.predict(probe.features()));
      assertThat(loaded.score(probe.features())).isEqualTo(snapshot.score(probe.features()));
    }
  }

  /** A line with a bump: the linear part takes the line. */
  @Test
  void aLinearPartIsChosenWhereItPays() {
    AutoAvm auto = new AutoAvm(AutoOptions.all(20));
    SplitMix random = new SplitMix(6);
    for (int t = 0; t < 2100; t++) {
      double[] x = new double[8];
      Arrays.setAll(x, i -> random.getAsDouble());
      double sum = 0.1 * random.getAsDouble();
      for (int i = 0; i < x.length; i++) {
        sum += (i - 3.5) * x[i];
      }
      auto.learn(Features.dense(x), sum);
    }
    assertThat(machine(auto).options().update().linear()).isEqualTo(8);
  }
}
