package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/** Two vectors that become one. */
class MergingTest {
  private static final Kernel KERNEL = Kernel.gaussian(1);

  private static LabelStep labelStep(double step) {
    return new LabelStep(0, -1, Math.signum(step), 0, Math.abs(step));
  }

  @Test
  void aMergeIsAsGoodAsAnyPlaceBetween() {
    SplitMix random = new SplitMix(8);
    for (int run = 0; run < 300; run++) {
      double kappa = Math.exp(-4 * random.getAsDouble());
      Expansion f = pair(kappa, random.getAsDouble() + 0.1, random.getAsDouble() + 0.1);
      Merging.Pair pair = Merging.Pair.of(f, 0, 1, kappa);
      double best = 0;
      for (double h = 0; h <= 1; h += 1e-3) {
        double m = f.coefficient(0, 0) * Math.pow(kappa, (1 - h) * (1 - h));
        double n = f.coefficient(0, 1) * Math.pow(kappa, h * h);
        best = Math.max(best, (m + n) * (m + n));
      }
      assertThat(pair.norm()).isGreaterThan(best - 1e-3 * best);
    }
  }

  private static Expansion pair(double kappa, double alpha, double beta) {
    Expansion f = new Expansion(KERNEL, 1);
    f.measure(Features.dense(1));
    f.add(labelStep(alpha));
    f.measure(Features.dense(1 + Math.sqrt(-Math.log(kappa))));
    f.add(labelStep(beta));
    return f;
  }

  /** ‖f - f'‖² by the kernel itself is what the pair said, and the rest is orthogonal to Φ(z). */
  @Test
  void aMergeKeepsTheNormItShould() {
    for (double beta : new double[] {0.7, 0.4, -0.7}) {
      Expansion two = pair(0.6, 0.4, beta);
      Features x = two.vector(0);
      Features y = two.vector(1);
      int m = two.smallest();
      Merging.Pair pair = Merging.Pair.of(two, m, 1 - m, 0.6);
      Expansion f = new Expansion(KERNEL, 1);
      Budget budget = new Merging(1);
      f.measure(x);
      budget.admit(f, labelStep(0.4));
      f.measure(y);
      budget.admit(f, labelStep(beta));
      assertThat(f.size()).isEqualTo(1);
      double alphaZ = f.coefficient(0, 0);
      double kx = k(x, f.vector(0));
      double ky = k(y, f.vector(0));
      double norm = 0.16 + beta * beta + 2 * 0.6 * 0.4 * beta;
      double cross = alphaZ * (0.4 * kx + beta * ky);
      assertThat(alphaZ).isCloseTo(0.4 * kx + beta * ky, within(1e-4));
      assertThat(norm - 2 * cross + alphaZ * alphaZ).isCloseTo(pair.change(), within(1e-4));
    }
  }

  private static double k(Features x, Features z) {
    return KERNEL.of(Math.pow(x.get(0) - z.get(0), 2));
  }

  @Test
  void aPointBetweenTwoHasTheFeaturesOfBoth() {
    Features x = Features.sparse(new int[] {0, 3}, new double[] {4, 8});
    Features z = Features.sparse(new int[] {1, 3}, new double[] {2, 4});
    assertThat(Merging.between(x, z, 0.25))
        .isEqualTo(Features.sparse(new int[] {0, 1, 3}, new double[] {1, 1.5, 5}));
  }
}
