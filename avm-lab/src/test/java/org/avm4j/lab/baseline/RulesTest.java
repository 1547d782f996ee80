package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

/** The learners as wholes, by hand or against another that must agree. */
class RulesTest {
  private static final Task BINARY = Task.binary();
  private static final Task REGRESSION = Task.regression();

  @Test
  void thePerceptronAddsItsMistakesAndNothingElse() {
    OnlineLearner learner = Baselines.create(BaselineOptions.of(Method.PERCEPTRON, BINARY).build());
    learner.learn(Features.dense(0), 1);
    learner.learn(Features.dense(0.1), 1);
    assertThat(learner.size()).isEqualTo(1);
    learner.learn(Features.dense(1), -1);
    assertThat(learner.size()).isEqualTo(2);
    assertThat(learner.score(Features.dense(1))[0]).isCloseTo(Math.exp(-1) - 1, within(1e-6));
  }

  @Test
  void passiveAggressiveStepsSufferNoLossUnlessTheyAreCut() {
    StepRule rule = new StepRule.PassiveAggressive(0.5, 0.1);
    assertThat(rule.byMargin(0.75)).isEqualTo(0.25);
    assertThat(rule.byMargin(-3)).isEqualTo(0.5);
    assertThat(rule.byMargin(1.5)).isZero();
    assertThat(rule.byError(0.35)).isCloseTo(0.25, within(1e-15));
    assertThat(rule.byError(0.05)).isZero();
    assertThat(rule.byError(9)).isEqualTo(0.5);
  }

  @Test
  void gradientDescentAddsWhatLiesWithinTheMargin() {
    OnlineLearner learner =
        Baselines.create(BaselineOptions.of(Method.OGD, BINARY).eta(0.6).build());
    learner.learn(Features.dense(0), 1);
    learner.learn(Features.dense(0), 1);
    learner.learn(Features.dense(0), 1);
    assertThat(learner.size()).isEqualTo(2);
    assertThat(learner.score(Features.dense(0))[0]).isCloseTo(1.2, within(1e-6));
  }

  @Test
  void inRegressionThePerceptronFamilyTakesStepsOfOneSize() {
    OnlineLearner learner =
        Baselines.create(BaselineOptions.of(Method.RBP, REGRESSION).eta(0.3).epsilon(0.5).build());
    learner.learn(Features.dense(0), 1);
    assertThat(learner.score(Features.dense(0))[0]).isCloseTo(0.3, within(1e-6));
    learner.learn(Features.dense(0), -0.1);
    assertThat(learner.size()).isEqualTo(1);
    learner.learn(Features.dense(0), -2);
    assertThat(learner.score(Features.dense(0))[0]).isCloseTo(0, within(1e-6));
  }

  @Test
  void inRegressionGradientDescentTakesAPartOfTheError() {
    OnlineLearner learner =
        Baselines.create(BaselineOptions.of(Method.NOGD, REGRESSION).eta(0.25).build());
    learner.learn(Features.dense(0), 8);
    learner.learn(Features.dense(0), 8);
    assertThat(learner.score(Features.dense(0))[0]).isCloseTo(2 + 1.5, within(1e-6));
  }

  @Test
  void boundedGradientDescentShrinksAtEveryStep() {
    OnlineLearner learner =
        Baselines.create(BaselineOptions.of(Method.BOGD, BINARY).eta(0.5).lambda(0.2).build());
    learner.learn(Features.dense(0), 1);
    learner.learn(Features.dense(0), 1);
    assertThat(learner.score(Features.dense(0))[0]).isCloseTo(0.5 * 0.9 + 0.5, within(1e-6));
    learner.learn(Features.dense(9), 1);
    assertThat(learner.score(Features.dense(0))[0]).isCloseTo(0.95 * 0.9, within(1e-6));
  }

  /** Pegasos in its own words: w ← (1 - 1/t) w + y/(λt) Φ(x) where y f(x) < 1. */
  @Test
  void whileThereIsRoomBsgdIsPegasos() {
    OnlineLearner learner =
        Baselines.create(
            BaselineOptions.of(Method.BSGD_M, BINARY).lambda(0.05).budget(500).build());
    List<Instance> stream = Streams.binary(200, 2, 3);
    double[] alpha = new double[stream.size()];
    for (int t = 1; t <= stream.size(); t++) {
      Instance instance = stream.get(t - 1);
      double f = 0;
      for (int s = 0; s < t - 1; s++) {
        f += alpha[s] * kernel(stream.get(s).features(), instance.features());
      }
      assertThat(learner.score(instance.features())[0]).isCloseTo(f, within(1e-4));
      for (int s = 0; s < t - 1; s++) {
        alpha[s] *= 1 - 1.0 / t;
      }
      alpha[t - 1] = instance.label() * f < 1 ? instance.label() / (0.05 * t) : 0;
      learner.learn(instance.features(), instance.label());
    }
  }

