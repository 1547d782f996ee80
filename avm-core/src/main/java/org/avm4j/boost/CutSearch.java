package org.avm4j.boost;

/** Finds the best cut of the rows of a node by the sums of derivatives of their bins. */
final class CutSearch {
  /**
   * Largest relative rounding error: of a sum of second derivatives, below which a bin has no rows,
   * and of a gain that is compared without divisions.
   */
  private static final double ROUNDING = 1e-9;

  private final BinnedRows bins;
  private final Histograms histograms;
  private final double lambda;
  private final double leastHessian;

  CutSearch(BinnedRows bins, Histograms histograms, BoostOptions options) {
    this.bins = bins;
    this.histograms = histograms;
    lambda = options.regularization();
    leastHessian = options.leastHessian();
  }

  /** G²/(H + λ), twice the decrease of the loss by the best value of a leaf. */
  private double score(double first, double second) {
    return first * first / (second + lambda);
  }

  /** Whether rows with this sum of second derivatives are enough for two leaves. */
  boolean mayCut(int rows, double second) {
    return rows > 1 && second >= 2 * leastHessian;
  }

  /** The best cut of some columns; {@link Cut#NONE} if none lowers the loss. */
  Cut best(int[] columns, double[] sums, double first, double second) {
    Cut best = Cut.NONE;
    for (int column : columns) {
      best = better(best, column, sums, first, second);
    }
    return best;
  }

  /** The best cut of a column, if its gain is larger than that of another. */
  private Cut better(Cut than, int column, double[] sums, double first, double second) {
    BinnedRows.Column of = bins.columns().get(column);
    int size = of.bins().size();
    int start = histograms.start(of.store()) + 2 * of.offset();
    double here = score(first, second);
    double zeroFirst = first;
    double zeroSecond = second;
    for (int b = 1; of.hasZeros() && b <= size; b++) {
      zeroFirst -= sums[start + 2 * b];
      zeroSecond -= sums[start + 2 * b + 1];
    }
    boolean hasZeros = of.hasZeros() && zeroSecond > ROUNDING * second;
    if (!hasZeros) {
      zeroFirst = 0;
      zeroSecond = 0;
    }
    int firstAbove = of.bins().firstAboveZero();
    double most = than.gain();
    Cut best = than;
    double leftFirst = 0;
    double leftSecond = 0;
    for (int b = 1; b <= size; b++) {
      if (b > 1) {
        double more = sums[start + 2 * b - 1];
        leftFirst += sums[start + 2 * b - 2];
        leftSecond += more;
        if (more == 0) {
          continue;
        }
      }
      for (int side = 0; side < (hasZeros ? 2 : 1); side++) {
        boolean isLeft = side == 1;
        double g = isLeft ? leftFirst + zeroFirst : leftFirst;
        double h = isLeft ? leftSecond + zeroSecond : leftSecond;
        double rest = second - h;
        if (h < leastHessian || rest < leastHessian || h <= 0 || rest <= 0) {
          continue;
        }
        double other = first - g;
        if (isLess(g, h + lambda, other, rest + lambda, (most + here) * (1 - ROUNDING))) {
          continue;
        }
        double gain = score(g, h) + score(other, rest) - here;
        if (gain > most) {
          most = gain;
          boolean zeroGoesLeft = hasZeros ? isLeft : b >= firstAbove;
          best = new Cut(column, b, zeroGoesLeft, gain, g, h);
        }
      }
    }
    return best;
  }

  /** Whether g²/h + f²/k is less than a limit, without a division. */
  private static boolean isLess(double g, double h, double f, double k, double limit) {
    return g * g * k + f * f * h < limit * h * k;
  }
}
