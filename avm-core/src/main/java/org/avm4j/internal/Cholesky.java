package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.math.Vectors;

/**
 * The factor L of a symmetric positive definite matrix A = L Lᵀ, where row i of a lower half has i
 * + 1 entries or more.
 */
public final class Cholesky {
  /** Smallest pivot, as a fraction of its diagonal entry, of a matrix that is not singular. */
  private static final double LEAST = 1e-14;

  /** Columns of L that are computed before their products are taken from the columns after them. */
  private static final int BLOCK = 32;

  private final double[][] a;
  private final double[] inverse;

  /** The columns of L that are being computed: entry i of a column is that of row i. */
  private double[][] columns;

  private Cholesky(double[][] a, int n) {
    this.a = a;
    inverse = new double[n];
    columns = new double[Math.min(BLOCK, n)][n];
  }

  /**
   * Replaces the lower half of A by L; false, with a ruined A, where A is not positive definite.
   */
  public static boolean factor(double[][] a, int n) {
    return factor(a, n, (from, to, work) -> work.rows(from, to));
  }

  /** The same on all cores, with the same bits. */
  public static boolean factorOnAllCores(double[][] a, int n) {
    return factor(a, n, Bands::each);
  }

  /** Does some work for a range of rows. */
  private interface Cores {
    void each(int from, int to, Bands.Work work);
  }

  private static boolean factor(double[][] a, int n, Cores cores) {
    Cholesky factor = new Cholesky(a, n);
    double[] diagonal = new double[n];
    Arrays.setAll(diagonal, i -> a[i][i]);
    for (int from = 0; from < n; from += BLOCK) {
      int to = Math.min(from + BLOCK, n);
      for (int i = from; i < to; i++) {
        factor.eliminate(i, from, i);
        if (!factor.pivot(i, from, diagonal[i])) {
          return false;
        }
      }
      factor.follow(from, to, n, cores);
    }
    return true;
  }

  /**
   * Computes a block of columns for the rows below it, and takes its products from the columns
   * after it.
   */
  private void follow(int from, int to, int n, Cores cores) {
    cores.each(
        to,
        n,
        (top, bottom) -> {
          for (int i = top; i < bottom; i++) {
            eliminate(i, from, to);
          }
        });
    Block block = new Block(columns, to - from);
    cores.each(to, n, (top, bottom) -> block.addTo(a, to, top, bottom, -1));
  }

  /**
   * Computes entries {@code from} to {@code to} of row i of L, four at a time. What the columns
   * before {@code from} contribute is taken off already.
   */
  private void eliminate(int i, int from, int to) {
    double[] row = a[i];
    int k = from;
    for (; k + 4 <= to; k += 4) {
      double[] w = columns[k - from];
      double[] x = columns[k + 1 - from];
      double[] y = columns[k + 2 - from];
      double[] z = columns[k + 3 - from];
      double p = row[k] * inverse[k];
      double q = (row[k + 1] - p * w[k + 1]) * inverse[k + 1];
      double r = (row[k + 2] - p * w[k + 2] - q * x[k + 2]) * inverse[k + 2];
      double s = (row[k + 3] - p * w[k + 3] - q * x[k + 3] - r * y[k + 3]) * inverse[k + 3];
      Vectors.addFour(-p, w, -q, x, -r, y, -s, z, row, k + 4, to);
      w[i] = row[k] = p;
      x[i] = row[k + 1] = q;
      y[i] = row[k + 2] = r;
      z[i] = row[k + 3] = s;
    }
    for (; k < to; k++) {
      double[] column = columns[k - from];
      row[k] *= inverse[k];
      column[i] = row[k];
      Vectors.add(-row[k], column, row, k + 1, to);
    }
  }

  private boolean pivot(int i, int from, double diagonal) {
    double[] row = a[i];
    double pivot = row[i];
    for (int j = from; j < i; j++) {
      pivot -= row[j] * row[j];
    }
    if (!(pivot > LEAST * diagonal)) {
      return false;
    }
    row[i] = Math.sqrt(pivot);
    inverse[i] = 1 / row[i];
    return true;
  }

  /** Solves L Lᵀ x = b; x takes the place of b. */
  public static void solve(double[][] l, double[] b, int n) {
    for (int i = 0; i < n; i++) {
      b[i] = (b[i] - Vectors.dot(l[i], b, i)) / l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
      b[i] /= l[i][i];
      Vectors.add(-b[i], l[i], b, i);
    }
  }

  /** Replaces L by the lower half of L⁻¹. */
  public static void invert(double[][] l, int n) {
    for (int i = 0; i < n; i++) {
      double[] row = l[i];
      double[] factors = row.clone();
      Arrays.fill(row, 0, i + 1, 0);
      for (int j = 0; j < i; j++) {
        factors[j] /= -factors[i];
      }
      int j = 0;
      for (; j + 4 <= i; j += 4) {
        Vectors.add(factors[j + 1], l[j + 1], row, j + 1, j + 2);
        Vectors.add(factors[j + 2], l[j + 2], row, j + 1, j + 3);
        Vectors.add(factors[j + 3], l[j + 3], row, j + 1, j + 4);
        addFour(factors, j, l, row, j + 1);
      }
      for (; j < i; j++) {
        Vectors.add(factors[j], l[j], row, j + 1);
      }
      row[i] = 1 / factors[i];
    }
  }

  /** The lower half of MᵀM for a lower M, into the rows of {@code out}, which are 0 there. */
  public static void square(double[][] m, int n, double[][] out) {
    double[] column = new double[n];
    for (int i = 0; i < n; i++) {
      for (int k = i; k < n; k++) {
        column[k] = m[k][i];
      }
      int k = i;
      for (; k + 4 <= n; k += 4) {
        addFour(column, k, m, out[i], i + 1);
      }
      for (; k < n; k++) {
        Vectors.add(column[k], m[k], out[i], i + 1);
      }
    }
  }

  /** out ← out + Σ factors_k rows_k for the four k from {@code first} on. */
  private static void addFour(double[] factors, int first, double[][] rows, double[] out, int n) {
    Vectors.addFour(
        factors[first],
        rows[first],
        factors[first + 1],
        rows[first + 1],
        factors[first + 2],
        rows[first + 2],
        factors[first + 3],
        rows[first + 3],
        out,
        n);
  }
}
