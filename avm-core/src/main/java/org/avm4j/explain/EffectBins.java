package org.avm4j.explain;

/**
 * The sums of residuals and second derivatives in the bins of a column, in both samples, and how
 * the corrections that the bins need differ between the samples.
 */
final class EffectBins {
  /** Weight, in rows, of the residuals of all bins in the variance of one. */
  private static final double ROWS_FROM_EVERYWHERE = 20;

  private final double[][][] first;
  private final double[][][] second;
  private final double[][][] squared;
  private final int[][] rows;
  private final double[][] spread;

  private double squares;

  /**
   * Sums over some rows.
   *
   * @param some the rows
   * @param before the number of rows of the first sample, which come first
   */
  EffectBins(ColumnBins bins, int[] some, int before, double[][] residuals, double[][] curvatures) {
    int outputs = residuals[0].length;
    spread = new double[2][outputs];
    first = new double[2][outputs][bins.count()];
    second = new double[2][outputs][bins.count()];
    squared = new double[2][outputs][bins.count()];
    rows = new int[2][bins.count()];
    double[][] all = new double[2][outputs];
    for (int i : some) {
      int side = i < before ? 0 : 1;
      int bin = bins.of(i);
      rows[side][bin]++;
      for (int k = 0; k < outputs; k++) {
        double left = residuals[i][k];
        double curvature = curvatures[i][k];
        first[side][k][bin] += left;
        second[side][k][bin] += curvature;
        squared[side][k][bin] += left * left;
        spread[side][k] += left * left;
        all[side][k] += curvature;
        squares += side * left * left;
      }
    }
    for (int k = 0; k < outputs; k++) {
      spread[0][k] /= all[0][k];
      spread[1][k] /= all[1][k];
    }
  }

  /** The sum of squared residuals after the change. */
  double squares() {
    return squares;
  }

  /** The differences of an output between the samples. */
  Gaps gaps(int output) {
    return new Gaps(this, output);
  }

  private int count() {
    return rows[0].length;
  }

  boolean isUsed(int b) {
    return rows[0][b] >= ChangeStudy.FEWEST && rows[1][b] >= ChangeStudy.FEWEST;
  }

  /** The correction that a bin of a sample needs. */
  double gap(int side, int k, int b) {
    return first[side][k][b] / second[side][k][b];
  }

  private double difference(int k, int b) {
    return gap(1, k, b) - gap(0, k, b);
  }

  private double curvature(int side, int k, int b) {
    return second[side][k][b];
  }

  /** One over the variance of the difference of a bin. */
  private double weight(int k, int b) {
    return 1 / Math.max(Double.MIN_NORMAL, variance(0, k, b) + variance(1, k, b));
  }

  /**
   * The variance of the correction of a bin, by the residuals in it and some from everywhere: the
   * rule may err more at the ends of a column than in its middle.
   */
  private double variance(int side, int k, int b) {
    double count = rows[side][b];
    double curvature = second[side][k][b];
    double mean = first[side][k][b] / count;
    double own = squared[side][k][b] - count * mean * mean;
    double usual = spread[side][k] * curvature / count;
    double square = (own + ROWS_FROM_EVERYWHERE * usual) / (count + ROWS_FROM_EVERYWHERE);
    return count * square / (curvature * curvature);
  }

  /** How the corrections that the bins of a column need differ between the samples. */
  static final class Gaps {
    private final EffectBins sums;
    private final int output;
    private double mean;
    private double middle;
    private int used;

    /** The χ² of the differences around their mean. */
    private double chi;

    /** The sum of the squared differences of the rows after the change, by their curvature. */
    private double size;

    /** The sum of squared residuals after the change that the differences explain. */
    private double explained;

    Gaps(EffectBins sums, int output) {
      this.sums = sums;
      this.output = output;
      double weights = 0;
      for (int b = 0; b < sums.count(); b++) {
        if (sums.isUsed(b)) {
          double weight = sums.weight(output, b);
          weights += weight;
          mean += weight * sums.difference(output, b);
          middle += weight * b;
          used++;
        }
      }
      mean /= weights;
      middle /= weights;
      for (int b = 0; b < sums.count() && used > 1; b++) {
        if (sums.isUsed(b)) {
          double gap = sums.difference(output, b) - mean;
          double curvature = sums.curvature(1, output, b);
          chi += gap * gap * sums.weight(output, b);
          size += gap * gap * curvature;
          explained += gap * gap * curvature * curvature / sums.rows[1][b];
        }
      }
    }

    double chi() {
      return chi;
    }

    double size() {
      return size;
    }

    double explained() {
      return explained;
    }

    int degrees() {
      return Math.max(0, used - 1);
    }

    /** The χ² of the slope of the differences over the bins, with one degree of freedom. */
    double trend() {
      double slope = 0;
      double spread = 0;
      for (int b = 0; b < sums.count() && used > 1; b++) {
        if (sums.isUsed(b)) {
          double weight = sums.weight(output, b);
          slope += weight * (b - middle) * (sums.difference(output, b) - mean);
          spread += weight * (b - middle) * (b - middle);
        }
      }
      return spread > 0 ? slope * slope / spread : 0;
    }
  }
}
