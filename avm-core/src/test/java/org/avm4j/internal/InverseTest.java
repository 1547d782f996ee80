package org.avm4j.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.avm4j.math.SplitMix;
import org.avm4j.math.Vectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InverseTest {
  private static double[] vector(SplitMix random, int n, int room) {
    double[] k = new double[room];
    for (int j = 0; j < n; j++) {
      k[j] = random.getAsDouble();
    }
    return k;
  }

  /** P A k must be k, where A is summed up the obvious way while P grows. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 13, 31, 107})
  void itIsTheInverseOfTheSumAsItGrows(int size) {
    SplitMix random = new SplitMix(size);
    Inverse inverse = new Inverse(Integer.MAX_VALUE);
    double[][] a = new double[size][size];
    double[] gain = new double[size];
    for (int n = 1; n <= size; n++) {
      inverse.grow(0.5 + n);
      a[n - 1][n - 1] += 0.5 + n;
      for (int t = 0; t < 3; t++) {
        double[] k = vector(random, n, size);
        double w = 1 + t;
        inverse.add(w, k, gain, inverse.gain(k, gain));
        for (int i = 0; i < n; i++) {
          Vectors.add(w * k[i], k, a[i], n);
        }
      }
      check(inverse, a, n, random);
    }
    inverse.renew(0, new double[0][]);
    check(inverse, a, size, random);
    assertThat(inverse.isPositive()).isTrue();
  }

  private static void check(Inverse inverse, double[][] a, int n, SplitMix random) {
    double[] k = vector(random, n, a.length);
    double[] product = new double[a.length];
    double[] back = new double[a.length];
    for (int i = 0; i < n; i++) {
      product[i] = Vectors.dot(a[i], k, n);
    }
    inverse.gain(product, back);
    for (int j = 0; j < n; j++) {
      assertThat(back[j]).isCloseTo(k[j], within(1e-9));
    }
  }

  /** Rows that were removed are as if they had never been, and a power of two changes no digit. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 13, 31, 107})
  void aRowCanGoAndAllCanBeScaled(int size) {
    SplitMix random = new SplitMix(size);
    Inverse inverse = new Inverse(Integer.MAX_VALUE);
    double[][] a = new double[size][size];
    double[] gain = new double[size];
    for (int n = 0; n < size; n++) {
      inverse.grow(0.5);
      a[n][n] = 0.5;
    }
    for (int t = 0; t < 3 * size; t++) {
      double[] k = vector(random, size, size);
      inverse.add(1, k, gain, inverse.gain(k, gain));
      for (int i = 0; i < size; i++) {
        Vectors.add(k[i], k, a[i], size);
      }
    }
    int gone = size / 3;
    int last = size - 1;
    inverse.column(gone, gain);
    inverse.remove(gone, gain);
    a[gone] = a[last];
    for (double[] row : a) {
      row[gone] = row[last];
    }
    inverse.renew(0, new double[0][]);
    check(inverse, a, last, random);
    double before = inverse.gain(vector(new SplitMix(1), last, size), gain);
    inverse.scale(0x1p-40);
    inverse.renew(0, new double[0][]);
    double after = inverse.gain(vector(new SplitMix(1), last, size), gain);
    assertThat(after).isEqualTo(before * 0x1p40);
    inverse.grow(2);
    a[last] = new double[size];
    for (double[] row : a) {
      row[last] = 0;
    }
    inverse.scale(0x1p40);
    inverse.renew(0, new double[0][]);
    a[last][last] = 2 * 0x1p40;
    check(inverse, a, size, random);
  }

  /** Rows come with a history, others go, and P A k must still be k. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 40})
  void itStaysTheInverseWhileRowsComeAndGo(int size) {
    SplitMix random = new SplitMix(size);
    Inverse inverse = new Inverse(Integer.MAX_VALUE);
    double[][] g = new double[size][size];
    double[] ridge = new double[size];
    double[] gain = new double[size];
    int n = 0;
    for (int step = 0; step < 6 * size; step++) {
      if (n == size) {
        int j = random.nextInt(size);
        inverse.column(j, gain);
        inverse.remove(j, gain);
        remove(g, ridge, j, --n);
      }
      ridge[n] = 0.5 + random.getAsDouble();
      inverse.grow(ridge[n]);
      if (n > 0) {
        double[] m = vector(random, 1, size);
        inverse.recall(m, 0.3, n - 1, new double[size], gain);
        recall(g, m, 0.3, n);
      }
      n++;
      double[] k = vector(random, n, size);
      inverse.add(2, k, gain, inverse.gain(k, gain));
      for (int i = 0; i < n; i++) {
        Vectors.add(2 * k[i], k, g[i], n);
      }
      check(inverse, plus(g, ridge), n, random);
    }
    inverse.renew(0, new double[0][]);
    check(inverse, plus(g, ridge), n, random);
  }

  private static void remove(double[][] g, double[] ridge, int j, int last) {
    g[j] = g[last];
    g[last] = new double[g.length];
    for (double[] row : g) {
      row[j] = row[last];
      row[last] = 0;
    }
    ridge[j] = ridge[last];
  }

  /** The obvious way: row n is mᵀ G, and its rest. */
  private static void recall(double[][] g, double[] m, double part, int n) {
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        g[n][j] += m[i] * g[i][j];
      }
      g[j][n] = g[n][j];
    }
    g[n][n] = Vectors.dot(m, g[n], n) + part * g[n - 1][n - 1];
  }

  private static double[][] plus(double[][] g, double[] ridge) {
    double[][] sum = new double[g.length][];
    for (int i = 0; i < g.length; i++) {
      sum[i] = g[i].clone();
      sum[i][i] += ridge[i];
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1e308})
  void aSumThatLeftItsRangeIsRefused(double weight) {
    Gram gram = new Gram();
    gram.grow();
    gram.grow();
    gram.add(weight, new double[] {1, 1});
    gram.add(weight, new double[] {1, 1});
    assertThatThrownBy(() -> gram.factor(new double[] {1, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the sums of the second-order step exceed the range of numbers");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 40})
  void aSingularSumIsHeldUp(int size) {
    Inverse inverse = new Inverse(Integer.MAX_VALUE);
    double[] ones = new double[size];
    double[] gain = new double[size];
    Arrays.fill(ones, 1);
    for (int n = 0; n < size; n++) {
      inverse.grow(1e-12);
    }
    for (int t = 0; t < 5000; t++) {
      inverse.add(1e9, ones, gain, Math.max(0, inverse.gain(ones, gain)));
    }
    inverse.renew(0, new double[0][]);
    assertThat(inverse.isPositive()).isTrue();
    assertThat(inverse.gain(ones, gain)).isFinite().isPositive();
  }

  /** A row that comes with its history is as if it had been there from the start. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 13, 31, 107})
  void aBorderIsTheInverseOfTheWholeSum(int size) {
    SplitMix random = new SplitMix(size);
    Inverse inverse = new Inverse(Integer.MAX_VALUE);
    double[][] a = new double[size][size];
    double[][] seen = new double[3 * size][];
    double[] gain = new double[size];
    int t = 0;
    for (int n = 1; n <= size; n++) {
      inverse.grow(0.5);
      double[] column = new double[size];
      for (int s = 0; s < t; s++) {
        Vectors.add(seen[s][n - 1], seen[s], column, n);
      }
      if (n > 1) {
        inverse.border(column, column[n - 1], gain);
      }
      for (int i = 0; i < n; i++) {
        a[i][n - 1] = column[i];
        a[n - 1][i] = column[i];
      }
      a[n - 1][n - 1] += 0.5;
      for (int more = 0; more < 3; more++) {
        double[] k = vector(random, size, size);
        seen[t++] = k;
        double[] known = Arrays.copyOf(Arrays.copyOf(k, n), size);
        inverse.add(1, known, gain, inverse.gain(known, gain));
        for (int i = 0; i < n; i++) {
          Vectors.add(k[i], k, a[i], n);
        }
      }
      check(inverse, a, n, random);
    }
    assertThat(inverse.isPositive()).isTrue();
    inverse.renew(0, new double[0][]);
    check(inverse, a, size, random);
  }
}
