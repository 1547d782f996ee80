package org.avm4j.step;

import org.avm4j.Kernel;
import org.avm4j.math.Vectors;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * The projection Π of the ℓ2 loss onto the ball ‖w‖ ≤ y_max λ^(-1/2): keeps ‖a‖² of the sum a = Σ_j
 * a_j Φ(c_j) up to date as a changes.
 */
final class BallProjection {
  private final CoreSet core;
  private final KernelRow row;
  private double normSquared;

  BallProjection(CoreSet core, Kernel kernel) {
    this.core = core;
    row = new KernelRow(core, kernel);
  }

  /** ‖a‖². */
  double normSquared() {
    return normSquared;
  }

  void normSquared(double value) {
    normSquared = value;
  }

  /**
   * ‖a‖² ← ‖a + α Φ(c_j)‖²; call this before the addition. {@code measured} holds the present
   * instance.
   */
  void add(double[] a, double alpha, int j, KernelRow measured) {
    int n = measured.measured();
    double[] k = j == n ? measured.kernels() : row.measure(core.vector(j));
    normSquared += 2 * alpha * Vectors.dot(a, k, n) + alpha * alpha;
  }

  /** ‖a‖² ← ‖a + a_j (Φ(c_i) - Φ(c_j))‖²; call this before vector i absorbs vector j. */
  void move(double[] a, int j, int i, int n) {
    double[] ki = row.measure(core.vector(i)).clone();
    double[] kj = row.measure(core.vector(j));
    double alpha = a[j];
    double change = Vectors.dot(a, ki, n) - Vectors.dot(a, kj, n);
    normSquared = Math.max(0, normSquared + 2 * alpha * (change + alpha * (1 - ki[j])));
  }

  /** Recomputes ‖a‖² of n vectors. */
  void renew(double[] a, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      double[] k = row.measure(core.vector(j));
      for (int i = 0; i < n; i++) {
        sum += a[j] * a[i] * k[i];
      }
    }
    normSquared = Math.max(0, sum);
  }

  /** The factor that brings a into the ball of this radius, 1 if it is inside. */
  double shrink(double radius) {
    if (normSquared <= radius * radius) {
      return 1;
    }
    double factor = radius / Math.sqrt(normSquared);
    normSquared = radius * radius;
    return factor;
  }
}
