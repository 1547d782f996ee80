package org.avm4j.math;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * All eigenvalues of a symmetric matrix in falling order, with their eigenvectors: A = Σ_i λ_i v_i
 * v_iᵀ.
 *
 * <p>Householder reflections make A tridiagonal, and QL steps with implicit shifts make that
 * diagonal (Golub, Van Loan, Matrix Computations, Section 8.3). O(n³), plain sums and products, no
 * random start: the same bits on every machine.
 */
public final class SymmetricEigen {
  private static final int MOST_STEPS = 60;

  /** Below this the square of a number is no longer a normal one. */
  private static final double TINY = 1e-140;

  private final int n;
  private final double[] diagonal;
  private final double[] beside;
  private final double[][] q;
  private final double nothing;

  private SymmetricEigen(double[][] matrix) {
    n = matrix.length;
    diagonal = new double[n];
    beside = new double[n];
    q = new double[n][n];
    double[][] a = new double[n][];
    Arrays.setAll(a, i -> matrix[i].clone());
    reduce(a);
    nothing = Math.ulp(largest(diagonal) + largest(beside));
    for (int l = 0; l < n; l++) {
      diagonalise(l);
    }
    sort();
  }

  /** The eigenpairs of a symmetric matrix of finite numbers, which is not changed. */
  public static SymmetricEigen of(double[][] matrix) {
    return new SymmetricEigen(matrix);
  }

  /** λ_i; 0 is the largest. */
  public double value(int i) {
    return diagonal[i];
  }

  /** v_i, of length 1. */
  public double[] vector(int i) {
    return q[i];
  }

  /** The matrix with the same eigenvectors and other eigenvalues: Σ_i f(λ_i) v_i v_iᵀ. */
  public double[][] map(DoubleUnaryOperator f) {
    double[][] mapped = new double[n][n];
    for (int k = 0; k < n; k++) {
      double value = f.applyAsDouble(diagonal[k]);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          mapped[i][j] += value * q[k][i] * q[k][j];
          mapped[j][i] = mapped[i][j];
        }
      }
    }
    return mapped;
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }

  /** Makes A tridiagonal, and q the transposed product of the reflections. */
  private void reduce(double[][] a) {
    double[] weight = new double[n];
    double[] p = new double[n];
    for (int k = 0; k < n; k++) {
      diagonal[k] = a[k][k];
      weight[k] = k + 1 < n ? reflect(a, k, p) : 0;
    }
    for (int i = 0; i < n; i++) {
      q[i][i] = 1;
      for (int k = n - 2; k >= 0; k--) {
        reflectBack(q[i], a[k], weight[k], k);
      }
    }
  }

  /**
   * Clears row k right of the next to the diagonal by the reflection I - w v vᵀ. v is left in row
   * k.
   *
   * @return w
   */
  private double reflect(double[][] a, int k, double[] p) {
    double[] v = a[k];
    Arrays.fill(v, 0, k + 1, 0);
    double norm = Math.sqrt(Vectors.dot(v, v, n));
    if (norm < TINY) {
      Arrays.fill(v, 0);
      return 0;
    }
    beside[k] = v[k + 1] > 0 ? -norm : norm;
    v[k + 1] -= beside[k];
    double weight = 2 / Vectors.dot(v, v, n);
    for (int i = k + 1; i < n; i++) {
      p[i] = weight * Vectors.dot(a[i], v, n);
    }
    Arrays.fill(p, 0, k + 1, 0);
    double half = weight / 2 * Vectors.dot(p, v, n);
    for (int i = k + 1; i < n; i++) {
      p[i] -= half * v[i];
    }
    for (int i = k + 1; i < n; i++) {
      for (int j = k + 1; j < n; j++) {
        a[i][j] -= v[i] * p[j] + p[i] * v[j];
      }
    }
    return weight;
  }

  private void reflectBack(double[] row, double[] v, double weight, int k) {
    double along = weight * Vectors.dot(row, v, n);
    for (int j = k + 1; j < n; j++) {
      row[j] -= along * v[j];
    }
  }

  /** QL steps until the l-th diagonal element stands alone. */
  private void diagonalise(int l) {
    int m = split(l);
    for (int step = 0; m > l; step++) {
      if (step == MOST_STEPS) {
        throw new ArithmeticException("the eigenvalues were not found in " + step + " steps");
      }
      sweep(l, m);
      m = split(l);
    }
  }

  /** The first index from l on after which the matrix splits into blocks. */
  private int split(int l) {
    int m = l;
    while (m + 1 < n && Math.abs(beside[m]) > nothing) {
      m++;
    }
    return m;
  }

  private void sweep(int l, int m) {
    double g = (diagonal[l + 1] - diagonal[l]) / (2 * beside[l]);
    double root = Math.sqrt(g * g + 1);
    g = diagonal[m] - diagonal[l] + beside[l] / (g + Math.copySign(root, g));
    double s = 1;
    double c = 1;
    double p = 0;
    for (int i = m - 1; i >= l; i--) {
      double f = s * beside[i];
      double b = c * beside[i];
      double r = Math.sqrt(f * f + g * g);
      beside[i + 1] = r;
      if (r == 0) {
        diagonal[i + 1] -= p;
        beside[m] = 0;
        return;
      }
      s = f / r;
      c = g / r;
      g = diagonal[i + 1] - p;
      r = (diagonal[i] - g) * s + 2 * c * b;
      p = s * r;
      diagonal[i + 1] = g + p;
      g = c * r - b;
      rotate(q[i], q[i + 1], c, s);
    }
    diagonal[l] -= p;
    beside[l] = g;
    beside[m] = 0;
  }

  private void rotate(double[] x, double[] y, double c, double s) {
    for (int k = 0; k < n; k++) {
      double f = y[k];
      y[k] = s * x[k] + c * f;
      x[k] = c * x[k] - s * f;
    }
  }

  private void sort() {
    double[] values = diagonal.clone();
    double[][] vectors = q.clone();
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -values[i]))
            .mapToInt(i -> i)
            .toArray();
    Arrays.setAll(diagonal, i -> values[order[i]]);
    Arrays.setAll(q, i -> vectors[order[i]]);
  }
}
