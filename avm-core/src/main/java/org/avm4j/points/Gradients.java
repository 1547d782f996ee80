package org.avm4j.points;

import org.avm4j.Features;
import org.avm4j.Kernel;

/**
 * The gradients of the scores of a machine: with b_c the linear part of column c,
 *
 * <pre>∇f_c(x) = b_c + 2 Σ_j β_cj k'(‖x - c_j‖²) (x - c_j).</pre>
 */
public final class Gradients {
  private final CoreSet core;
  private final Kernel kernel;
  private final double[][] beta;
  private final double[][] linear;
  private final KernelRow row;
  private double[] pull = {};
  private double[] slopes = {};

  /** The gradients of f_c(x) = Σ_j beta[c][j] K(c_j, x) + linear[c]. */
  public Gradients(CoreSet core, Kernel kernel, double[][] beta, double[][] linear) {
    this.core = core;
    this.kernel = kernel;
    this.beta = beta;
    this.linear = linear;
    row = new KernelRow(core, kernel);
  }

  /**
   * Adds the gradient of each column at x times {@code weight}; the kernel coefficients are first
   * multiplied by {@code factor}.
   */
  public void add(Features x, double factor, double weight, double[][] into) {
    row.measure(x);
    int n = row.measured();
    if (pull.length < n) {
      pull = new double[n];
      slopes = new double[n];
    }
    for (int j = 0; j < n; j++) {
      slopes[j] = kernel.slope(row.squaredDistance(j));
    }
    for (int c = 0; c < into.length; c++) {
      double sum = 0;
      for (int j = 0; j < n; j++) {
        pull[j] = 2 * weight * factor * beta[c][j] * slopes[j];
        sum += pull[j];
      }
      addKernels(x, sum, n, into[c]);
      for (int i = 0; i < into[c].length && i + 1 < linear[c].length; i++) {
        into[c][i] += weight * linear[c][i + 1];
      }
    }
  }

  private void addKernels(Features x, double sum, int n, double[] into) {
    for (int e = 0; e < x.count(); e++) {
      if (x.index(e) < into.length) {
        into[x.index(e)] += sum * (float) x.value(e);
      }
    }
    for (int p = 0; p < core.present() && core.index(p) < into.length; p++) {
      into[core.index(p)] -= product(core.column(core.index(p)), n);
    }
  }

  private double product(float[] column, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      sum += pull[j] * column[j];
    }
    return sum;
  }
}
