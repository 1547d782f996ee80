package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.internal.Ablation;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Labels;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What experts that forget are good for beside a tree. */
@Tag("slow")
class ForgettingExpertsTest {
  /** A tree with experts beside it. */
  private static final class Led {
    private AvmTree tree;
    private Ensemble ensemble;

    Led(List<Instance> first, AvmTree tree) {
      this.tree = tree;
      CandidateLearner lead = CandidateLearner.tree(candidate(), Scaler.none(), machine());
      ensemble =
          Ensemble.of(first, Task.Kind.BINARY, new Labels.Plain(), List.of(lead), 0)
              .startAt(0, null);
    }

    Led(List<Instance> first) {
      this(first, tree());
    }

    double[] scores(Features x) {
      return ensemble.combine(x, tree.score(x), new double[0], true);
    }

    double predict(Features x) {
      return scores(x)[0] >= 0 ? 1 : -1;
    }

    void learn(Instance row) {
      predict(row.features());
      ensemble.learn(row.label(), row.weight());
      tree.learn(row.features(), row.label());
    }

    int mistakes(List<Instance> rows) {
      int wrong = 0;
      for (Instance row : rows) {
        wrong += predict(row.features()) == row.label() ? 0 : 1;
        learn(row);
      }
      return wrong;
    }

    Status.Change change() {
      return ensemble.change("tree");
    }

    byte[] bytes() {
      Encoder out = new Encoder();
      ensemble.encode(out);
      return out.toBytes();
    }

    void reload() throws ModelFileException {
      ensemble = Ensemble.decode(new Decoder(bytes()), 0);
    }
  }

  /** A machine as it might have won the race. */
  private static AvmOptions machine() {
    return AvmOptions.binary()
        .kernel(Kernel.gaussian(1))
        .update(Update.newton())
        .coverage(Coverage.sphere(AutoOptions.NO_DIAMETER))
        .maxSize(64, Limit.MERGE)
        .build();
  }

  private static Candidate candidate() {
    return new Candidate(
        Scaling.NONE, machine().kernel(), 0, 1, 0, Update.NO_LINEAR_PART, Metric.NONE);
  }

  private static AvmTree tree() {
    return new AvmTree(TreeOptions.of(machine()));
  }

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

  @Test
  void aNewRuleIsFollowed() {
    List<Instance> rows = new ArrayList<>(ruled(3000, t -> 0));
    for (int t = 1500; t < rows.size(); t++) {
      rows.set(t, new Instance(rows.get(t).features(), -rows.get(t).label()));
    }
    AvmTree tree = tree();
    Led led = new Led(rows);
    mistakes(tree, rows.subList(0, 1500));
    led.mistakes(rows.subList(0, 1500));
    int alone = mistakes(tree, rows.subList(1500, 3000));
    assertThat(led.mistakes(rows.subList(1500, 3000))).isLessThan(4 * alone / 5);
  }

  @Test
  void labelsThatStickTogetherAreSeen() {
    List<Instance> rows = sticky(3000);
    Led led = new Led(rows);
    assertThat(led.mistakes(rows)).isBetween(200, 400);
    assertThat(led.change().usesLatestLabel()).isTrue();
  }

  /** Labels last for ten instances: whoever does not know the latest knows nothing. */
  @Test
  void aSnapshotCarriesTheLatestLabelUnlessItIsDetached() {
    List<Instance> rows = sticky(2000);
    Led led = new Led(rows);
    led.mistakes(rows);
    Model model = led.ensemble.snapshot(led.tree.snapshot(), Scaler.none());
    Features x = Features.dense(0.5, 0.5);
    double[] scores = led.scores(x).clone();
    led.learn(new Instance(x, scores[0] > 0 ? -1 : 1));
    assertThat(model.score(x)).containsExactly(scores);
    assertThat(led.predict(x) * scores[0]).isNegative();
    assertThat(Math.abs(scores[0])).isGreaterThan(0.5);
    assertThat(Math.abs(model.detached().score(x)[0])).isLessThan(0.4);
  }

  /** A race of one tree that has learned a rule. */
  private static Race race(List<Instance> rows) {
    CandidateLearner lead = CandidateLearner.tree(candidate(), Scaler.none(), machine());
    LearnerFactory factory = new LearnerFactory(Task.binary());
    factory.scaler(candidate(), rows);
    Race race = new Race(Task.binary(), new Labels.Plain(), factory, List.of(lead));
    rows.forEach(row -> race.learn(row.features(), row.label(), 1));
    return race;
  }

