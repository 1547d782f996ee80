package org.avm4j;

import java.util.ArrayList;
import java.util.List;

/**
 * Algorithms 1 to 5 as they stand in the paper, with nothing lazy about them: every coefficient is
 * rescaled in every step, every iterate is kept, norms are taken from scratch. The obvious meaning
 * of {@link Avm}, for tests. Vectors are rounded to floats, as the machine keeps them.
 */
final class ExplicitAvm {
  private final AvmOptions options;
  private final int columns;
  private final List<double[]> vectors = new ArrayList<>();
  private final List<Boolean> cell = new ArrayList<>();
  private final List<double[]> w = new ArrayList<>();
  private final List<double[][]> iterates = new ArrayList<>();
  private long t;
  private double yMax;

  ExplicitAvm(AvmOptions options, int columns) {
    this.options = options;
    this.columns = columns;
  }

  int size() {
    return vectors.size();
  }

  double[] score(double[] x, List<double[]> coefficients) {
    double[] scores = new double[columns];
    for (int j = 0; j < coefficients.size(); j++) {
      double k = options.kernel().of(squaredDistance(floats(x), vectors.get(j)));
      for (int c = 0; c < columns; c++) {
        scores[c] += coefficients.get(j)[c] * k;
      }
    }
    return scores;
  }

  double[] score(double[] x) {
    return score(x, w);
  }

  void learn(double[] x, double y, boolean approximate) {
    t++;
    yMax = Math.max(yMax, Math.abs(y));
    iterates.add(copy());
    double lambda = options.regularization();
    double memory =
        options.forgetting() instanceof Forgettings.Horizon fixed
            ? Math.min(t, fixed.instances())
            : t;
    double eta = 1 / (lambda * memory);
    double[] scores = score(x);
    boolean multiclass = options.task().kind() == Task.Kind.MULTICLASS;
    int own = multiclass ? (int) y : 0;
    int rival = multiclass ? runnerUp(scores, own) : -1;
    double u = options.task().argument(y, scores[own], rival < 0 ? 0 : scores[rival]);
    double weight = options.classWeights().given().getOrDefault(y, 1.0);
    double alpha = weight * options.task().slope(y) * options.loss().derivative(u);
    int j = approximate ? find(floats(x)) : -1;
    if (j < 0) {
      vectors.add(floats(x));
      cell.add(approximate);
      w.add(new double[columns]);
      j = vectors.size() - 1;
    }
    for (double[] coefficient : w) {
      for (int c = 0; c < columns; c++) {
        coefficient[c] *= 1 - eta * lambda;
      }
    }
    w.get(j)[own] -= eta * alpha;
    if (rival >= 0) {
      w.get(j)[rival] += eta * alpha;
    }
    if (options.loss().isQuadratic() && lambda <= 1) {
      project((options.yMax() > 0 ? options.yMax() : yMax) / Math.sqrt(lambda));
    }
  }

  /** The mean of the iterates from the given one, counted from 0, to the last before now. */
  List<double[]> mean(int from) {
    List<double[]> mean = new ArrayList<>();
    for (int j = 0; j < vectors.size(); j++) {
      double[] sum = new double[columns];
      for (int i = from; i < iterates.size(); i++) {
        double[][] iterate = iterates.get(i);
        for (int c = 0; c < columns && j < iterate.length; c++) {
          sum[c] += iterate[j][c] / (iterates.size() - from);
        }
      }
      mean.add(sum);
    }
    return mean;
  }

  double norm() {
    double sum = 0;
    for (int i = 0; i < w.size(); i++) {
      for (int j = 0; j < w.size(); j++) {
        double k = options.kernel().of(squaredDistance(vectors.get(i), vectors.get(j)));
        sum += w.get(i)[0] * w.get(j)[0] * k;
      }
    }
    return Math.sqrt(Math.max(0, sum));
  }

  private void project(double radius) {
    double norm = norm();
    if (norm > radius) {
      w.forEach(coefficient -> coefficient[0] *= radius / norm);
    }
  }

  private int find(double[] x) {
    double delta = options.coverage().diameter();
    int found = -1;
    double least = delta * delta / 4;
    for (int j = 0; j < vectors.size(); j++) {
      if (!cell.get(j)) {
        continue;
      }
      if (options.coverage() instanceof Coverages.Sphere) {
        double squared = squaredDistance(x, vectors.get(j));
        if (squared < least) {
          least = squared;
          found = j;
        }
      } else if (maxDistance(x, vectors.get(j)) < delta / Math.sqrt(x.length)) {
        return j;
      }
    }
    return found;
  }

  private int runnerUp(double[] scores, int own) {
    int best = -1;
    for (int c = 0; c < columns; c++) {
      if (c != own && (best < 0 || scores[c] > scores[best])) {
        best = c;
      }
    }
    return best;
  }

  private double[][] copy() {
    return w.stream().map(double[]::clone).toArray(double[][]::new);
  }

  private static double[] floats(double[] x) {
    double[] rounded = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      rounded[i] = (float) x[i];
    }
    return rounded;
  }

  private static double squaredDistance(double[] x, double[] z) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += (x[i] - z[i]) * (x[i] - z[i]);
    }
    return sum;
  }

  private static double maxDistance(double[] x, double[] z) {
    double max = 0;
    for (int i = 0; i < x.length; i++) {
      max = Math.max(max, Math.abs(x[i] - z[i]));
    }
    return max;
  }
}
