package org.avm4j.lab.paper;

import java.util.List;
import org.avm4j.Features;

/** Principal component analysis to the plane: the two directions in which rows differ most. */
final class Projection {
  private static final int ROUNDS = 200;

  private final double[] mean;
  private final double[][] directions = new double[2][];

  private Projection(double[] mean) {
    this.mean = mean;
  }

  /** The plane of these rows. */
  static Projection of(List<Features> rows) {
    int d = rows.stream().mapToInt(Features::dimension).max().orElse(1);
    double[] mean = new double[d];
    for (Features x : rows) {
      for (int i = 0; i < x.count(); i++) {
        mean[x.index(i)] += x.value(i) / rows.size();
      }
    }
    Projection plane = new Projection(mean);
    for (int k = 0; k < 2; k++) {
      plane.directions[k] = plane.leading(rows, k);
    }
    return plane;
  }

  /** A principal direction by power iteration, orthogonal to those found before. */
  private double[] leading(List<Features> rows, int found) {
    double[] v = new double[mean.length];
    for (int i = 0; i < v.length; i++) {
      v[i] = 1 + StrictMath.sin(1 + i + found);
    }
    normalise(v, found);
    for (int round = 0; round < ROUNDS; round++) {
      double[] next = new double[v.length];
      for (Features x : rows) {
        double length = dot(x, v);
        for (int i = 0; i < x.count(); i++) {
          next[x.index(i)] += length * x.value(i);
        }
        for (int i = 0; i < v.length; i++) {
          next[i] -= length * mean[i];
        }
      }
      normalise(next, found);
      v = next;
    }
    return v;
  }

  private void normalise(double[] v, int found) {
    for (int k = 0; k < found; k++) {
      double along = 0;
      for (int i = 0; i < v.length; i++) {
        along += v[i] * directions[k][i];
      }
      for (int i = 0; i < v.length; i++) {
        v[i] -= along * directions[k][i];
      }
    }
    double squares = 0;
    for (double value : v) {
      squares += value * value;
    }
    for (int i = 0; i < v.length && squares > 0; i++) {
      v[i] /= Math.sqrt(squares);
    }
  }

  /** (x - mean)ᵀv. */
  private double dot(Features x, double[] v) {
    double sum = 0;
    for (int i = 0; i < x.count(); i++) {
      sum += x.value(i) * v[x.index(i)];
    }
    for (int i = 0; i < v.length; i++) {
      sum -= mean[i] * v[i];
    }
    return sum;
  }

  /** The coordinates of a row in the plane. */
  double[] apply(Features x) {
    return new double[] {dot(x, directions[0]), dot(x, directions[1])};
  }
}
