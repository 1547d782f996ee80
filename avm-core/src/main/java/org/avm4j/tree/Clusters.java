package org.avm4j.tree;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.math.SplitMix;
import org.avm4j.points.CoreSet;

/**
 * Lloyd's k-means over a few hundred rows, from centres that are drawn far apart (k-means++, Arthur
 * and Vassilvitskii 2007).
 */
final class Clusters {
  private static final int ROUNDS = 10;

  private final int[] features;
  private final double[][] rows;
  private final int[] cluster;
  private double[][] centres;

  /**
   * Clusters the vectors of a core set around at most k centres, fewer if there are fewer different
   * vectors. Only features that occur in some vector are used.
   */
  Clusters(CoreSet core, int k) {
    features = IntStream.range(0, core.dimension()).filter(i -> core.column(i) != null).toArray();
    rows = new double[core.size()][features.length];
    for (int f = 0; f < features.length; f++) {
      float[] column = core.column(features[f]);
      for (int j = 0; j < rows.length; j++) {
        rows[j][f] = column[j];
      }
    }
    cluster = new int[rows.length];
    centres = farApart(k);
    for (int round = 0; round < ROUNDS; round++) {
      assign();
      move();
    }
  }

  int count() {
    return centres.length;
  }

  List<Features> centres() {
    return Arrays.stream(centres).map(centre -> Features.sparse(features, centre)).toList();
  }

  /**
   * Twice the mean squared distance of the rows of a cluster to its centre; 0 for fewer than 2
   * rows.
   */
  double meanSquare(int c) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < rows.length; i++) {
      if (cluster[i] == c) {
        sum += squaredDistance(rows[i], centres[c]);
        count++;
      }
    }
    return count < 2 ? 0 : 2 * sum / (count - 1);
  }

  private double[][] farApart(int k) {
    if (rows.length == 0) {
      return new double[0][];
    }
    SplitMix random = new SplitMix(rows.length * 31L + rows[0].length);
    double[] nearest = new double[rows.length];
    Arrays.fill(nearest, Double.MAX_VALUE);
    double[][] found = new double[k][];
    int pick = 0;
    for (int c = 0; c < k; c++) {
      found[c] = rows[pick].clone();
      double sum = 0;
      for (int i = 0; i < rows.length; i++) {
        nearest[i] = Math.min(nearest[i], squaredDistance(rows[i], found[c]));
        sum += nearest[i];
      }
      if (sum <= 0) {
        return Arrays.copyOf(found, c + 1);
      }
      pick = draw(nearest, random.getAsDouble() * sum);
    }
    return found;
  }

  private static int draw(double[] weights, double u) {
    double left = u;
    for (int i = 0; i < weights.length - 1; i++) {
      left -= weights[i];
      if (left <= 0) {
        return i;
      }
    }
    return weights.length - 1;
  }

  private void assign() {
    for (int i = 0; i < rows.length; i++) {
      int best = 0;
      for (int c = 1; c < centres.length; c++) {
        boolean isNearer =
            squaredDistance(rows[i], centres[c]) < squaredDistance(rows[i], centres[best]);
        best = isNearer ? c : best;
      }
      cluster[i] = best;
    }
  }

  private void move() {
    int[] count = new int[centres.length];
    double[][] sums = new double[centres.length][features.length];
    for (int i = 0; i < rows.length; i++) {
      count[cluster[i]]++;
      for (int f = 0; f < rows[i].length; f++) {
        sums[cluster[i]][f] += rows[i][f];
      }
    }
    for (int c = 0; c < centres.length; c++) {
      for (int f = 0; count[c] > 0 && f < sums[c].length; f++) {
        centres[c][f] = sums[c][f] / count[c];
      }
    }
  }

  private static double squaredDistance(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
  }
}
