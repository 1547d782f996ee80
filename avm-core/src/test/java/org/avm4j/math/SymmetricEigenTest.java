package org.avm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eigenpairs against their definition. */
class SymmetricEigenTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 13, 31, 97})
  void theEigenpairsGiveTheMatrixBack(int n) {
    SplitMix random = new SplitMix(n);
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        a[i][j] = random.getAsDouble() - 0.5;
        a[j][i] = a[i][j];
      }
    }
    checkEigen(a, 1e-12);
  }

  @Test
  void matricesWithEqualEigenvaluesAreNoProblem() {
    checkEigen(new double[5][5], 0);
    double[][] ones = new double[6][6];
    Arrays.stream(ones).forEach(row -> Arrays.fill(row, 1));
    checkEigen(ones, 1e-14);
    double[][] twins = new double[40][40];
    for (int i = 0; i < 40; i++) {
      int row = i;
      Arrays.setAll(twins[i], j -> Math.exp(-Math.pow(row % 3 - j % 3, 2)));
    }
    checkEigen(twins, 1e-12);
    double[][] unit = new double[4][4];
    for (int i = 0; i < 4; i++) {
      unit[i][i] = 3;
    }
    checkEigen(unit, 0);
  }

  private static void checkEigen(double[][] a, double tolerance) {
    SymmetricEigen eigen = SymmetricEigen.of(a);
    int n = a.length;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum += eigen.value(k) * eigen.vector(k)[i] * eigen.vector(k)[j];
        }
        assertThat(sum).isCloseTo(a[i][j], within(tolerance));
        double product = Vectors.dot(eigen.vector(i), eigen.vector(j), n);
        assertThat(product).isCloseTo(i == j ? 1 : 0, within(1e-12));
      }
      assertThat(eigen.value(Math.max(0, i - 1))).isGreaterThanOrEqualTo(eigen.value(i));
    }
  }

  @Test
  void theRootTimesItselfIsTheMatrix() {
    double[][] a = {{2, 0.5, 0}, {0.5, 1, -0.3}, {0, -0.3, 3}};
    double[][] root = SymmetricEigen.of(a).map(Math::sqrt);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        assertThat(Vectors.dot(root[i], root[j], 3)).isCloseTo(a[i][j], within(1e-12));
        assertThat(root[i][j]).isEqualTo(root[j][i]);
      }
    }
  }
}
