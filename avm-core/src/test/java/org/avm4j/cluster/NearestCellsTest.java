package org.avm4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast search for neighbours finds what measuring all distances finds. */
class NearestCellsTest {
  private static double[][] columns(int n, int dimension) {
    Random random = new Random(n);
    double[][] columns = new double[dimension][n + 3];
    for (double[] column : columns) {
      for (int j = 0; j < n; j++) {
        column[j] = Math.round(20 * random.nextGaussian()) / 10.0;
      }
    }
    return columns;
  }

  private static double square(double[][] columns, int a, int b) {
    double sum = 0;
    for (double[] column : columns) {
      sum += (column[a] - column[b]) * (column[a] - column[b]);
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 2", "3, 1", "7, 3", "13, 2", "31, 5", "207, 2", "1021, 2", "207, 0"})
  void theNearestAreFoundInOrder(int n, int dimension) {
    double[][] columns = columns(n, dimension);
    int near = Math.min(24, n);
    NearestCells found = new NearestCells(columns, n, near);
    for (int j = 0; j < n; j++) {
      int at = j;
      double[] all = IntStream.range(0, n).mapToDouble(b -> square(columns, at, b)).toArray();
      double[] squares = IntStream.range(0, near).mapToDouble(m -> found.square(at, m)).toArray();
      int[] points = IntStream.range(0, near).map(m -> found.point(at, m)).toArray();
      assertThat(squares)
          .containsExactly(Arrays.copyOf(Arrays.stream(all).sorted().toArray(), near));
      assertThat(points).doesNotHaveDuplicates();
      for (int m = 0; m < near; m++) {
        assertThat(all[points[m]]).isEqualTo(squares[m]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 13, 31, 207, 1021})
  void equalNumbersKeepTheirOrder(int n) {
    double[] numbers = new Random(n).doubles(n).map(x -> Math.floor(20 * x)).toArray();
    int[] expected =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(j -> numbers[j]))
            .mapToInt(j -> j)
            .toArray();
    assertThat(Order.ascending(numbers, n)).isEqualTo(expected);
  }

  @Test
  void aNeighbourhoodHasInstancesAndCellsEnough() {
    Neighbourhood around = new Neighbourhood();
    around.start(4, 2.5);
    double[][] cells = {{9, 1}, {1, 3}, {4, 1}, {16, 100}, {2, 2}};
    for (double[] cell : cells) {
      around.add(cell[0], cell[1]);
    }
    assertThat(around.mass(4, 1)).isEqualTo(4);
    assertThat(around.mass(1, 1)).isEqualTo(3);
    assertThat(around.mass(1, 2.5)).isEqualTo(5.5);
    assertThat(around.mean(4)).isEqualTo((3 * 1 + 1 * 2) / 4.0);
    assertThat(around.mean(5.5)).isCloseTo((3 * 1 + 2 * 2 + 0.5 * 4) / 5.5, within(1e-12));
  }
}
