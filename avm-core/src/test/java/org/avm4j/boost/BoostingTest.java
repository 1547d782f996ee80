package org.avm4j.boost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Boosted trees. */
class BoostingTest {
  private static final BoostOptions FEW = BoostOptions.DEFAULT.withRounds(20);

  /** Rows of three features, a quarter of whose entries are missing. */
  static List<Instance> rows(Task.Kind task, int count, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> rows = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      double[] x = new double[3];
      for (int i = 0; i < x.length; i++) {
        x[i] = random.nextInt(4) == 0 ? 0 : random.getAsDouble() * 2 - 1;
      }
      double sum = (x[0] > 0.3 ? 1 : 0) + (x[1] < -0.2 ? 2 : x[2]);
      double noise = 0.1 * random.getAsDouble();
      double label =
          switch (task) {
            case REGRESSION -> sum + noise;
            case BINARY -> sum + noise > 0.8 ? 1 : -1;
            default -> Math.rint(Math.max(0, Math.min(2, sum + noise)));
          };
      rows.add(new Instance(Features.dense(x), label, 0.5 + random.getAsDouble()));
    }
    return rows;
  }

  static Task task(Task.Kind kind) {
    return switch (kind) {
      case REGRESSION -> Task.regression();
      case BINARY -> Task.binary();
      default -> Task.multiclass();
    };
  }

  static double[] classes(Task.Kind kind) {
    return switch (kind) {
      case REGRESSION -> new double[0];
      case BINARY -> new double[] {-1, 1};
      default -> new double[] {0, 1, 2};
    };
  }

  static BoostedModel grown(Task.Kind kind, List<Instance> rows, BoostOptions options) {
    Boosting boosting = new Boosting(task(kind), classes(kind), rows, List.of(), options);
    while (boosting.round()) {
      assertThat(boosting.rounds()).isLessThan(options.rounds());
    }
    return boosting.model(boosting.rounds());
  }

  @ParameterizedTest
  @EnumSource(value = Task.Kind.class, names = "ANOMALY", mode = EnumSource.Mode.EXCLUDE)
  void treesLearnRulesOfThresholds(Task.Kind kind) {
    BoostedModel model = grown(kind, rows(kind, 2000, 1), FEW.withRounds(60));
    double error = 0;
    List<Instance> test = rows(kind, 1000, 2);
    for (Instance row : test) {
      double answer = model.predict(row.features());
      error +=
          kind == Task.Kind.REGRESSION
              ? Math.abs(answer - row.label())
              : answer == row.label() ? 0 : 1;
    }
    assertThat(error / test.size()).isLessThan(0.06);
  }

  /** While they grow, rows are moved by their bins; afterwards they go by their values. */
  @ParameterizedTest
  @EnumSource(value = Task.Kind.class, names = "ANOMALY", mode = EnumSource.Mode.EXCLUDE)
  void scoresOfRowsHeldOutAreThoseOfTheModel(Task.Kind kind) {
    List<Instance> held = rows(kind, 200, 2);
    BoostOptions options = FEW.withSamples(0.7, 0.7, 3);
    List<Instance> learned = rows(kind, 500, 1);
    Boosting boosting = new Boosting(task(kind), classes(kind), learned, held, options);
    boolean hasMore = true;
    while (hasMore) {
      hasMore = boosting.round();
    }
    BoostedModel model = boosting.model(boosting.rounds());
    double mean = learned.stream().mapToDouble(Instance::label).average().orElseThrow();
    double squares =
        learned.stream()
            .mapToDouble(row -> Math.pow(row.label() - mean, 2))
            .average()
            .orElseThrow();
    double unit = kind == Task.Kind.REGRESSION ? Math.sqrt(squares) : 1;
    double[][] scores = boosting.heldScores();
    for (int r = 0; r < held.size(); r++) {
      double[] expected = model.score(held.get(r).features());
      for (int c = 0; c < expected.length; c++) {
        assertThat(scores[r][c]).isCloseTo(expected[c] / unit, within(1e-9));
      }
    }
  }

  /** No other factor of the scores has a lower loss, and the factor of no use is not looked at. */
  @Test
  void theLossOfClassesIsThatOfTheBestFactor() {
    List<Instance> held = rows(Task.Kind.MULTICLASS, 200, 2);
    double[][] scores = new double[200][];
    double[] targets = new double[200];
    BoostedModel model = grown(Task.Kind.MULTICLASS, rows(Task.Kind.MULTICLASS, 300, 1), FEW);
    for (int r = 0; r < 200; r++) {
      scores[r] = model.score(held.get(r).features());
      targets[r] = held.get(r).label();
    }
    HoldoutLoss loss = new HoldoutLoss(BoostLoss.SOFTMAX);
    loss.of(scores, targets);
    double found = Arrays.stream(loss.of(scores, targets)).sum();
    double least = Double.MAX_VALUE;
    for (double factor = 0.01; factor < 20; factor *= 1.01) {
      double sum = 0;
      for (int r = 0; r < 200; r++) {
        double by = factor;
        double all = Arrays.stream(scores[r]).map(score -> Math.exp(by * score)).sum();
        sum += Math.log(all) - factor * scores[r][(int) targets[r]];
      }
      least = Math.min(least, sum);
    }
    assertThat(found).isCloseTo(least, within(1e-3 * least));
    assertThat(new HoldoutLoss(BoostLoss.SQUARED).of(new double[][] {{3}}, new double[] {1}))
        .containsExactly(2);
  }

  /** One tree with one question, held against all questions that there are. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aStumpIsTheBestOfAll(long seed) {
    List<Instance> rows = rows(Task.Kind.REGRESSION, 40, seed);
    BoostOptions options = new BoostOptions(1, 1, 0.3, 2, 1, 1, 1, 1);
    BoostedModel stump = grown(Task.Kind.REGRESSION, rows, options);
    double weights = rows.stream().mapToDouble(Instance::weight).sum();
    double mean = rows.stream().mapToDouble(row -> row.weight() * row.label()).sum() / weights;
    double best = 0;
    for (int f = 0; f < 3; f++) {
      for (Instance at : rows) {
        for (int side = 0; side < 2; side++) {
          best = Math.max(best, gain(rows, f, at.features().get(f), side == 0, mean));
        }
      }
    }
    assertThat(gainOf(stump, rows, mean)).isCloseTo(best, within(1e-5 * best));
  }

  /** Twice by how much the loss falls, where each side answers as ridge regression does. */
  private static double gain(
      List<Instance> rows, int feature, double threshold, boolean zeroIsLeft, double mean) {
    double[] first = new double[2];
    double[] second = new double[2];
    for (Instance row : rows) {
      double value = row.features().get(feature);
      int side = (value == 0 ? zeroIsLeft : value < threshold) ? 0 : 1;
      first[side] += row.weight() * (mean - row.label());
      second[side] += row.weight();
    }
    return second[0] < 1 || second[1] < 1 ? 0 : score(first, second);
  }

  private static double score(double[] first, double[] second) {
    double all = (first[0] + first[1]) * (first[0] + first[1]) / (second[0] + second[1] + 2);
    return first[0] * first[0] / (second[0] + 2) + first[1] * first[1] / (second[1] + 2) - all;
  }

  private static double gainOf(BoostedModel stump, List<Instance> rows, double mean) {
    double[] answers = rows.stream().mapToDouble(row -> stump.predict(row.features())).toArray();
    double[] leaves = Arrays.stream(answers).distinct().toArray();
    assertThat(leaves).hasSize(2);
    double[] first = new double[2];
    double[] second = new double[2];
    for (int r = 0; r < answers.length; r++) {
      int side = answers[r] == leaves[0] ? 0 : 1;
      first[side] += rows.get(r).weight() * (mean - rows.get(r).label());
      second[side] += rows.get(r).weight();
    }
    for (int side = 0; side < 2; side++) {
      assertThat(leaves[side])
          .isCloseTo(mean - 0.3 * first[side] / (second[side] + 2), within(1e-5));
    }
    return score(first, second);
  }

  @Test
  void rowsWithoutAnEntryGoToTheBetterSide() {
    List<Instance> rows = new ArrayList<>();
    for (int r = 0; r < 300; r++) {
      double x = r % 3 - 1.0;
      rows.add(new Instance(Features.dense(x, 1), x == -1 ? 5 : 0));
      rows.add(new Instance(Features.dense(x - 3, 1), x == 1 ? 5 : 0));
    }
    BoostedModel model = grown(Task.Kind.REGRESSION, rows, FEW.withRounds(100).withTrees(2, 0.3));
    assertThat(model.predict(Features.dense(0, 1))).isCloseTo(0, within(0.01));
    assertThat(model.predict(Features.dense(-1, 1))).isCloseTo(5, within(0.05));
    assertThat(model.predict(Features.dense(-2, 1))).isCloseTo(5, within(0.05));
    assertThat(model.predict(Features.dense(1, 1))).isCloseTo(0, within(0.01));
  }

  @Test
  void everySettingMatters() {
    List<Instance> rows = rows(Task.Kind.BINARY, 300, 1);
    BoostedModel usual = grown(Task.Kind.BINARY, rows, FEW);
    assertThat(grown(Task.Kind.BINARY, rows, FEW).toBytes()).isEqualTo(usual.toBytes());
    for (BoostOptions other :
        List.of(
            FEW.withRounds(21),
            FEW.withTrees(3, 0.1),
            FEW.withTrees(7, 0.2),
            FEW.withSamples(0.5, 1, 1),
            FEW.withSamples(1, 0.5, 1),
            new BoostOptions(20, 7, 0.1, 2, 1, 1, 1, 1),
            new BoostOptions(20, 7, 0.1, 1, 5, 1, 1, 1))) {
      assertThat(grown(Task.Kind.BINARY, rows, other).toBytes()).isNotEqualTo(usual.toBytes());
    }
    assertThat(grown(Task.Kind.BINARY, rows, FEW.withSamples(0.5, 1, 1)).toBytes())
        .isNotEqualTo(grown(Task.Kind.BINARY, rows, FEW.withSamples(0.5, 1, 2)).toBytes());
  }

  @ParameterizedTest
  @EnumSource(value = Task.Kind.class, names = "ANOMALY", mode = EnumSource.Mode.EXCLUDE)
  void aFileHoldsAllTrees(Task.Kind kind) throws IOException {
    BoostedModel model = grown(kind, rows(kind, 300, 1), FEW);
    Model loaded = Model.fromBytes(model.toBytes());
    assertThat(loaded.toBytes()).isEqualTo(model.toBytes());
    for (Instance row : rows(kind, 50, 2)) {
      assertThat(loaded.score(row.features())).isEqualTo(model.score(row.features()));
    }
    assertThat(loaded.classes()).isEqualTo(classes(kind));
    assertThat(loaded.status().settings()).containsEntry("rounds", 20);
    assertThat(loaded).hasToString(model.toString());
  }

  /** The first rounds of a longer run are the rounds of a shorter one. */
  @Test
  void fewerRoundsAreTheStartOfMore() {
    List<Instance> rows = rows(Task.Kind.MULTICLASS, 300, 1);
    Boosting longer = new Boosting(Task.multiclass(), new double[] {0, 1, 2}, rows, List.of(), FEW);
    while (longer.round()) {
      assertThat(longer.model(longer.rounds()).rounds()).isEqualTo(longer.rounds());
    }
    assertThat(longer.model(7).toBytes())
        .isEqualTo(grown(Task.Kind.MULTICLASS, rows, FEW.withRounds(7)).toBytes());
  }

  /** The unit of labels changes nothing, however large or small they are. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-30, 1e-6, 1e90})
  void labelsMayBeOfAnySize(double unit) {
    List<Instance> rows = rows(Task.Kind.REGRESSION, 300, 1);
    List<Instance> scaled =
        rows.stream()
            .map(row -> new Instance(row.features(), unit * row.label(), row.weight()))
            .toList();
    BoostedModel one = grown(Task.Kind.REGRESSION, rows, FEW);
    BoostedModel other = grown(Task.Kind.REGRESSION, scaled, FEW);
    for (Instance row : rows) {
      double expected = one.predict(row.features());
      assertThat(other.predict(row.features()) / unit).isCloseTo(expected, within(1e-3));
    }
  }

  @Test
  void rowsWithoutAnyEntryAreAnsweredByTheirMean() {
    List<Instance> rows =
        List.of(new Instance(Features.dense(0, 0), 3), new Instance(Features.dense(0, 0), 5));
    BoostedModel model = grown(Task.Kind.REGRESSION, rows, FEW);
    assertThat(model.predict(Features.dense(1, 2))).isCloseTo(4, within(1e-9));
  }

  @Test
  void nonsenseIsRefused() {
    List<Instance> rows = rows(Task.Kind.BINARY, 10, 1);
    assertThatThrownBy(
            () -> new Boosting(Task.binary(), new double[] {-1, 1}, List.of(), rows, FEW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a row");
    assertThatThrownBy(
            () -> new Boosting(Task.multiclass(), new double[] {7, 8}, rows, List.of(), FEW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one of the classes");
    assertThatThrownBy(() -> new Boosting(Task.anomaly(), new double[0], rows, List.of(), FEW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without labels");
    assertThatThrownBy(() -> FEW.withTrees(13, 0.1)).hasMessageContaining("from 1 to 12: 13");
    assertThatThrownBy(() -> FEW.withTrees(7, 0)).hasMessageContaining("shrinkage must be > 0");
    assertThatThrownBy(() -> FEW.withSamples(0, 1, 1)).hasMessageContaining("part of rows");
    assertThatThrownBy(() -> FEW.withSamples(1, 2, 1)).hasMessageContaining("part of columns");
    assertThatThrownBy(() -> FEW.withRounds(0)).hasMessageContaining("rounds must be from 1");
  }
}
