package org.avm4j.cluster;

import java.util.Arrays;

/**
 * The cells with their neighbours, and edges between neighbours with no third cell between them.
 *
 * <p>Edges are those of the Gabriel graph among the nearest {@value #LINKS} neighbours of each
 * cell: a and b are linked if the ball with diameter ab holds no other mean. A segment that passes
 * close to a third cell is left out, because the path through that cell is at least as dense.
 */
final class CellGraph {
  /** Number of neighbours that a cell may be linked to. */
  private static final int LINKS = 12;

  /** Number of neighbours among which densities are measured, if each is one instance. */
  private static final int NEIGHBOURS = 24;

  private final Cells cells;
  private final int size;
  private final int dimension;
  private final double[] rows;
  private final int near;
  private final NearestCells neighbours;
  private int[] from;
  private int[] to;
  private int edges;

  private final Neighbourhood nearest = new Neighbourhood();
  private final int[] seen;
  private int stamp;
  private final double[] point;

  CellGraph(Cells cells) {
    this.cells = cells;
    size = cells.size();
    dimension = cells.dimension();
    double enough = Math.ceil(NEIGHBOURS * size / cells.total());
    near = Math.min(size, Math.max(LINKS + 1, (int) Math.min(NEIGHBOURS, enough)));
    neighbours = cells.neighbours(near);
    rows = new double[size * dimension];
    from = new int[4 * size + 8];
    to = new int[4 * size + 8];
    seen = new int[size];
    point = new double[dimension];
    for (int j = 0; j < size; j++) {
      for (int i = 0; i < dimension; i++) {
        rows[j * dimension + i] = cells.coordinate(j, i);
      }
    }
    findEdges();
  }

  int size() {
    return size;
  }

  int edges() {
    return edges;
  }

  int from(int edge) {
    return from[edge];
  }

  int to(int edge) {
    return to[edge];
  }

  private void findEdges() {
    for (int a = 0; a < size; a++) {
      for (int n = 0; n < Math.min(near, LINKS + 1); n++) {
        int b = neighbours.point(a, n);
        if (b != a && !(b < a && links(b, a)) && isFree(a, n)) {
          addEdge(a, b);
        }
      }
    }
  }

  /** Whether b is among the neighbours that a may be linked to, and no cell is between them. */
  private boolean links(int a, int b) {
    for (int n = 0; n < Math.min(near, LINKS + 1); n++) {
      if (neighbours.point(a, n) == b) {
        return isFree(a, n);
      }
    }
    return false;
  }

  private boolean isFree(int a, int n) {
    int b = neighbours.point(a, n);
    double length = neighbours.square(a, n);
    for (int m = 0; m < n; m++) {
      int c = neighbours.point(a, m);
      if (c != a && c != b && neighbours.square(a, m) + square(c, b) < length) {
        return false;
      }
    }
    return true;
  }

  private void addEdge(int a, int b) {
    if (edges == from.length) {
      from = Arrays.copyOf(from, 2 * edges);
      to = Arrays.copyOf(to, 2 * edges);
    }
    from[edges] = a;
    to[edges++] = b;
  }

  private double square(int a, int b) {
    double sum = 0;
    for (int i = 0; i < dimension; i++) {
      double difference = rows[a * dimension + i] - rows[b * dimension + i];
      sum += difference * difference;
    }
    return sum;
  }

  private double squareToPoint(int a) {
    double sum = 0;
    for (int i = 0; i < dimension; i++) {
      double difference = rows[a * dimension + i] - point[i];
      sum += difference * difference;
    }
    return sum;
  }

  /** The neighbourhood of a cell with this mass and number of cells, valid until the next call. */
  Neighbourhood around(int a, double mass, double places) {
    nearest.start(mass, places);
    for (int n = 0; n < near; n++) {
      int c = neighbours.point(a, n);
      nearest.add(neighbours.square(a, n) + cells.spread(c), cells.weight(c));
    }
    return nearest;
  }

  /** The neighbourhood of the middle of an edge, valid until the next call. */
  Neighbourhood aroundMiddle(int edge, double mass, double places) {
    int a = from[edge];
    int b = to[edge];
    for (int i = 0; i < dimension; i++) {
      point[i] = (rows[a * dimension + i] + rows[b * dimension + i]) / 2;
    }
    stamp++;
    nearest.start(mass, places);
    gather(a);
    gather(b);
    return nearest;
  }

  private void gather(int a) {
    for (int n = 0; n < near; n++) {
      int c = neighbours.point(a, n);
      if (seen[c] != stamp) {
        seen[c] = stamp;
        nearest.add(squareToPoint(c) + cells.spread(c), cells.weight(c));
      }
    }
  }
}
