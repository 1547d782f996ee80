package org.avm4j.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.Loss;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

class ParabolasTest {
  private static final double TYPICAL = 0.7;

  @Test
  void ofANumberTheScoreIsPulledToTheGoalOfItsResidual() {
    for (Loss loss : List.of(Loss.squared(), Loss.absolute(), Loss.epsilonInsensitive(0.1))) {
      Parabolas parabolas = new Parabolas(loss, Columns.single(), TYPICAL);
      for (double score : new double[] {-2, 0.95, 1, 3}) {
        double curvature = parabolas.fit(new double[] {score}, 1, 0, 1);
        assertThat(curvature).isEqualTo(loss.curvature(score - 1, TYPICAL));
        double expected = curvature == 0 ? 0 : curvature * (loss.goal(score - 1) - (score - 1));
        assertThat(parabolas.pull(0)).isEqualTo(expected);
      }
    }
  }

  /** One against the rest: the own column is pulled up, all others down, by their margins. */
  @Test
  void ofClassesTheLargestCurvatureServesAllColumns() {
    for (Loss loss : List.of(Loss.hinge(), Loss.smoothHinge(0.5), Loss.logistic())) {
      Parabolas parabolas = new Parabolas(loss, Columns.perClass(List.of(3.0, 8.0, 9.0)), 0);
      double[] scores = {0.2, -0.6, 4};
      double[] margins = {-0.2, -0.6, -4};
      double[] labels = {-1, 1, -1};
      double largest = 0;
      double found = parabolas.fit(scores, 3, 1, 8);
      for (int c = 0; c < 3; c++) {
        double curvature = loss.curvature(margins[c], 0);
        largest = Math.max(largest, curvature);
        double expected =
            curvature == 0 ? 0 : labels[c] * curvature * (loss.goal(margins[c]) - margins[c]);
        assertThat(parabolas.pull(c)).isEqualTo(expected);
      }
      assertThat(found).isEqualTo(largest);
      assertThat(parabolas.pull(1)).isPositive();
      assertThat(parabolas.pull(0)).isNegative();
    }
  }

  @Test
  void beyondTheMarginNothingIsPulled() {
    Parabolas parabolas = new Parabolas(Loss.hinge(), Columns.single(-1, 1), 0);
    assertThat(parabolas.fit(new double[] {-3}, 1, 0, -1)).isZero();
    assertThat(parabolas.pull(0)).isZero();
  }

  /** Residuals 4, 2 and 3, of which the t-th weighs t. */
  @Test
  void theTypicalResidualIsAMeanInWhichTheLaterWeighMore() {
    Parabolas parabolas = new Parabolas(Loss.absolute(), Columns.single(), 0);
    parabolas.fit(new double[] {5}, 1, 0, 1, 1);
    assertThat(parabolas.typical()).isEqualTo(4);
    parabolas.fit(new double[] {-1}, 1, 0, 1, 2);
    parabolas.fit(new double[] {4}, 1, 0, 1, 3);
    assertThat(parabolas.typical()).isCloseTo((4 + 2 * 2 + 3 * 3) / 6.0, within(1e-12));
    double typical = parabolas.typical();
    double curvature = parabolas.fit(new double[] {2}, 1, 0, 1, 4);
    assertThat(curvature).isEqualTo(Loss.absolute().curvature(1, typical));
    Parabolas classes = new Parabolas(Loss.hinge(), Columns.single(-1, 1), 0);
    classes.fit(new double[] {5}, 1, 0, -1, 1);
    assertThat(classes.typical()).as("of classes there is none").isZero();
  }

  @Test
  void onlyTheParabolaOfSquaredLossIsTheLossItself() {
    assertThat(new Parabolas(Loss.squared(), Columns.single(), 0).isExact()).isTrue();
    assertThat(new Parabolas(Loss.absolute(), Columns.single(), 0).isExact()).isFalse();
  }

  @Test
  void twoTypicalResidualsHaveAMeanByTheWeightsOfTheirInstances() {
    Parabolas mine = new Parabolas(Loss.absolute(), Columns.single(), 4);
    mine.merge(3, new Parabolas(Loss.absolute(), Columns.single(), 9), 2);
    assertThat(mine.typical()).isEqualTo((9 * 4 + 4 * 9) / 13.0);
    mine.typical(3);
    mine.merge(0, new Parabolas(Loss.absolute(), Columns.single(), 9), 0);
    assertThat(mine.typical()).as("nobody has seen anything").isEqualTo(3);
  }
}
