package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Streams;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/** Each way to stay within a budget, held against its definition by hand or by brute force. */
class BudgetTest {
  private static final Kernel KERNEL = Kernel.gaussian(1);

  private static LabelStep labelStep(double step) {
    return new LabelStep(0, -1, Math.signum(step), 0, Math.abs(step));
  }

  /** f with n vectors of random places and coefficients. */
  private static Expansion random(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    Expansion f = new Expansion(KERNEL, 1);
    for (Instance instance : Streams.binary(n, 3, seed)) {
      f.measure(instance.features());
      f.add(labelStep(random.getAsDouble() * instance.label() + 0.01));
    }
    return f;
  }

  private static double valueAt(Expansion f, Features x) {
    f.measure(x);
    return f.value(0);
  }

  @Test
  void theOldestGoes() {
    Expansion f = random(4, 1);
    Budget budget = new Budget.Oldest(4);
    for (int j = 0; j < 6; j++) {
      f.measure(Features.dense(j));
      budget.admit(f, labelStep(j + 1));
    }
    assertThat(f.coefficients(0)).containsExactlyInAnyOrder(3, 4, 5, 6);
  }

  @Test
  void theSmallestGoesAndOfEqualsTheOldest() {
    Expansion f = new Expansion(KERNEL, 1);
    for (double step : new double[] {2, -1, 3, 1}) {
      f.measure(Features.dense(step));
      f.add(labelStep(step));
    }
    f.measure(Features.dense(9));
    new Budget.Smallest(4).admit(f, labelStep(5));
    assertThat(f.coefficients(0)).containsExactly(2, 5, 3, 1);
  }

  @Test
  void randomRemovalSparesTheNewcomerAndTreatsAllOthersAlike() {
    int[] removed = new int[5];
    Budget budget = Budget.Randomly.plain(5, 1);
    for (int run = 0; run < 5000; run++) {
      Expansion f = random(5, 2);
      double[] before = f.coefficients(0);
      f.measure(Features.dense(1, 2, 3));
      budget.admit(f, labelStep(7));
      double[] after = f.coefficients(0);
      int at = Arrays.stream(new int[] {0, 1, 2, 3, 4}).filter(j -> after[j] == 7).sum();
      removed[at]++;
      before[at] = 7;
      assertThat(after).isEqualTo(before);
    }
    for (int count : removed) {
      assertThat(count).isBetween(880, 1120);
    }
  }

  @Test
  void unbiasedRemovalKeepsFOnTheAverage() {
    Features x = Features.dense(0.2, -0.1, 0.4);
    double before = valueAt(random(5, 2), x);
    double sum = 0;
    Budget budget = Budget.Randomly.unbiased(5, 100, 1);
    for (int run = 0; run < 20_000; run++) {
      Expansion f = random(5, 2);
      f.measure(Features.dense(50, 50));
      budget.admit(f, labelStep(7));
      sum += valueAt(f, x);
    }
    assertThat(sum / 20_000).isCloseTo(before, within(0.01));
  }

  @Test
  void noCoefficientExceedsTheBound() {
    Expansion f = random(5, 2);
    f.measure(Features.dense(1));
    double[] before = f.coefficients(0);
    Budget.Randomly.unbiased(5, 0.5, 1).admit(f, labelStep(2));
    assertThat(f.largest(0)).isCloseTo(0.5, within(1e-15));
    long kept =
        Arrays.stream(before)
            .map(alpha -> alpha * 5 / 4 * 0.25)
            .filter(alpha -> has(f.coefficients(0), alpha))
            .count();
    assertThat(kept).isEqualTo(4);
  }

  private static boolean has(double[] values, double wanted) {
    return Arrays.stream(values).anyMatch(value -> Math.abs(value - wanted) < 1e-12);
  }

  @Test
  void theForgetronShrinksByTheLargestFactorThatFits() {
    SplitMix random = new SplitMix(4);
    for (int run = 0; run < 2000; run++) {
      double sigma = 0.01 + random.getAsDouble();
      double mu = 6 * random.getAsDouble() - 3;
      double room = 15.0 / 32 * (0.1 + random.getAsDouble());
      double phi = Forgetron.shrinking(sigma, mu, room);
      assertThat(phi).isPositive().isLessThanOrEqualTo(1);
      assertThat(Forgetron.psi(phi, sigma, mu)).isLessThanOrEqualTo(room + 1e-12);
      for (double larger = phi + 1e-3; larger <= 1; larger += 1e-3) {
        assertThat(Forgetron.psi(larger, sigma, mu)).isGreaterThan(room);
      }
    }
  }

  /**
   * One vector at 0 with coefficient 1; a mistake at distance far away: M = 2, σ = 1, μ = 1, so
   * Ψ(φ) = φ² + 2φ(1 - φ) = 2φ - φ² and the room is 30/32: φ = 1 - √(1 - 30/32) = 0.75.
   */
  @Test
  void theForgetronByHand() {
    Expansion f = new Expansion(KERNEL, 1);
    Budget budget = new Forgetron(1, 1, false);
    f.measure(Features.dense(0));
    budget.admit(f, labelStep(1));
    f.measure(Features.dense(100));
    budget.admit(f, labelStep(-1));
    assertThat(f.size()).isEqualTo(1);
    assertThat(f.coefficient(0, 0)).isCloseTo(-0.75, within(1e-12));
  }

  /** As above, but the other root of 2φ - φ² = 30/32 is 1.25. */
  @Test
  void theToolboxesForgetronGrowsInstead() {
    Expansion f = new Expansion(KERNEL, 1);
    Budget budget = new Forgetron(1, 1, true);
    f.measure(Features.dense(0));
    budget.admit(f, labelStep(1));
    f.measure(Features.dense(100));
    budget.admit(f, labelStep(-1));
    assertThat(f.coefficient(0, 0)).isCloseTo(-1.25, within(1e-12));
  }

  @Test
  void bpasReplacesTheVectorThatBruteForceFinds() {
    for (int run = 0; run < 50; run++) {
      double c = 0.4;
      Expansion f = random(6, run);
      Instance next = Streams.binary(1, 3, 1000 + run).get(0);
      double margin = next.label() * valueAt(f, next.features());
      double tau = new StepRule.PassiveAggressive(c, 0).byMargin(margin);
      if (tau == 0) {
        continue;
      }
      double[] alpha = f.coefficients(0);
      double[] best = bruteForce(alpha, f.kernels(), next.label(), margin, c);
      new Budget.Replacing(6).admit(f, labelStep(next.label() * tau));
      double[] after = f.coefficients(0);
      int r = (int) best[0];
      assertThat(after[r]).isCloseTo(best[1], within(2e-4));
      for (int j = 0; j < 6; j++) {
        assertThat(j == r || after[j] == alpha[j]).isTrue();
      }
    }
  }

  /** The r and β that minimise ½‖f' - f‖² + C max(0, 1 - y f'(x)), all r and a fine grid of β. */
  private static double[] bruteForce(
      double[] alpha, double[] k, double y, double margin, double c) {
    double least = Double.POSITIVE_INFINITY;
    double[] best = new double[2];
    for (int r = 0; r < alpha.length; r++) {
      for (double beta = -3; beta <= 3; beta += 1e-4) {
        double distance = alpha[r] * alpha[r] + beta * beta - 2 * alpha[r] * beta * k[r];
        double loss = Math.max(0, 1 - margin - y * (beta - alpha[r] * k[r]));
        double value = distance / 2 + c * loss;
        if (value < least) {
          least = value;
          best = new double[] {r, beta};
        }
      }
    }
    return best;
  }
}