  private static double kernel(Features x, Features z) {
    return Math.exp(-Math.pow(x.get(0) - z.get(0), 2) - Math.pow(x.get(1) - z.get(1), 2));
  }

  @Test
  void withSeveralClassesTheTrueOneRisesAndTheRunnerUpFalls() {
    OnlineLearner learner =
        Baselines.create(
            BaselineOptions.of(Method.BSGD_R, Task.multiclass(1, 2, 3)).lambda(1).build());
    learner.learn(Features.dense(0), 2);
    assertThat(learner.score(Features.dense(0))).containsExactly(-1, 1, 0);
    learner.learn(Features.dense(0), 3);
    assertThat(learner.score(Features.dense(0))).containsExactly(-0.5, 0, 0.5);
  }

  @Test
  void nogdIsKernelDescentUntilTheBudgetIsFull() {
    BaselineOptions options = BaselineOptions.of(Method.NOGD, BINARY).budget(50).build();
    OnlineLearner nogd = Baselines.create(options);
    OnlineLearner ogd = Baselines.create(BaselineOptions.of(Method.OGD, BINARY).build());
    for (Instance instance : Streams.binary(300, 3, 1)) {
      if (nogd.size() < 50) {
        assertThat(nogd.score(instance.features())).isEqualTo(ogd.score(instance.features()));
      }
      nogd.learn(instance.features(), instance.label());
      ogd.learn(instance.features(), instance.label());
    }
    assertThat(nogd.size()).isEqualTo(50);
    assertThat(ogd.size()).isGreaterThan(50);
  }

  @Test
  void atFullRankNogdChangesWithoutAJump() {
    BaselineOptions options =
        BaselineOptions.of(Method.NOGD, BINARY).budget(10).rank(10).gamma(4).build();
    OnlineLearner nogd = Baselines.create(options);
    OnlineLearner ogd = Baselines.create(Changes.of(options).budget(11).rank(11).build());
    Features x = Features.dense(0.3, 0.1, -0.2);
    for (Instance instance : Streams.binary(30, 3, 1)) {
      if (nogd.size() < 10) {
        nogd.learn(instance.features(), instance.label());
        ogd.learn(instance.features(), instance.label());
      }
    }
    assertThat(nogd.size()).isEqualTo(10);
    assertThat(nogd.score(x)[0]).isCloseTo(ogd.score(x)[0], within(1e-6));
    OnlineLearner kol = Baselines.create(Changes.of(options).toolbox(true).build());
    for (Instance instance : Streams.binary(30, 3, 1)) {
      if (kol.size() < 10) {
        kol.learn(instance.features(), instance.label());
      }
    }
    assertThat(kol.score(x)[0]).as("w = 0 at the change").isZero();
  }

  /** In regression no step hangs on a threshold, so that a small difference stays small. */
  @Test
  void fogdWithManyFeaturesIsKernelDescent() {
    BaselineOptions options = BaselineOptions.of(Method.FOGD, REGRESSION).features(20_000).build();
    OnlineLearner fogd = Baselines.create(options);
    OnlineLearner kernel =
        Baselines.create(BaselineOptions.of(Method.NOGD, REGRESSION).budget(1000).build());
    for (Instance instance : Streams.regression(200, 3, 1)) {
      double exact = kernel.score(instance.features())[0];
      assertThat(fogd.score(instance.features())[0]).isCloseTo(exact, within(0.05));
      fogd.learn(instance.features(), instance.label());
      kernel.learn(instance.features(), instance.label());
    }
  }

  @Test
  void theToolboxesStepOfFogdIsLongerByTheNumberOfFrequencies() {
    BaselineOptions paper = BaselineOptions.of(Method.FOGD, BINARY).features(64).eta(0.64).build();
    OnlineLearner one = Baselines.create(paper);
    OnlineLearner other = Baselines.create(Changes.of(paper).eta(0.01).toolbox(true).build());
    for (Instance instance : Streams.binary(300, 3, 1)) {
      double expected = one.score(instance.features())[0];
      assertThat(other.score(instance.features())[0]).isCloseTo(expected, within(1e-9));
      one.learn(instance.features(), instance.label());
      other.learn(instance.features(), instance.label());
    }
  }
}
