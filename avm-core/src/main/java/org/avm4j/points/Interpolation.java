package org.avm4j.points;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.internal.Cholesky;

/**
 * Interpolates kernel values at one set of points from those at another: k(x, to) ≈ M k(x, from)
 * with M = K(to, from) K(from, from)⁻¹, the interpolation of least norm. A point of both sets has a
 * row of M with a single 1.
 */
public final class Interpolation {
  /**
   * Added to the diagonal of K(from, from), which is nearly singular if points are close together.
   */
  private static final double JITTER = 1e-6;

  /**
   * Fraction of an unexplained square that counts. With 0, coefficients jump; with 1, they hardly
   * move.
   */
  private static final double REST = 0.01;

  /** Number of nearest points used for a new point. */
  private static final int NEAR = 16;

  private Interpolation() {}

  /** M. */
  public static double[][] map(CoreSet from, CoreSet to, Kernel kernel) {
    KernelRow row = new KernelRow(from, kernel);
    double[][] factor = factor(from, row);
    double[][] map = new double[to.size()][];
    Arrays.setAll(map, i -> map(row, to.vector(i), factor));
    return map;
  }

  /**
   * How the kernel values at a new point follow from those at the few points nearest to it.
   *
   * @param factors the row of M: a factor for each point, most of them 0
   * @param rest the unexplained part of the kernel values, as a fraction of their squares at the
   *     nearest point: (1 - explained)² / 100, a formula chosen by trials on many streams
   * @param nearest the nearest point
   */
  public record Near(double[] factors, double rest, int nearest) {}

  /** The interpolation for the instance that the row has measured; null if there are no points. */
  public static Near near(CoreSet core, KernelRow measured, Kernel kernel) {
    int[] near = measured.nearest(NEAR);
    if (near.length == 0) {
      return null;
    }
    CoreSet few = new CoreSet();
    KernelRow row = new KernelRow(few, kernel);
    double[] k = new double[near.length];
    for (int i = 0; i < near.length; i++) {
      row.measure(core.vector(near[i]));
      few.add(row, false);
      k[i] = measured.kernels()[near[i]];
    }
    Cholesky.solve(factor(few, row), k, k.length);
    double[] factors = new double[core.size()];
    double explained = 0;
    for (int i = 0; i < near.length; i++) {
      factors[near[i]] = k[i];
      explained += k[i] * measured.kernels()[near[i]];
    }
    double rest = Math.max(0, 1 - explained);
    return new Near(factors, REST * rest * rest, near[0]);
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
