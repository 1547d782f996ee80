package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.avm4j.Features;
import org.avm4j.LearnerContract;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoriesTest {
  private static Memories memories(Task task) {
    return new Memories(new Committee.Setup(MemoriesFixtures.machine(task), 3, 3, 1));
  }

  abstract static class Form extends LearnerContract {
    private final Task task;

    Form(Task task) {
      this.task = task;
    }

    @Override
    protected OnlineLearner make() {
      return memories(task);
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return OnlineLearner.load(file);
    }

    @Override
    protected Task task() {
      return task;
    }
  }

  @Nested
  class Binary extends Form {
    Binary() {
      super(new Task.Binary());
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
      super(new Task.Regression());
    }
  }

  @TempDir Path folder;

  /** The sign of the product of two of three features; the rule says which is left out. */
  private static List<Instance> ruled(int n, IntUnaryOperator rule) {
    SplitMix random = new SplitMix(1);
    List<Instance> rows = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double[] x = new double[3];
      for (int i = 0; i < 3; i++) {
        x[i] = 2 * random.getAsDouble() - 1;
      }
      int left = rule.applyAsInt(t);
      double product = x[(left + 1) % 3] * x[(left + 2) % 3];
      rows.add(new Instance(Features.dense(x), product > 0 ? 1 : -1));
    }
    return rows;
  }

  /** Labels that say nothing of the features, but last for ten instances on average. */
  private static List<Instance> sticky(int n) {
    SplitMix random = new SplitMix(2);
    List<Instance> rows = new ArrayList<>();
    double label = 1;
    for (int t = 0; t < n; t++) {
      label = random.nextInt(10) == 0 ? -label : label;
      rows.add(new Instance(Features.dense(random.getAsDouble(), random.getAsDouble()), label));
    }
    return rows;
  }

  private static int mistakes(OnlineLearner learner, List<Instance> rows) {
    int wrong = 0;
    for (Instance row : rows) {
      wrong += learner.predict(row.features()) == row.label() ? 0 : 1;
      learner.learn(row.features(), row.label());
    }
    return wrong;
  }

  private static AvmTree tree() {
    return new AvmTree(TreeOptions.of(MemoriesFixtures.machine(new Task.Binary())));
  }

  @Test
  void aNewRuleIsFollowed() {
    List<Instance> rows = new ArrayList<>(ruled(3000, t -> 0));
    for (int t = 1500; t < rows.size(); t++) {
      rows.set(t, new Instance(rows.get(t).features(), -rows.get(t).label()));
    }
    AvmTree tree = tree();
    Memories memories = memories(new Task.Binary());
    mistakes(tree, rows.subList(0, 1500));
    mistakes(memories, rows.subList(0, 1500));
    int alone = mistakes(tree, rows.subList(1500, 3000));
    assertThat(mistakes(memories, rows.subList(1500, 3000))).isLessThan(4 * alone / 5);
  }

  @Test
  void labelsThatStickTogetherAreSeen() {
    Memories memories = memories(new Task.Binary());
    assertThat(mistakes(memories, sticky(3000))).isBetween(200, 500);
    assertThat(memories.status().change().orElseThrow().usesLatestLabel()).isTrue();
  }

  @Test
  void aSnapshotCarriesTheLatestLabelAndSaysSo() throws IOException {
    Memories memories = memories(new Task.Binary());
    mistakes(memories, sticky(2000));
    Model before = memories.snapshot();
    assertThat(before.status().change().orElseThrow().usesLatestLabel()).isTrue();
    Features x = Features.dense(0.5, 0.5);
    double[] scores = memories.score(x);
    double latest = memories.predict(x);
    memories.learn(x, -latest);
    assertThat(before.score(x)).containsExactly(scores);
    assertThat(memories.predict(x)).isEqualTo(-latest);
  }

  /** The labels last for ten instances: whoever does not know the latest knows nothing. */
  @Test
  void aDetachedModelDoesNotUseTheLatestLabel() throws IOException {
    for (Task task : List.of(new Task.Binary(), new Task.Regression())) {
      Memories memories = memories(task);
      mistakes(memories, sticky(2000));
      Features x = Features.dense(0.5, 0.5);
      memories.snapshot().save(folder.resolve("model"));
      Model saved = Model.load(folder.resolve("model"));
      assertThat(saved.status().change().orElseThrow().usesLatestLabel()).isTrue();
      assertThat(saved.status().instances()).isEqualTo(2000);
      assertThat(saved.score(x)).isEqualTo(memories.snapshot().score(x));
      assertThat(Math.abs(saved.score(x)[0])).isGreaterThan(0.5);
      assertThat(Math.abs(saved.detached().score(x)[0])).isLessThan(0.3);
    }
  }

  @Test
  void theLatestClassDoesNotCountDetached() throws IOException {
    Memories memories = memories(Task.multiclass());
    List<Instance> rows = sticky(2000);
    rows.replaceAll(row -> new Instance(row.features(), row.label() > 0 ? 1 : 2));
    mistakes(memories, rows);
    Features x = Features.dense(0.5, 0.5);
    double gap = gap(memories.snapshot(), x);
    Model detached = memories.snapshot().detached();
    assertThat(gap(detached, x)).isLessThan(gap / 2);
    assertThat(gap(Model.fromBytes(detached.toBytes()), x)).isEqualTo(gap(detached, x));
  }

  private static double gap(Model model, Features x) {
    return Math.abs(model.score(x)[0] - model.score(x)[1]);
  }

  /** Trees that know the rule, or the very opposite of it. */
  @Test
  void aTreeThatDoesHarmIsOutdated() {
    List<Instance> rows = ruled(2049, t -> 0);
    AvmTree good = tree();
    AvmTree bad = tree();
    rows.forEach(row -> good.learn(row.features(), row.label()));
    rows.forEach(row -> bad.learn(row.features(), -row.label()));
    assertThat(isOutdated(good, rows)).isFalse();
    assertThat(isOutdated(bad, rows)).isTrue();
  }

  private static boolean isOutdated(AvmTree tree, List<Instance> rows) {
    Committee committee =
        new Committee(new Committee.Setup(MemoriesFixtures.machine(tree.task()), 2, 3, 1));
    boolean isOutdated = false;
    for (int t = 0; t < rows.size(); t++) {
      Instance row = rows.get(t);
      committee.measure(tree, row.features());
      committee.learn(row.features(), row.label(), 1, t, true);
      isOutdated |= committee.isTreeOutdated(t);
      committee.see(row.label());
    }
    return isOutdated;
  }

  @Test
  void aNewTreeKnowsAllClasses() {
    Memories memories = memories(Task.multiclass());
    for (Instance row : ruled(300, t -> 0)) {
      memories.learn(row.features(), row.label() > 0 ? 7 : 3);
    }
    memories.learn(Features.dense(0, 0, 0), 5);
    memories.replant();
    memories.learn(Features.dense(1, 1, 1), 7);
    assertThat(memories.inspect(AvmTree.class).orElseThrow().instances()).isEqualTo(1);
    assertThat(memories.status().instances()).isEqualTo(302);
    assertThat(memories.classes()).containsExactly(3, 5, 7);
    assertThat(memories.copy().toBytes()).isEqualTo(memories.toBytes());
  }

  @Test
  void whereNothingChangesTheTreeAnswersAlone() {
    Memories memories = memories(new Task.Binary());
    AvmTree tree = tree();
    int otherwise = 0;
    for (Instance row : ruled(6000, t -> 0)) {
      boolean isSame = memories.predict(row.features()) == tree.predict(row.features());
      otherwise += isSame ? 0 : 1;
      memories.learn(row.features(), row.label());
      tree.learn(row.features(), row.label());
    }
    assertThat(otherwise).isLessThan(30);
    assertThat(memories.isAwake()).isFalse();
    assertThat(memories.snapshot().kind()).isEqualTo(AvmTree.MODEL_KIND);
  }

  @Test
  void aChangeWakesTheExperts() {
    Memories memories = memories(new Task.Binary());
    mistakes(memories, ruled(5000, t -> 0));
    assertThat(memories.isAwake()).isFalse();
    mistakes(memories, ruled(600, t -> 2));
    assertThat(memories.isAwake()).isTrue();
    assertThat(memories.holds()).isNotEqualTo(Memories.TREE);
  }

  /** The first 300 answers after a change to a rule that was there before, and to a new one. */
  @Test
  void rulesThatReturnAreKnown() {
    Memories memories = memories(new Task.Binary());
    List<Instance> rows = ruled(30_000, t -> t / 2500 % 3);
    int[] wrong = new int[12];
    for (int t = 0; t < rows.size(); t++) {
      Instance row = rows.get(t);
      boolean isWrong = memories.predict(row.features()) != row.label();
      wrong[t / 2500] += isWrong && t % 2500 < 300 ? 1 : 0;
      memories.learn(row.features(), row.label());
    }
    assertThat(memories.status().change().orElseThrow().frozen()).isPositive();
    int fresh = wrong[1] + wrong[2];
    int known = wrong[10] + wrong[11];
    assertThat(known).isLessThan(fresh);
  }

  @Test
  void aCopyGoesOnBitForBitThroughChanges() {
    List<Instance> rows = ruled(9000, t -> t / 3000);
    Memories memories = memories(new Task.Binary());
    Memories copy = memories;
    for (int t = 0; t < rows.size(); t++) {
      Instance row = rows.get(t);
      copy = t % 700 == 0 ? copy.copy() : copy;
      memories.learn(row.features(), row.label());
      if (copy != memories) {
        copy.learn(row.features(), row.label());
      }
    }
    for (Instance row : rows.subList(0, 100)) {
      assertThat(copy.score(row.features())).containsExactly(memories.score(row.features()));
    }
    assertThat(copy.toBytes()).isEqualTo(memories.toBytes());
  }

  @Test
  void automaticModeFollowsOnlyWhereItIsFree() {
    AutoOptions all = AutoOptions.all();
    assertThat(all.followsChange()).isTrue();
    assertThat(AutoOptions.all(100).followsChange()).isFalse();
    EnumSet<Choice> free = EnumSet.allOf(Choice.class);
    free.remove(Choice.CHANGE);
    AutoAvm without = new AutoAvm(new AutoOptions(all.base(), all.scaling(), free));
    AutoAvm with = new AutoAvm();
    List<Instance> rows = Streams.binary(2600, 3, 9);
    mistakes(without, rows);
    mistakes(with, rows);
    assertThat(without.best().kind()).isEqualTo(AvmTree.KIND);
    assertThat(with.best().kind()).isEqualTo(Memories.KIND);
    assertThat(with.inspect(AvmTree.class)).isPresent();
    assertThat(with.status().change()).isPresent();
  }
}
