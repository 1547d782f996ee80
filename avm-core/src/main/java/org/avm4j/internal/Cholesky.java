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

  /** Number of columns that are computed before the remaining ones are updated. */
  private static final int BLOCK = 32;

  private Cholesky() {}

  /**
   * Replaces the lower half of A by L. If A is not positive definite, returns false, and A is
   * destroyed.
   */
  public static boolean factor(double[][] a, int n) {
    for (int i = 0; i < n; i++) {
      eliminate(a, i, 0, i);
      if (!pivot(a[i], 0, i, a[i][i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * The same on all cores, in blocks of columns: a whole block updates the remaining columns at
   * once.
   */
  public static boolean factorInBlocks(double[][] a, int n) {
    double[] diagonal = new double[n];
    Arrays.setAll(diagonal, i -> a[i][i]);
    for (int from = 0; from < n; from += BLOCK) {
      int to = Math.min(from + BLOCK, n);
      if (!factor(a, diagonal, from, to)) {
        return false;
      }
      follow(a, from, to, n);
    }
    return true;
  }

  /** Computes the rows of a block on the diagonal. */
  private static boolean factor(double[][] a, double[] diagonal, int from, int to) {
    for (int i = from; i < to; i++) {
      eliminate(a, i, from, i);
      if (!pivot(a[i], from, i, diagonal[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Computes a block of columns for the rows below it, and subtracts its products from the
   * remaining columns.
   */
  private static void follow(double[][] a, int from, int to, int n) {
    Bands.each(
        to,
        n,
        (top, bottom) -> {
          for (int i = top; i < bottom; i++) {
            eliminate(a, i, from, to);
          }
        });
    Block block = new Block(to - from);
    block.reserve(n);
    for (int j = from; j < to; j++) {
      block.addColumn(a, j, to, n);
    }
    Bands.each(to, n, (top, bottom) -> block.addTo(a, to, top, bottom, -1));
  }

  /**
   * Computes the entries {@code from} to {@code to} of row i of L, from which the products of
   * earlier columns must have been subtracted.
   */
  private static void eliminate(double[][] a, int i, int from, int to) {
    double[] row = a[i];
    for (int j = from; j < to; j++) {
      row[j] = (row[j] - Vectors.dot(row, a[j], from, j)) / a[j][j];
    }
  }

  private static boolean pivot(double[] row, int from, int i, double diagonal) {
    double pivot = row[i] - Vectors.dot(row, row, from, i);
    if (!(pivot > LEAST * diagonal)) {
      return false;
    }
    row[i] = Math.sqrt(pivot);
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
        Vectors.add(-factors[j] / factors[i], l[j], row, j + 1);
      }
      row[i] = 1 / factors[i];
    }
  }

  /** The lower half of MᵀM for a lower M, into the rows of {@code out}, which are 0 there. */
  public static void square(double[][] m, int n, double[][] out) {
    for (int k = 0; k < n; k++) {
      for (int i = 0; i <= k; i++) {
        Vectors.add(m[k][i], m[k], out[i], i + 1);
      }
    }
  }
}
