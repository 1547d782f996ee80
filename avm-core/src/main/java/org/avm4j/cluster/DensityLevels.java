package org.avm4j.cluster;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The density of the cells at one resolution, and the level at which the segments between them stay
 * inside the support.
 *
 * <p>With r the distance to the measure for a mass k, as in the anomaly detector, and n the
 * intrinsic dimension of the data, the log density is f = log k - n log r. The level of an edge is
 * the least density at its ends and in its middle: the support {f ≥ level} holds the segment. As
 * the level falls, peaks of f become clusters and edges join them (Ben-Hur et al., <i>Support
 * vector clustering</i>, 2001). The prominence of a peak is how far the level falls from it until
 * it is joined to a higher one, its persistence (Chazal et al., <i>Persistence-based
 * clustering</i>, 2013).
 */
final class DensityLevels {
  /** Squared distance below which instances are equal. */
  private static final double LEAST_SQUARE = 1e-12;

  /** Fraction of the mass k that a peak must gather to be a cluster. */
  static final double LEAST_PART = 0.5;

  private final CellGraph graph;
  private final Cells cells;
  private final double mass;
  private final double[] densities;
  private final double[] levels;
  private final int[] order;
  private final double dimension;

  DensityLevels(Cells cells, CellGraph graph, double mass) {
    this.cells = cells;
    this.graph = graph;
    this.mass = mass;
    densities = new double[graph.size()];
    levels = new double[graph.edges()];
    double[] logs = new double[graph.size()];
    dimension = measure(logs);
    for (int j = 0; j < logs.length; j++) {
      densities[j] = StrictMath.log(graph.mass(j, mass)) - dimension * logs[j];
    }
    for (int e = 0; e < levels.length; e++) {
      int a = graph.from(e);
      int b = graph.to(e);
      double ends = Math.min(densities[a], densities[b]);
      double found = Math.max(graph.mass(a, mass), graph.mass(b, mass));
      double middle = StrictMath.log(found) - dimension * log(graph.measureMiddle(e, found));
      levels[e] = Math.min(ends, middle);
    }
    order =
        IntStream.range(0, levels.length)
            .boxed()
            .sorted(Comparator.comparingDouble(e -> -levels[e]))
            .mapToInt(e -> e)
            .toArray();
  }

  /** Writes log r of each cell, and finds the dimension from how r grows with the mass. */
  private double measure(double[] logs) {
    double growth = 0;
    double masses = 0;
    for (int j = 0; j < logs.length; j++) {
      double all = graph.mass(j, mass);
      double half = all / 2;
      logs[j] = log(graph.measure(j, all));
      growth += cells.weight(j) * (logs[j] - log(graph.measure(j, half)));
      masses += cells.weight(j);
    }
    double found = StrictMath.log(2) * masses / growth;
    return Double.isNaN(found) ? 1 : Math.max(1, Math.min(cells.dimension(), found));
  }

  private static double log(double square) {
    return 0.5 * StrictMath.log(Math.max(LEAST_SQUARE, square));
  }

  double density(int j) {
    return densities[j];
  }

  /** The squared distance to the measure at which the log density is this. */
  double squareAt(double density) {
    return StrictMath.exp(2 * (StrictMath.log(mass) - density) / dimension);
  }

  /** The prominences of all peaks of enough mass, the largest first; infinite for the highest. */
  double[] prominences() {
    Joining joining = new Joining();
    double[] found = new double[graph.size()];
    int count = 0;
    for (int e : order) {
      int low = joining.lower(e);
      if (low >= 0) {
        if (joining.masses[low] >= LEAST_PART * mass) {
          found[count++] = joining.prominence(low, e);
        }
        joining.join(low, e);
      }
    }
    for (int j = 0; j < graph.size(); j++) {
      if (joining.parents[j] == j && joining.masses[j] >= LEAST_PART * mass) {
        found[count++] = Double.POSITIVE_INFINITY;
      }
    }
    double[] ascending = Arrays.copyOf(found, count);
    Arrays.sort(ascending);
    return IntStream.range(0, count)
        .mapToDouble(i -> ascending[ascending.length - 1 - i])
        .toArray();
  }

  /** The peak of the cluster of each cell; -1 if that peak gathers too little mass. */
  int[] cut(double threshold) {
    Joining joining = new Joining();
    for (int e : order) {
      int low = joining.lower(e);
      boolean isJoined =
          low >= 0
              && (joining.prominence(low, e) < threshold
                  || joining.masses[low] < LEAST_PART * mass);
      if (isJoined) {
        joining.join(low, e);
      }
    }
    int[] peaks = new int[graph.size()];
    for (int j = 0; j < peaks.length; j++) {
      int root = joining.root(j);
      peaks[j] = joining.masses[root] < LEAST_PART * mass ? -1 : root;
    }
    return peaks;
  }

  /** Sets of cells that edges join, each with its peak as root. */
  private final class Joining {
    private final int[] parents = IntStream.range(0, graph.size()).toArray();
    private final double[] masses =
        IntStream.range(0, graph.size()).mapToDouble(cells::weight).toArray();

    int root(int j) {
      int at = j;
      while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
      }
      return at;
    }

    /** The lower of the two peaks that an edge joins; -1 if it joins none. */
    int lower(int edge) {
      int a = root(graph.from(edge));
      int b = root(graph.to(edge));
      if (a == b) {
        return -1;
      }
      return densities[a] < densities[b] ? a : b;
    }

    double prominence(int peak, int edge) {
      return densities[peak] - levels[edge];
    }

    void join(int low, int edge) {
      int a = root(graph.from(edge));
      int high = a == low ? root(graph.to(edge)) : a;
      parents[low] = high;
      masses[high] += masses[low];
    }
  }
}
