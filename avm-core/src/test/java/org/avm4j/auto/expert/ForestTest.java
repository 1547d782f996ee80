package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForestTest {
  private final SplitMix random = new SplitMix(5);
  private final Task.Kind binary = Task.Kind.BINARY;
  private final Task.Kind classes = Task.Kind.MULTICLASS;
  private final Task.Kind regression = Task.Kind.REGRESSION;

  private static Forest forest(Task.Kind task, int features) {
    return new Forest(task, Inputs.of(Scaler.none()), features);
  }

  private static Moment now(Features x) {
    return new Moment().of(x, new PastLabels());
  }

  private Features row() {
    return Features.dense(
        random.getAsDouble(), random.getAsDouble(), random.getAsDouble(), random.getAsDouble());
  }

  private void learn(Forest forest, int n, ToDoubleFunction<Features> rule) {
    for (int t = 0; t < n; t++) {
      Features x = row();
      forest.learn(now(x), rule.applyAsDouble(x), 1);
    }
  }

  private static double score(Forest forest, Features x) {
    double[] found = new double[1];
    forest.score(now(x), new double[0], found);
    return found[0];
  }

  private double mistakes(Forest forest, ToDoubleFunction<Features> rule) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> row())
        .filter(x -> score(forest, x) * rule.applyAsDouble(x) <= 0)
        .count();
  }

  private static double twoThresholds(Features x) {
    return x.get(0) > 0.4 && x.get(2) > 0.3 ? 1 : -1;
  }

  @Test
  void thresholdsAreFound() {
    Forest forest = forest(binary, 4);
    learn(forest, 2000, ForestTest::twoThresholds);
    assertThat(mistakes(forest, ForestTest::twoThresholds)).isLessThan(40);
  }

  @Test
  void rulesThatChangeAreFollowed() {
    Forest forest = forest(binary, 4);
    learn(forest, 2000, ForestTest::twoThresholds);
    ToDoubleFunction<Features> opposite = x -> -twoThresholds(x);
    learn(forest, 1000, opposite);
    assertThat(mistakes(forest, opposite)).isLessThan(100);
  }

  @Test
  void numbersAndClassesAreMeans() {
    Forest numbers = forest(regression, 4);
    learn(numbers, 1140, x -> x.get(1) > 0.5 ? 7 : 3);
    assertThat(score(numbers, Features.dense(0, 0.9))).isCloseTo(7, within(0.1));
    assertThat(score(numbers, Features.dense(0, 0.1))).isCloseTo(3, within(0.1));
    Forest kinds = forest(classes, 4);
    learn(kinds, 1140, x -> Math.floor(3 * x.get(3)));
    double[] found = new double[4];
    kinds.score(now(Features.dense(0.5, 0.5, 0.5, 0.5)), new double[] {0, 1, 2, 9}, found);
    assertThat(found[1]).isGreaterThan(0.7);
    assertThat(found[3]).isEqualTo(-1);
    assertThat(found[0] + found[1] + found[2]).isCloseTo(-1, within(1e-9));
  }

  /** With two features both are always drawn, so that a tree goes on from the best of all cuts. */
  @Test
  void aTreeLeavesFarLessThanTheBestSingleCut() {
    for (int round = 0; round < 20; round++) {
      RowWindow rows = new RowWindow(2, 200);
      double[][] x = new double[200][2];
      double[] y = new double[200];
      for (int i = 0; i < 200; i++) {
        x[i][0] = (float) random.getAsDouble();
        x[i][1] = random.nextInt(5);
        y[i] = x[i][0] * x[i][1] + random.getAsDouble();
        rows.add(Features.dense(x[i]), y[i]);
      }
      int[] all = IntStream.range(0, 200).toArray();
      DecisionTree tree = new ForestGrowth(rows, regression, random).grow(all);
      assertThat(leftOver(x, y, tree)).isLessThan(0.7 * leastOfOneCut(x, y));
      assertThat(tree.leaves()).isGreaterThan(4);
    }
  }

  private static double leftOver(double[][] x, double[] y, DecisionTree tree) {
    return IntStream.range(0, y.length)
        .mapToDouble(i -> y[i] - tree.values(new float[] {(float) x[i][0], (float) x[i][1]})[0])
        .map(error -> error * error)
        .sum();
  }

  private static double leastOfOneCut(double[][] x, double[] y) {
    double least = Double.MAX_VALUE;
    for (int f = 0; f < 2; f++) {
      for (double[] at : x) {
        int feature = f;
        least =
            Math.min(
                least,
                squares(y, i -> x[i][feature] < at[feature])
                    + squares(y, i -> x[i][feature] >= at[feature]));
      }
    }
    return least;
  }

  private static double squares(double[] y, IntPredicate which) {
    double[] some = IntStream.range(0, y.length).filter(which).mapToDouble(i -> y[i]).toArray();
    double mean = Arrays.stream(some).average().orElse(0);
    return Arrays.stream(some).map(v -> (v - mean) * (v - mean)).sum();
  }

  @Test
  void aFeatureThatIsRarelySetIsSeen() {
    Forest forest = forest(binary, 4);
    ToDoubleFunction<Features> rare = x -> x.get(1) == 1 ? 1 : -1;
    for (int t = 0; t < 2048; t++) {
      Features x = Features.dense(random.getAsDouble(), random.nextInt(50) == 0 ? 1 : 0);
      forest.learn(now(x), rare.applyAsDouble(x), 1);
    }
    assertThat(score(forest, Features.dense(0.5, 1))).isPositive();
    assertThat(score(forest, Features.dense(0.5, 0))).isCloseTo(-1, within(0.05));
  }

  /** At equal distances in the window all rows would be of the same sensor. */
  @Test
  void sensorsThatReportInTurnAreToldApart() {
    Forest forest = forest(binary, 8);
    ToDoubleFunction<Features> rule = x -> x.get(1) + x.get(4) + x.get(6) > 0 ? 1 : -1;
    for (int t = 0; t < 4000; t++) {
      Features x = Features.sparse(new int[] {t % 8}, new double[] {1});
      if (t >= 3000) {
        assertThat(score(forest, x) * rule.applyAsDouble(x)).isPositive();
      }
      forest.learn(now(x), rule.applyAsDouble(x), 1);
    }
  }

  @Test
  void minusZeroIsZero() {
    Forest forest = forest(classes, 4);
    learn(forest, 320, x -> x.get(0) > 0.5 ? 1 : -0.0);
    double[] found = new double[2];
    forest.score(now(Features.dense(0.2, 0.5, 0.5, 0.5)), new double[] {0, 1}, found);
    assertThat(found[0]).isGreaterThan(0.5);
  }

  @Test
  void withoutFeaturesNothingIsSaid() {
    Forest none = forest(binary, 0);
    learn(none, 300, ForestTest::twoThresholds);
    assertThat(none.size()).isZero();
    assertThat(score(none, row())).isZero();
  }

  /** Trees that a replayed row would have grown are grown when the forest is asked. */
  @Test
  void aReplayedForestAnswersAsOneThatLearned() {
    Forest learned = forest(binary, 4);
    Forest replayed = forest(binary, 4);
    for (int t = 0; t < 700; t++) {
      Features x = row();
      learned.learn(now(x), twoThresholds(x), 1);
      replayed.replay(now(x), twoThresholds(x), 1);
    }
    Features x = row();
    assertThat(score(replayed.freeze(), x)).isEqualTo(score(learned, x)).isNotZero();
    assertThat(score(replayed, x)).isEqualTo(score(learned, x));
  }

  @Test
  void aSnapshotStandsStill() {
    Forest forest = forest(binary, 4);
    learn(forest, 600, ForestTest::twoThresholds);
    Forest snapshot = forest.freeze();
    Features x = row();
    double before = score(forest, x);
    learn(forest, 2000, q -> -twoThresholds(q));
    assertThat(score(snapshot, x)).isEqualTo(before);
    assertThat(score(forest, x)).isNotEqualTo(before);
  }

  private static Forest copy(Forest forest) throws ModelFileException {
    Encoder out = new Encoder();
    forest.encodeTrees(out);
    Decoder in = new Decoder(out.toBytes());
    Forest copy = Forest.decode(in, Inputs.of(Scaler.none()), Task.Kind.MULTICLASS);
    in.end();
    return copy;
  }

  @Test
  void savingChangesNothing() throws ModelFileException {
    Forest forest = forest(classes, 4);
    learn(forest, 485, x -> Math.floor(3 * x.get(3)));
    Forest same = copy(forest);
    Features x = row();
    double[] before = new double[3];
    double[] after = new double[3];
    forest.score(now(x), new double[] {0, 1, 2}, before);
    copy(same).score(now(x), new double[] {0, 1, 2}, after);
    assertThat(after).isEqualTo(before);
    assertThat(same.size()).isEqualTo(forest.size());
  }

  /** New trees are begun at row 480, and take over at row 492. */
  @ParameterizedTest
  @ValueSource(ints = {479, 480, 481, 485, 491, 492, 500})
  void aCopyGoesOnAsTheOriginal(int rows) throws ModelFileException {
    Forest forest = forest(classes, 4);
    learn(forest, rows, x -> Math.floor(3 * x.get(3)));
    Forest copy = copy(forest);
    for (int t = 0; t < 600; t++) {
      Features x = row();
      double label = Math.floor(4 * x.get(0));
      double[] mine = new double[4];
      double[] its = new double[4];
      forest.score(now(x), new double[] {0, 1, 2, 3}, mine);
      copy.score(now(x), new double[] {0, 1, 2, 3}, its);
      assertThat(its).isEqualTo(mine);
      forest.learn(now(x), label, 1);
      copy.learn(now(x), label, 1);
    }
  }

  @Test
  void rowsThatDoNotFollowTheLastAreRefused() {
    Encoder out = new Encoder();
    out.int32(1);
    out.int32(0);
    out.int32(7);
    out.floats(new float[0], 0);
    out.doubles(new double[0], 0);
    byte[] bytes = out.toBytes();
    assertThatThrownBy(() -> RowWindow.decode(new Decoder(bytes), 10))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("the next row must follow the last");
  }

  @Test
  void aForestWithoutClassesIsRefused() {
    Encoder out = new Encoder();
    out.section("rows", new RowWindow(1, 10)::encode);
    out.int64(0);
    out.int32(0);
    out.doubles(new double[0], 0);
    out.int32(0);
    byte[] bytes = out.toBytes();
    assertThatThrownBy(() -> Forest.decode(new Decoder(bytes), Inputs.of(Scaler.none()), binary))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("a forest must have a column");
  }

  /** A path without end would be a program that never answers. */
  @Test
  void aTreeThatBitesItsTailIsRefused() {
    Encoder out = new Encoder();
    out.int32(3);
    out.int32(0);
    out.float64(0.5);
    out.int32(0);
    byte[] bytes = out.toBytes();
    assertThatThrownBy(() -> DecisionTree.decode(new Decoder(bytes), 1, 1))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("a child must come after its parent");
  }
}
