package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelTest {
  static List<DoubleFunction<Kernel>> kernels() {
    return List.of(
        Kernel::gaussian,
        Kernel::laplacian,
        Kernel::rationalQuadratic,
        Kernel::matern32,
        Kernel::matern52);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void itIsOneAtZeroAndFalls(DoubleFunction<Kernel> make) {
    Kernel kernel = make.apply(0.7);
    assertThat(kernel.of(0)).isEqualTo(1);
    for (double d = 0.1; d < 30; d += 0.1) {
      assertThat(kernel.of(d)).isBetween(0.0, kernel.of(d - 0.1));
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void allAtOnceIsOneByOne(DoubleFunction<Kernel> make) {
    Kernel kernel = make.apply(0.3);
    SplitMix random = new SplitMix(7);
    float[] distances = new float[1021];
    for (int j = 0; j < distances.length; j++) {
      distances[j] = (float) (j == 0 ? 0 : 400 * random.getAsDouble());
    }
    float[] all = new float[1021];
    kernel.of(distances, all, distances.length);
    for (int j = 0; j < distances.length; j++) {
      double one = kernel.of(distances[j]);
      assertThat((double) all[j]).isCloseTo(one, within(5e-7));
    }
    assertThat(all[0]).isEqualTo(1);
  }

  /** From points that coincide to points as far apart as features can be, for every width. */
  @ParameterizedTest
  @MethodSource("kernels")
  void itFallsFromOneToNothingWhateverTheWidth(DoubleFunction<Kernel> make) {
    float[] distances = new float[400];
    for (int j = 1; j < distances.length; j++) {
      distances[j] = (float) StrictMath.pow(10, -40 + 0.196 * j);
    }
    for (double gamma : new double[] {1e-300, 1e-30, 1e-5, 1, 1e4, 1e19, 1e38, 1e39, 1e308}) {
      Kernel kernel = make.apply(gamma);
      float[] all = new float[distances.length];
      kernel.of(distances, all, distances.length);
      assertThat(all[0]).isEqualTo(1);
      assertThat(kernel.of(0)).isEqualTo(1);
      for (int j = 1; j < distances.length; j++) {
        assertThat((double) all[j]).isBetween(0.0, all[j - 1] + 1e-6);
        double one = kernel.of(distances[j]);
        assertThat(one).isBetween(0.0, kernel.of(distances[j - 1]) + 1e-15);
        assertThat((double) all[j]).isCloseTo(one, within(gamma > Float.MAX_VALUE ? 1 : 5e-7));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void itIsPositiveDefinite(DoubleFunction<Kernel> make) {
    Kernel kernel = make.apply(1.1);
    SplitMix random = new SplitMix(3);
    double[][] x = new double[40][3];
    for (double[] row : x) {
      Arrays.setAll(row, i -> random.getAsDouble());
    }
    for (int trial = 0; trial < 200; trial++) {
      double[] a = random(random, x.length);
      double form = 0;
      for (int i = 0; i < x.length; i++) {
        for (int j = 0; j < x.length; j++) {
          form += a[i] * a[j] * kernel.of(squaredDistance(x[i], x[j]));
        }
      }
      assertThat(form).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void nonsenseIsRefusedWithRuleAndValue(DoubleFunction<Kernel> make) {
    for (double bad : new double[] {0, -0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> make.apply(bad)).hasMessage("gamma must be > 0 and finite: " + bad);
    }
  }

  @Test
  void theDefinitionsAreThose() {
    assertThat(Kernel.gaussian(0.5).of(4)).isEqualTo(StrictMath.exp(-2));
    assertThat(Kernel.laplacian(0.5).of(4)).isEqualTo(StrictMath.exp(-1));
    assertThat(Kernel.rationalQuadratic(0.5).of(4)).isEqualTo(1.0 / 3);
    double s = Math.sqrt(3);
    assertThat(Kernel.matern32(0.5).of(4)).isCloseTo((1 + s) * StrictMath.exp(-s), within(1e-15));
    s = Math.sqrt(5);
    assertThat(Kernel.matern52(0.5).of(4))
        .isCloseTo((1 + s + 5.0 / 3) * StrictMath.exp(-s), within(1e-15));
  }

  private static double[] random(SplitMix random, int n) {
    double[] a = new double[n];
    Arrays.setAll(a, i -> random.getAsDouble() - 0.5);
    return a;
  }

  private static double squaredDistance(double[] x, double[] z) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += (x[i] - z[i]) * (x[i] - z[i]);
    }
    return sum;
  }
}
