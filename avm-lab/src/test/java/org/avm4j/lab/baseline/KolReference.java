package org.avm4j.lab.baseline;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/**
 * Three learners of the C++ toolbox KOL written out plainly, in an arithmetic of choice: in its
 * own, they give its published figures, so that what is left between those and ours is rounding.
 * K⁻¹ is not safe against duplicates there, and in single precision it is far from the inverse.
 */
final class KolReference {
  /** How a number is rounded, and ab + c with it. */
  enum Arithmetic {
    /** What gcc -O2 makes of KOL's floats on a machine with fused multiply-add. */
    SINGLE_FUSED {
      @Override
      double round(double value) {
        return (float) value;
      }

      @Override
      double add(double a, double b, double c) {
        return Math.fma((float) a, (float) b, (float) c);
      }
    },
    DOUBLE {
      @Override
      double round(double value) {
        return value;
      }

      @Override
      double add(double a, double b, double c) {
        return a * b + c;
      }
    };

    abstract double round(double value);

    abstract double add(double a, double b, double c);
  }

  private final Arithmetic in;
  private final int budget;
  private final double[] kernelAt = new double[512];
  private final int[][] rows;
  private final double[] y;
  private final int[] at;
  private final double[] alpha;
  private int size;

  /** For rows of zeros and ones only, whose squared distances are small whole numbers. */
  KolReference(List<Instance> data, double gamma, int budget, Arithmetic in) {
    this.in = in;
    this.budget = budget;
    rows = data.stream().map(i -> indices(i.features())).toArray(int[][]::new);
    y = data.stream().mapToDouble(Instance::label).toArray();
    at = new int[budget + 1];
    alpha = new double[budget + 1];
    for (int d = 0; d < kernelAt.length; d++) {
      kernelAt[d] = in.round(Math.exp(in.round(-d * in.round(gamma))));
    }
  }

  private static int[] indices(Features x) {
    int[] indices = new int[x.count()];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = x.index(i);
    }
    return indices;
  }

  private double kernel(int[] a, int[] b) {
    int i = 0;
    int j = 0;
    int same = 0;
    while (i < a.length && j < b.length) {
      int order = Integer.compare(a[i], b[j]);
      same += order == 0 ? 1 : 0;
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    return kernelAt[a.length + b.length - 2 * same];
  }

  private double[] kernels(int t) {
    double[] k = new double[size];
    for (int j = 0; j < size; j++) {
      k[j] = kernel(rows[at[j]], rows[t]);
    }
    return k;
  }

  private double dot(double[] a, double[] b, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      sum = in.add(a[j], b[j], sum);
    }
    return sum;
  }

  private void append(int t) {
    at[size] = t;
    alpha[size++] = y[t];
  }

  /** The percentage of instances that the Forgetron answers right before it learns them. */
  double forgetron() {
    int right = 0;
    int mistakes = 0;
    double q = 0;
    for (int t = 0; t < rows.length; t++) {
      if (y[t] * dot(alpha, kernels(t), size) > 0) {
        right++;
        continue;
      }
      mistakes++;
      append(t);
      if (size > budget) {
        double mu = y[at[0]] * dot(alpha, kernels(at[0]), size);
        double sigma = alpha[0] / y[at[0]];
        double phi = factor(sigma, mu, q - 15.0 / 32 * mistakes);
        q += sigma * phi * (sigma * phi + 2 * (1 - phi * mu));
        forgetFirst(phi);
      }
    }
    return 100.0 * right / rows.length;
  }

  private static double factor(double sigma, double mu, double c) {
    double a = sigma * sigma - 2 * sigma * mu;
    double b = 2 * sigma;
    double root = Math.sqrt(b * b - 4 * a * c);
    return a + b + c <= 0 ? 1 : (a > 0 ? root - b : -root - b) / (2 * a);
  }

  private void forgetFirst(double phi) {
    size--;
    for (int j = 0; j < size; j++) {
      alpha[j] = in.round(alpha[j + 1] * phi);
      at[j] = at[j + 1];
    }
  }

  /** The percentage of instances that Projectron or Projectron++ answers right. */
  double projectron(boolean plusPlus) {
    double[][] inverse = new double[budget][budget];
    double[][] matrix = new double[budget][budget];
    int right = 0;
    for (int t = 0; t < rows.length; t++) {
      double[] k = kernels(t);
      double f = dot(alpha, k, size);
      double loss = in.round(1 - y[t] * f);
      right += loss < 1 ? 1 : 0;
      if (loss <= 0 || (loss < 1 && !plusPlus)) {
        continue;
      }
      double[] d = new double[size];
      for (int i = 0; i < size; i++) {
        d[i] = dot(inverse[i], k, size);
      }
      double missed = missed(k, d, plusPlus);
      if (loss < 1) {
        addAll(d, part(matrix, d, loss, missed), y[t]);
      } else if (size == budget) {
        addAll(d, 1, y[t]);
      } else {
        grow(inverse, matrix, k, d, missed, plusPlus);
        append(t);
      }
    }
    return 100.0 * right / rows.length;
  }

  /** KOL takes this sum in double in the one and in float in the other. */
  private double missed(double[] k, double[] d, boolean plusPlus) {
    if (plusPlus) {
      return in.round(1 - dot(k, d, size));
    }
    double sum = 0;
    for (int j = 0; j < size; j++) {
      sum += in.round(k[j] * d[j]);
    }
    return 1 - sum;
  }

  private double part(double[][] matrix, double[] d, double loss, double missed) {
    double p = 0;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        p = in.add(in.round(matrix[i][j] * d[i]), d[j], p);
      }
    }
    double u = Math.sqrt((budget + 1) / Math.log(budget + 1.0)) / 4;
    double tau = Math.min(in.round(loss / p), 1);
    return tau * (2 * loss - tau * p - 2 * u * Math.sqrt(missed)) >= 0 ? tau : 0;
  }

  private void addAll(double[] d, double tau, double label) {
    for (int j = 0; j < size && tau > 0; j++) {
      alpha[j] = in.add(in.round(tau * d[j]), label, alpha[j]);
    }
  }

  private void grow(
      double[][] inverse,
      double[][] matrix,
      double[] k,
      double[] d,
      double missed,
      boolean single) {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double part = in.round(d[i] * d[j]) / missed;
        inverse[i][j] = in.round(inverse[i][j] + (single ? in.round(part) : part));
      }
      inverse[i][size] = in.round(-d[i] / missed);
      inverse[size][i] = inverse[i][size];
      matrix[i][size] = k[i];
      matrix[size][i] = k[i];
    }
    inverse[size][size] = in.round(1 / missed);
    matrix[size][size] = 1;
  }
}
