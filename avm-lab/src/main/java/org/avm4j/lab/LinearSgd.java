package org.avm4j.lab;

import java.util.Arrays;
import org.avm4j.Features;

/**
 * A linear classifier for comparison: SGD on the hinge loss with step 1/(λt) (Pegasos,
 * Shalev-Shwartz et al. 2007), with a constant feature for the bias. The difference to a kernel
 * machine shows what the kernel adds.
 */
public final class LinearSgd {
  private final double lambda;
  private double[] sums = new double[1];
  private long t;

  /** An untrained learner with regularization λ. */
  public LinearSgd(double lambda) {
    this.lambda = lambda;
  }

  /** wᵀx + b. */
  public double score(Features x) {
    double sum = sums[0];
    for (int i = 0; i < x.count(); i++) {
      sum += x.index(i) + 1 < sums.length ? sums[x.index(i) + 1] * x.value(i) : 0;
    }
    return t == 0 ? 0 : sum / (lambda * t);
  }

  /** Learns an instance with label -1 or +1. */
  public void learn(Features x, double y) {
    double margin = y * score(x);
    t++;
    if (margin < 1) {
      sums = x.dimension() < sums.length ? sums : Arrays.copyOf(sums, x.dimension() + 1);
      sums[0] += y;
      for (int i = 0; i < x.count(); i++) {
        sums[x.index(i) + 1] += y * x.value(i);
      }
    }
  }
}