  @Test
  void aTreeWhosePastDoesHarmGivesWayToAYoungOne() throws ModelFileException {
    List<Instance> rows = ruled(4000, t -> 0);
    Race race = race(rows.subList(0, 2000));
    race.plant();
    for (Instance row : rows.subList(2000, 4000)) {
      race.learn(row.features(), -row.label(), 1);
      Encoder out = new Encoder();
      race.encode(out);
      assertThat(Race.decode(new Decoder(out.toBytes())).best().status().instances())
          .isEqualTo(race.best().status().instances());
    }
    assertThat(race.best().status().instances()).isEqualTo(2000);
  }

  @Test
  void aTreeThatKnowsTheRuleStays() {
    List<Instance> rows = ruled(12_000, t -> 0);
    Race race = race(rows.subList(0, 2000));
    race.plant();
    rows.subList(2000, 12_000).forEach(row -> race.learn(row.features(), row.label(), 1));
    assertThat(race.best().status().instances()).isEqualTo(12_000);
    Encoder out = new Encoder();
    race.encode(out);
    assertThat(new String(out.toBytes(), StandardCharsets.ISO_8859_1)).doesNotContain("seedling");
  }

  /** The rule is one that boosted trees find, so that they would go on working. */
  private static Led withoutBoostedTrees(List<Instance> rows) {
    Ablation.leaveOut(EnumSet.of(Ablation.Part.BOOSTED_TREES));
    try {
      return new Led(rows);
    } finally {
      Ablation.leaveOut(EnumSet.noneOf(Ablation.Part.class));
    }
  }

  @Test
  void whereNothingChangesTheTreeAnswersAndTheOthersRest() {
    List<Instance> rows = ruled(3500, t -> 0);
    Led led = withoutBoostedTrees(rows);
    AvmTree tree = tree();
    int ours = led.mistakes(rows);
    assertThat(ours).isLessThanOrEqualTo(mistakes(tree, rows) * 102 / 100);
    assertThat(led.change().runs()).isFalse();
  }

  @Test
  void aChangeWakesTheExperts() {
    List<Instance> rows = ruled(3500, t -> 0);
    Led led = withoutBoostedTrees(rows);
    led.mistakes(rows);
    assertThat(led.change().runs()).isFalse();
    led.mistakes(ruled(600, t -> 2));
    assertThat(led.change().runs()).isTrue();
    assertThat(led.change().holder()).isNotEqualTo("tree");
  }

  /** The first 300 answers after a change to a rule that was there before, and to a new one. */
  @Test
  void rulesThatReturnAreKnown() {
    List<Instance> rows = ruled(30_000, t -> t / 2500 % 3);
    Led led = new Led(rows);
    int[] wrong = new int[12];
    for (int t = 0; t < rows.size(); t++) {
      Instance row = rows.get(t);
      boolean isWrong = led.predict(row.features()) != row.label();
      wrong[t / 2500] += isWrong && t % 2500 < 300 ? 1 : 0;
      led.learn(row);
    }
    assertThat(led.change().frozen()).isPositive();
    double fresh = IntStream.of(wrong).skip(1).limit(2).average().orElseThrow();
    double known = IntStream.of(wrong).skip(3).average().orElseThrow();
    assertThat(known).isLessThan(0.75 * fresh);
  }

  @Test
  void aCopyGoesOnBitForBitThroughChanges() throws ModelFileException {
    List<Instance> rows = ruled(9000, t -> t / 3000);
    Led led = new Led(rows);
    Led copy = new Led(rows);
    for (int t = 0; t < rows.size(); t++) {
      led.learn(rows.get(t));
      if (t % 700 == 0) {
        copy.reload();
      }
      copy.learn(rows.get(t));
    }
    assertThat(led.change().rises()).isPositive();
    assertThat(copy.bytes()).isEqualTo(led.bytes());
  }

  /** Whatever a forged file says, it is refused as such or can be used. */
  @Test
  void forgedExpertsAreRefusedOrUsable() {
    Led led = new Led(sticky(200));
    led.mistakes(sticky(400));
    byte[] good = led.bytes();
    SplitMix random = new SplitMix(5);
    int readable = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] bad = good.clone();
      int place = random.nextInt(bad.length);
      bad[place] = (byte) random.nextInt(256);
      readable += isUsable(bad) ? 1 : 0;
    }
    assertThat(readable).isBetween(1, 1999);
  }

  private static boolean isUsable(byte[] bytes) {
    try {
      Ensemble read = Ensemble.decode(new Decoder(bytes), 0);
      for (int t = 0; t < 3; t++) {
        read.combine(Features.dense(0.1 * t, 0.5), new double[] {0.5}, new double[0], true);
        read.learn(1, 1);
      }
      read.change("tree");
      read.snapshot(tree().snapshot(), Scaler.none());
      return true;
    } catch (ModelFileException refused) {
      return false;
    }
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
    assertThat(without.status().change()).isEmpty();
    assertThat(with.status().change().orElseThrow().runs()).isTrue();
    assertThat(with.inspect(AvmTree.class)).isPresent();
  }
}
