package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RareClassTest {
  private static final Costs COSTS = new Costs(60, 1);

  /** Scores of two classes, 3 and 8, that overlap; many are tied. The score is the only feature. */
  private static List<Instance> rows(int count, double rareLabel, long seed) {
    Random random = new Random(seed);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isRare = random.nextInt(10) == 0;
      double label = isRare ? rareLabel : 11 - rareLabel;
      double score = Math.rint(8 * (random.nextGaussian() + (label == 8 ? 1 : -1))) / 8;
      rows.add(new Instance(Features.dense(score), label));
    }
    return rows;
  }

  private static RareClass of(List<Instance> rows) {
    RareClass rare = new RareClass(new double[] {3, 8}, Optional.empty());
    rows.forEach(row -> rare.add(row.label(), score(row)));
    return rare;
  }

  private static double score(Instance row) {
    return row.features().get(0);
  }

  private static double cost(List<Instance> rows, double rareLabel, double threshold) {
    double cost = 0;
    for (Instance row : rows) {
      double answer = score(row) >= threshold ? 8 : 3;
      boolean isWrong = answer != row.label();
      cost += !isWrong ? 0 : row.label() == rareLabel ? COSTS.missed() : COSTS.alarm();
    }
    return cost;
  }

  @ParameterizedTest
  @ValueSource(doubles = {3, 8})
  void noThresholdCostsLessThanTheOneThatIsChosen(double rareLabel) {
    List<Instance> rows = rows(700, rareLabel, 1);
    RareClass rare = of(rows);
    assertThat(rare.label()).isEqualTo(rareLabel);
    double chosen = rare.threshold(COSTS).score();
    double least = Double.MAX_VALUE;
    for (double t = -6; t < 6; t += 1 / 16.0) {
      least = Math.min(least, cost(rows, rareLabel, t));
      assertThat(rare.cost(COSTS, t)).isEqualTo(cost(rows, rareLabel, t));
    }
    assertThat(cost(rows, rareLabel, chosen)).isEqualTo(least);
    assertThat(least).isLessThan(cost(rows, rareLabel, 0));
  }

  @ParameterizedTest
  @ValueSource(doubles = {3, 8})
  void whereMistakesOfOneKindCostNearlyNothingAllIsAnsweredAlike(double rareLabel) {
    List<Instance> rows = rows(300, rareLabel, 2);
    RareClass rare = of(rows);
    double all = rare.threshold(new Costs(1e9, 1e-3)).score();
    double none = rare.threshold(new Costs(1e-3, 1e9)).score();
    assertThat(rows.stream().filter(r -> score(r) >= all == (rareLabel == 8)))
        .filteredOn(row -> row.label() == rareLabel)
        .hasSize(rare.rare());
    assertThat(rows.stream().filter(r -> score(r) >= none == (rareLabel == 8)))
        .allMatch(row -> row.label() == rareLabel);
  }

  /** The half of the rows that is judged must not choose. */
  @Test
  void halvesChooseForEachOther() {
    List<Instance> rows = rows(400, 8, 3);
    List<Instance> even = new ArrayList<>();
    List<Instance> odd = new ArrayList<>();
    for (int r = 0; r < rows.size(); r++) {
      (r % 2 == 0 ? even : odd).add(rows.get(r));
    }
    double expected =
        cost(even, 8, of(odd).threshold(COSTS).score())
            + cost(odd, 8, of(even).threshold(COSTS).score());
    assertThat(of(rows).crossedCost(COSTS)).isEqualTo(expected);
    assertThat(expected).isGreaterThanOrEqualTo(cost(rows, 8, of(rows).threshold(COSTS).score()));
  }

  /** The definition of average precision, threshold by threshold. */
  @Test
  void averagePrecisionIsTheAreaUnderTheCurve() {
    List<Instance> rows = rows(500, 3, 4);
    double area = 0;
    double before = 0;
    for (double t = -6; t < 6; t += 1 / 8.0) {
      double threshold = t;
      List<Instance> called = rows.stream().filter(r -> score(r) <= threshold).toList();
      double found = called.stream().filter(r -> r.label() == 3).count();
      double recall = found / of(rows).rare();
      area += called.isEmpty() ? 0 : found / called.size() * (recall - before);
      before = recall;
    }
    assertThat(of(rows).averagePrecision()).isCloseTo(area, within(1e-12));
    assertThat(of(rows).curve()).hasSizeBetween(10, 50);
    assertThat(of(rows).curve().get(of(rows).curve().size() - 1).recall()).isEqualTo(1);
  }

  @Test
  void scoresThatSayNothingLiftNothing() {
    RareClass rare = new RareClass(new double[] {3, 8}, Optional.empty());
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      rare.add(random.nextInt(10) == 0 ? 8 : 3, random.nextGaussian());
    }
    assertThat(rare.lift(0.1)).isBetween(0.85, 1.15);
    assertThat(rare.averagePrecision()).isBetween(0.09, 0.12);
  }

  @Test
  void aModelKnowsWhichClassItsCostsAreAbout() {
    CostThreshold known = new CostThreshold(0.5, false, COSTS, 100);
    RareClass rare = new RareClass(new double[] {3, 8}, Optional.of(known));
    rows(100, 8, 6).forEach(row -> rare.add(row.label(), score(row)));
    assertThat(rare.label()).isEqualTo(3);
    assertThat(rare.rare()).isGreaterThan(50);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Costs(0, 1)).hasMessageContaining("missed must be above 0");
    assertThatThrownBy(() -> new Costs(1, Double.NaN)).hasMessageContaining("alarm");
    assertThatThrownBy(() -> new CostThreshold(Double.NaN, true, COSTS, 1))
        .hasMessageContaining("a threshold must be a finite number");
    assertThatThrownBy(() -> new RareClass(new double[3], Optional.empty()))
        .hasMessageContaining("two classes");
  }
}
