package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

/** How much learners and trees count beside each other. */
class StackingTest {
  private static final int ROWS = 400;
  private static final int[] ALL = IntStream.range(0, ROWS).toArray();

  /** Scores of numbers, each of which is off by an error of its own. */
  private static Stacking.Rows numbers(double offLearners, double offTrees) {
    Random random = new Random(1);
    List<Instance> rows = new ArrayList<>();
    double[][] learners = new double[ROWS][1];
    double[][] trees = new double[ROWS][1];
    for (int r = 0; r < ROWS; r++) {
      double y = random.nextGaussian();
      rows.add(new Instance(Features.dense(1), y));
      learners[r][0] = y + offLearners * random.nextGaussian();
      trees[r][0] = y + offTrees * random.nextGaussian();
    }
    Model model = new Avm(AvmOptions.regression().build()).snapshot();
    return new Stacking.Rows(model, rows, learners, trees);
  }

  @Test
  void weightsOfNumbersMinimiseTheSquaredError() {
    Stacking.Rows rows = numbers(0.5, 0.3);
    Stacking found = Stacking.by(rows, ALL);
    assertThat(found.learners() + found.trees()).isEqualTo(1);
    for (double trees = 0; trees <= 1; trees += 0.01) {
      assertThat(new Stacking(1 - trees, trees).loss(rows, ALL))
          .isGreaterThanOrEqualTo(found.loss(rows, ALL));
    }
    assertThat(found.trees()).isCloseTo(0.25 / (0.25 + 0.09), within(0.05));
  }

  @Test
  void whatIsWorthNothingIsLeftOut() {
    assertThat(Stacking.by(numbers(0.1, 3), ALL)).isEqualTo(Stacking.LEARNERS);
    assertThat(Stacking.by(numbers(3, 0.1), ALL)).isEqualTo(Stacking.TREES);
    assertThat(Stacking.by(numbers(0.5, 0.3), IntStream.range(0, 19).toArray()))
        .isEqualTo(Stacking.LEARNERS);
  }

  /** Margins of learners are on another scale than the log-odds of trees. */
  private static Stacking.Rows classes(double learnersFactor, double treesFactor) {
    Random random = new Random(1);
    List<Instance> rows = new ArrayList<>();
    double[][] learners = new double[ROWS][1];
    double[][] trees = new double[ROWS][1];
    for (int r = 0; r < ROWS; r++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      double logit = 2 * a + 3 * b;
      boolean isHigher = random.nextDouble() < 1 / (1 + Math.exp(-logit));
      rows.add(new Instance(Features.dense(1), isHigher ? 1 : -1));
      learners[r][0] = learnersFactor * a;
      trees[r][0] = treesFactor * b;
    }
    Model model = new Avm(AvmOptions.binary().build()).snapshot();
    return new Stacking.Rows(model, rows, learners, trees);
  }

  @Test
  void weightsOfClassesMinimiseTheLogLoss() {
    Stacking.Rows rows = classes(0.5, 1);
    Stacking found = Stacking.by(rows, ALL);
    assertThat(found.learners()).isBetween(2.5, 5.5);
    assertThat(found.trees()).isBetween(2.0, 4.0);
    double least = found.loss(rows, ALL);
    for (double factor : new double[] {0, 0.5, 0.9, 1.1, 2}) {
      assertThat(new Stacking(factor * found.learners(), found.trees()).loss(rows, ALL))
          .isGreaterThan(least - 1e-3);
      assertThat(new Stacking(found.learners(), factor * found.trees()).loss(rows, ALL))
          .isGreaterThan(least - 1e-3);
    }
  }

  @Test
  void noWeightIsNegative() {
    Stacking trees = Stacking.by(classes(-1, 1), ALL);
    assertThat(trees.learners()).isZero();
    assertThat(trees.trees()).isPositive();
    double least = trees.loss(classes(-1, 1), ALL);
    for (double factor : new double[] {0.5, 0.9, 1.1, 2}) {
      assertThat(new Stacking(0, factor * trees.trees()).loss(classes(-1, 1), ALL))
          .isGreaterThan(least);
    }
    assertThat(Stacking.by(classes(1, -1), ALL)).isEqualTo(Stacking.LEARNERS);
  }
}
