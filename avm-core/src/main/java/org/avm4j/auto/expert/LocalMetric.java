package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A metric in which neighbouring rows differ by about as much in all directions. Directions along
 * which neighbours differ anyway say little about which rows belong together; no label is needed to
 * find them.
 *
 * <p>A row is first scaled to z, in which each feature has deviation 1. Let C be the mean of δδᵀ
 * over the differences δ of neighbours, scaled such that its mean variance is 1. Then z is mapped
 * to L⁻¹z where LLᵀ = C + rI. Both maps are recomputed from time to time.
 */
final class LocalMetric {
  /** Limit on the distance of a value from that of the first row. */
  private static final double FARTHEST = 1e30;

  /** Limit on the distance of a value from that of the first row, in deviations. */
  private static final double MOST_DEVIATIONS = 10_000;

  private long count;
  private double[] origin = {};
  private double[] means = {};
  private double[] squares = {};
  private double[][] sums = {};

  /** The factor of each feature; 0 for features that never changed. */
  private double[] units = {};

  private double[][] factor = {};

  /** The differences between a row and the first one, feature by feature; changes no state. */
  float[] offsets(Features x) {
    int d = Math.min(Math.max(x.dimension(), origin.length), Constants.FEW_INPUTS);
    double[] values = new double[d];
    for (int i = 0; i < x.count() && x.index(i) < d; i++) {
      values[x.index(i)] = x.value(i);
    }
    float[] offsets = new float[d];
    for (int i = 0; i < d; i++) {
      double offset = values[i] - (i < origin.length ? origin[i] : 0);
      offsets[i] = (float) Math.max(-FARTHEST, Math.min(FARTHEST, offset));
    }
    return offsets;
  }

  /** Updates the deviations of the features with a row, and returns its offsets. */
  float[] observe(Features x) {
    if (count == 0) {
      origin = new double[Math.min(x.dimension(), Constants.FEW_INPUTS)];
      Arrays.setAll(origin, x::get);
    }
    float[] offsets = offsets(x);
    widen(offsets.length);
    count++;
    for (int i = 0; i < offsets.length; i++) {
      double step = offsets[i] - means[i];
      means[i] += step / count;
      squares[i] += step * (offsets[i] - means[i]);
    }
    return offsets;
  }

  private void widen(int d) {
    int before = means.length;
    if (d > before) {
      origin = Arrays.copyOf(origin, d);
      means = Arrays.copyOf(means, d);
      squares = Arrays.copyOf(squares, d);
      sums = Arrays.copyOf(sums, d);
      for (int i = before; i < d; i++) {
        sums[i] = new double[i + 1];
      }
    }
  }

  /** Adds the difference between two neighbours that were observed before. */
  void add(float[] a, float[] b) {
    double[] delta = new double[means.length];
    for (int i = 0; i < delta.length; i++) {
      delta[i] = (i < a.length ? a[i] : 0.0) - (i < b.length ? b[i] : 0.0);
    }
    for (int i = 0; i < delta.length; i++) {
      for (int j = 0; delta[i] != 0 && j <= i; j++) {
        sums[i][j] += delta[i] * delta[j];
      }
    }
  }

  /** Recomputes both maps from the rows and differences so far. */
  void renew() {
    int d = means.length;
    units = new double[d];
    double trace = 0;
    for (int i = 0; i < d; i++) {
      units[i] = squares[i] > 0 ? Math.sqrt(count / squares[i]) : 0;
      trace += units[i] * units[i] * sums[i][i];
    }
    factor = factor(trace > 0 ? d / trace : 0);
  }

  /** The lower factor of C + rI by Cholesky. */
  private double[][] factor(double scale) {
    double[][] found = new double[units.length][];
    for (int i = 0; i < found.length; i++) {
      found[i] = new double[i + 1];
      for (int j = 0; j <= i; j++) {
        double rest =
            scale * units[i] * units[j] * sums[i][j] + (i == j ? Constants.METRIC_RIDGE : 0);
        for (int k = 0; k < j; k++) {
          rest -= found[i][k] * found[j][k];
        }
        found[i][j] =
            i == j ? Math.sqrt(Math.max(rest, Constants.METRIC_RIDGE)) : rest / found[j][j];
      }
    }
    return found;
  }

  /** Maps offsets into this metric; changes no state. */
  float[] map(float[] offsets) {
    double[] solved = new double[factor.length];
    float[] mapped = new float[factor.length];
    for (int i = 0; i < solved.length; i++) {
      double rest = i < offsets.length ? limited(offsets[i] * units[i]) : 0;
      for (int k = 0; k < i; k++) {
        rest -= factor[i][k] * solved[k];
      }
      solved[i] = rest / factor[i][i];
      mapped[i] = (float) solved[i];
    }
    return mapped;
  }

  private static double limited(double deviations) {
    return Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, deviations));
  }

  /** Appends what is known about each feature, then the maps in use. */
  void encode(Encoder out) {
    out.int64(count);
    out.int32(means.length);
    out.rows(new double[][] {origin, means, squares});
    out.rows(sums);
    out.counted(units);
    out.rows(factor);
  }

  static LocalMetric decode(Decoder in) throws ModelFileException {
    LocalMetric read = new LocalMetric();
    read.count = in.count("the rows of a metric");
    int d = in.int32("the features of a metric", Constants.FEW_INPUTS);
    read.origin = in.doubles(d, d);
    read.means = in.doubles(d, d);
    read.squares = in.doubles(d, d);
    read.sums = in.triangle(d);
    read.units = in.counted("the features that are mapped", d);
    read.factor = in.triangle(read.units.length);
    for (int i = 0; i < read.factor.length; i++) {
      double root = read.factor[i][i];
      Decoder.check(
          root * root >= Constants.METRIC_RIDGE / 2, "a metric must be positive definite", root);
    }
    return read;
  }
}
