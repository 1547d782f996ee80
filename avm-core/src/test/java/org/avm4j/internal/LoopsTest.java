package org.avm4j.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.avm4j.math.SplitMix;
import org.avm4j.math.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast loops against their meaning, at awkward sizes. */
class LoopsTest {
  private static final int[] FEATURES = {0, 1, 2, 3, 4, 5, 7, 13, 31};

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 13, 31, 207, 1021})
  void distancesAreTheObviousOnes(int n) {
    SplitMix random = new SplitMix(n);
    for (int d : FEATURES) {
      float[] x = floats(random, d);
      float[][] columns = new float[d][];
      Arrays.setAll(columns, i -> floats(random, n));
      float[] fast = new float[n];
      float[] obvious = new float[n];
      Distances.dense(x, columns, d, n, 0.25, fast);
      Distances.obvious(x, columns, d, n, 0.25, obvious);
      for (int j = 0; j < n; j++) {
        assertThat(fast[j]).isCloseTo(obvious[j], within(4e-6f * obvious[j]));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 13, 31, 207, 1021})
  void productsAreTheObviousOnes(int n) {
    SplitMix random = new SplitMix(n);
    for (int d : FEATURES) {
      float[] x = floats(random, d);
      float[][] columns = new float[d][];
      Arrays.setAll(columns, i -> floats(random, n));
      float[] fast = new float[n];
      Distances.products(x, columns, d, n, fast);
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < d; i++) {
          sum += (double) x[i] * columns[i][j];
        }
        assertThat((double) fast[j]).isCloseTo(sum, within(1e-5 * (1 + d)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 13, 31, 207, 1021})
  void fourAdditionsAreFourTimesOne(int n) {
    SplitMix random = new SplitMix(n);
    double[][] v = new double[4][];
    Arrays.setAll(v, i -> doubles(random, n));
    double[] fast = doubles(random, n);
    double[] obvious = fast.clone();
    Vectors.addFour(2, v[0], -3, v[1], 0.5, v[2], 7, v[3], fast, 0, n);
    Vectors.add(2, v[0], obvious, n);
    Vectors.add(-3, v[1], obvious, n);
    Vectors.add(0.5, v[2], obvious, n);
    Vectors.add(7, v[3], obvious, n);
    for (int j = 0; j < n; j++) {
      assertThat(fast[j]).isCloseTo(obvious[j], within(1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 13, 31, 207, 1021})
  void aDotProductIsTheObviousSum(int n) {
    SplitMix random = new SplitMix(n);
    double[] a = doubles(random, n);
    double[] b = doubles(random, n);
    double sum = 0;
    for (int j = 0; j < n; j++) {
      sum += a[j] * b[j];
    }
    assertThat(Vectors.dot(a, b, n)).isCloseTo(sum, within(1e-13 * (1 + n)));
  }

  /** Σ ± v vᵀ row by row and vector by vector is the meaning of blocks on one core and on all. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 13, 31, 207})
  void productsInBlocksAreThoseOfOneVectorAfterTheOther(int n) {
    SplitMix random = new SplitMix(n);
    Gram one = new Gram();
    for (int j = 0; j < n; j++) {
      one.grow();
    }
    Gram all = Gram.onAllCores(n);
    double[][] obvious = new double[n][n];
    for (int t = 0; t < 150; t++) {
      double[] v = doubles(random, n);
      double w = t % 3 == 2 ? -0.5 : 1;
      one.add(w, v);
      all.add(w, v);
      for (int i = 0; i < n; i++) {
        Vectors.add(w * v[i], v, obvious[i], n);
      }
    }
    Gram sum = Gram.onAllCores(n);
    sum.add(all);
    double[] ridge = new double[n];
    Arrays.fill(ridge, 300);
    for (int i = 0; i < n; i++) {
      obvious[i][i] += 300;
      assertThat(one.diagonal(i)).isCloseTo(obvious[i][i] - 300, within(1e-10));
    }
    assertThat(Cholesky.factor(obvious, n)).isTrue();
    isLower(one.factor(ridge), obvious);
    isLower(all.factor(ridge), obvious);
    isLower(sum.factor(ridge), obvious);
  }

  @Test
  void aMatrixThatIsNotPositiveHasNoFactorEitherWay() {
    double[][] a = new double[70][70];
    for (int i = 0; i < 70; i++) {
      Arrays.fill(a[i], 1);
      a[i][i] = i < 50 ? 2 : 1;
    }
    double[][] b = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    assertThat(Cholesky.factor(a, 70)).isFalse();
    assertThat(Cholesky.factorInBlocks(b, 70)).isFalse();
  }

  private static void isLower(double[][] fast, double[][] obvious) {
    for (int i = 0; i < obvious.length; i++) {
      for (int j = 0; j <= i; j++) {
        assertThat(fast[i][j]).isCloseTo(obvious[i][j], within(1e-9));
      }
    }
  }

  @Test
  void theExponentialKeepsItsBound() {
    float[] x = new float[1_000_000];
    float[] y = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = 87f * i / x.length;
    }
    Exp.ofNegative(-1, x, y, y.length);
    for (int i = 0; i < x.length; i++) {
      double exact = Math.exp(-x[i]);
      double bound = x[i] < 40 ? Math.min(Exp.ERROR, 5e-5 * exact) : 1e-20;
      if (!(Math.abs(y[i] - exact) <= bound)) {
        assertThat((double) y[i]).as("exp of %s", -x[i]).isEqualTo(exact);
      }
    }
    assertThat(y[0]).isEqualTo(1);
  }

  @Test
  void farBelowTheExponentialStaysTiny() {
    float[] x = {-89, -1e3f, -1e30f, Float.NEGATIVE_INFINITY};
    Exp.ofNegative(1, x, x, x.length);
    assertThat(x).containsOnly(x[0]);
    assertThat(x[0]).isBetween(0f, 2e-38f);
  }

  private static float[] floats(SplitMix random, int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) (2 * random.getAsDouble() - 1);
    }
    return values;
  }

  private static double[] doubles(SplitMix random, int n) {
    double[] values = new double[n];
    Arrays.setAll(values, i -> 2 * random.getAsDouble() - 1);
    return values;
  }
}
