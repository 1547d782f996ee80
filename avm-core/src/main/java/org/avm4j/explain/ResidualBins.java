package org.avm4j.explain;

/** The residuals of two samples in the bins of one column, and how much the bins differ. */
final class ResidualBins {
  private final ColumnBins bins;
  private final double[][] gaps;
  private final int before;
  private final int[][] counts;
  private double chi;
  private int degrees;
  private double explained;

  ResidualBins(ColumnBins bins, double[][] residuals, int before, int fewest) {
    this.bins = bins;
    this.before = before;
    int outputs = residuals[0].length;
    counts = new int[2][bins.count()];
    gaps = new double[outputs][bins.count()];
    for (int i = 0; i < residuals.length; i++) {
      counts[i < before ? 0 : 1][bins.of(i)]++;
    }
    for (int k = 0; k < outputs; k++) {
      compare(residuals, k, fewest);
    }
  }

  private void compare(double[][] residuals, int k, int fewest) {
    double[][] sums = new double[2][bins.count()];
    for (int i = 0; i < residuals.length; i++) {
      sums[i < before ? 0 : 1][bins.of(i)] += residuals[i][k];
    }
    double old = variance(residuals, k, 0, before);
    double young = variance(residuals, k, before, residuals.length);
    double weights = 0;
    double mean = 0;
    int used = 0;
    for (int b = 0; b < bins.count(); b++) {
      if (isUsed(b, fewest)) {
        gaps[k][b] = sums[1][b] / counts[1][b] - sums[0][b] / counts[0][b];
        double weight = 1 / Math.max(1e-300, old / counts[0][b] + young / counts[1][b]);
        weights += weight;
        mean += weight * gaps[k][b];
        used++;
      }
    }
    for (int b = 0; b < bins.count() && used > 1; b++) {
      if (isUsed(b, fewest)) {
        gaps[k][b] -= mean / weights;
        chi +=
            gaps[k][b] * gaps[k][b] / Math.max(1e-300, old / counts[0][b] + young / counts[1][b]);
        explained += gaps[k][b] * gaps[k][b] * counts[1][b];
      }
    }
    degrees += Math.max(0, used - 1);
  }

  private boolean isUsed(int b, int fewest) {
    return counts[0][b] >= fewest && counts[1][b] >= fewest;
  }

  double chi() {
    return chi;
  }

  int degrees() {
    return degrees;
  }

  double z() {
    return degrees == 0 ? Double.NEGATIVE_INFINITY : ChangeStudy.z(chi, degrees);
  }

  /** The sum of squares of the new residuals that the bins explain. */
  double explained() {
    return explained;
  }

  /** Subtracts the differences from the new residuals. */
  void remove(double[][] residuals) {
    for (int i = before; i < residuals.length; i++) {
      for (int k = 0; k < gaps.length; k++) {
        residuals[i][k] -= gaps[k][bins.of(i)];
      }
    }
  }

  /** The sum of squares around the mean, of all outputs. */
  static double variance(double[][] residuals, int from, int to) {
    double sum = 0;
    for (int k = 0; to > from && k < residuals[from].length; k++) {
      sum += variance(residuals, k, from, to) * (to - from);
    }
    return sum;
  }

  private static double variance(double[][] residuals, int k, int from, int to) {
    double sum = 0;
    double squares = 0;
    for (int i = from; i < to; i++) {
      sum += residuals[i][k];
      squares += residuals[i][k] * residuals[i][k];
    }
    double mean = sum / (to - from);
    return Math.max(0, squares / (to - from) - mean * mean);
  }
}
