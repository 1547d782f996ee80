package org.avm4j.internal;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Kernel;

/**
 * How kernel values at one set of points follow from those at another: k(x, to) ≈ M k(x, from) with
 * M = K(to, from) K(from, from)⁻¹, the interpolation of least norm. A point of both sets has a row
 * of M with a single 1.
 */
public final class Interpolation {
  /** What is added to the diagonal of K(from, from), where points crowd. */
  private static final double JITTER = 1e-6;

  private Interpolation() {}

  /** M. */
  public static double[][] map(CoreSet from, CoreSet to, Kernel kernel) {
    KernelRow row = new KernelRow(from, kernel);
    double[][] factor = factor(from, row);
    double[][] map = new double[to.size()][];
    Arrays.setAll(map, i -> map(row, to.vector(i), factor));
    return map;
  }

  private static double[] map(KernelRow row, Features point, double[][] factor) {
    double[] k = Arrays.copyOf(row.measure(point), factor.length);
    int nearest = row.nearest();
    if (nearest >= 0 && row.squaredDistance(nearest) == 0) {
      Arrays.fill(k, 0);
      k[nearest] = 1;
    } else {
      Cholesky.solve(factor, k, k.length);
    }
    return k;
  }

  private static double[][] factor(CoreSet points, KernelRow row) {
    int n = points.size();
    for (double jitter = JITTER; ; jitter *= 10) {
      double[][] k = new double[n][];
      for (int i = 0; i < n; i++) {
        k[i] = Arrays.copyOf(row.measure(points.vector(i)), i + 1);
        k[i][i] = 1 + jitter;
      }
      if (Cholesky.factor(k, n)) {
        return k;
      }
    }
  }
}
