package org.avm4j.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The density of the cells at one resolution k, and the level at which the segments between them
 * stay inside the support.
 *
 * <p>A neighbourhood has at least k instances, the weight of 0.4 k typical cells, and k/3 cells.
 * With m its mass, r the root mean square distance to its instances and n the intrinsic dimension
 * of the data, the log density is f = log m - n log r. Cells of rows that repeat are not typical,
 * and do not fill the neighbourhoods of other cells. The level of an edge is the least density at
 * its ends and in its middle: the support {f ≥ level} holds the segment. As the level falls, peaks
 * of f become clusters and edges join them (Ben-Hur et al., <i>Support vector clustering</i>,
 * 2001). The prominence of a peak is how far the level falls from it until it is joined to a higher
 * one, its persistence (Chazal et al., <i>Persistence-based clustering</i>, 2013).
 */
final class DensityLevels {
  /** Squared distance below which instances are equal. */
  private static final double LEAST_SQUARE = 1e-12;

  /** Fraction of the mass of its neighbourhood that a peak must gather to be a cluster. */
  static final double LEAST_PART = 0.5;

  /** Least number of cells in a neighbourhood, for each of its k instances. */
  private static final double CELLS = 1.0 / 3;

  /** Number of typical cells whose weight a neighbourhood has at least, for each of its k. */
  private static final double TYPICAL_CELLS = 0.4;

  /** Mean squared distance to its mean at which a cell is full, as a part of the squared radius. */
  private static final double FULL = 0.25;

  private final CellGraph graph;
  private final Cells cells;
  private final double mass;
  private final double places;
  private final double[] masses;
  private final double[] densities;
  private final double[] levels;
  private double growth;
  private double dimension;
  private int[] order;

  private DensityLevels(Cells cells, CellGraph graph, double k, double typical) {
    this.cells = cells;
    this.graph = graph;
    mass = Math.min(Math.max(k, TYPICAL_CELLS * k * typical), cells.total() / 2);
    places = Math.min(CELLS * k, cells.size() / 2.0);
    masses = new double[graph.size()];
    densities = new double[graph.size()];
    levels = new double[graph.edges()];
  }

  /** The levels at several resolutions, given in ascending order. */
  static List<DensityLevels> of(Cells cells, CellGraph graph, double... resolutions) {
    double typical = typicalWeight(cells);
    List<DensityLevels> all =
        Arrays.stream(resolutions)
            .mapToObj(k -> new DensityLevels(cells, graph, k, typical))
            .toList();
    DensityLevels last = all.get(all.size() - 1);
    for (int j = 0; j < graph.size(); j++) {
      Neighbourhood around = graph.around(j, last.mass, last.places);
      for (DensityLevels one : all) {
        one.measure(j, around);
      }
    }
    all.forEach(DensityLevels::findDensities);
    for (int e = 0; e < graph.edges(); e++) {
      Neighbourhood around = graph.aroundMiddle(e, last.mass, last.places);
      for (DensityLevels one : all) {
        one.measureEdge(e, around);
      }
    }
    all.forEach(one -> one.order = Order.descending(one.levels, one.levels.length));
    return all;
  }

  /**
   * The geometric mean, over all instances, of the weight of their cell. A cell of rows that repeat
   * has a small spread; its weight is reduced in proportion (decision 30).
   */
  private static double typicalWeight(Cells cells) {
    double square = FULL * cells.radius() * cells.radius();
    double total = cells.total();
    double logs = 0;
    for (int j = 0; j < cells.size(); j++) {
      double weight = cells.weight(j);
      double spread = cells.spread(j);
      double full = spread < square ? weight * (spread / square) : weight;
      logs += weight / total * StrictMath.log(Math.max(Math.min(1, weight), full));
    }
    return StrictMath.exp(logs);
  }

  /** Writes log r of a cell in place of its density, and how it grows with the mass. */
  private void measure(int j, Neighbourhood around) {
    masses[j] = around.mass(mass, places);
    densities[j] = log(around.mean(masses[j]));
    growth += cells.weight(j) * (densities[j] - log(around.mean(masses[j] / 2)));
  }

  private void findDensities() {
    double found = StrictMath.log(2) * cells.total() / growth;
    dimension = Double.isNaN(found) ? 1 : Math.max(1, Math.min(cells.dimension(), found));
    for (int j = 0; j < densities.length; j++) {
      densities[j] = StrictMath.log(masses[j]) - dimension * densities[j];
    }
  }

  private void measureEdge(int e, Neighbourhood around) {
    int a = graph.from(e);
    int b = graph.to(e);
    double ends = Math.min(densities[a], densities[b]);
    double found = around.mass(mass, places);
    levels[e] = Math.min(ends, StrictMath.log(found) - dimension * log(around.mean(found)));
  }

  private static double log(double square) {
    return 0.5 * StrictMath.log(Math.max(LEAST_SQUARE, square));
  }

  double density(int j) {
    return densities[j];
  }

  /** How much closer the nearest instances of cell j are than at a lower density, squared. */
  double squareTo(double density, int j) {
    return squareAt(density, j) - squareAt(densities[j], j);
  }

  private double squareAt(double density, int j) {
    return StrictMath.exp(2 * (StrictMath.log(masses[j]) - density) / dimension);
  }

  /** The prominences of all peaks of enough mass, the largest first; infinite for the highest. */
  double[] prominences() {
    Joining joining = new Joining();
    double[] found = new double[graph.size()];
    int count = 0;
    for (int e : order) {
      int low = joining.lower(e);
      if (low >= 0) {
        if (joining.masses[low] >= LEAST_PART * masses[low]) {
          found[count++] = joining.prominence(low, e);
        }
        joining.join(low, e);
      }
    }
    for (int j = 0; j < graph.size(); j++) {
      if (joining.parents[j] == j && joining.masses[j] >= LEAST_PART * masses[j]) {
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
                  || joining.masses[low] < LEAST_PART * masses[low]);
      if (isJoined) {
        joining.join(low, e);
      }
    }
    int[] peaks = new int[graph.size()];
    for (int j = 0; j < peaks.length; j++) {
      int root = joining.root(j);
      peaks[j] = joining.masses[root] < LEAST_PART * masses[root] ? -1 : root;
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
