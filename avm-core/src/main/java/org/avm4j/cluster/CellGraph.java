package org.avm4j.cluster;

import java.util.Arrays;
import org.avm4j.internal.Selection;

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

  /** Number of neighbours among which densities are measured. */
  private static final int NEIGHBOURS = 24;

  private final Cells cells;
  private final int size;
  private final int dimension;
  private final double[] rows;
  private final int near;
  private final int[] neighbours;
  private final double[] squares;
  private int[] from;
  private int[] to;
  private int edges;

  private final double[] values;
  private final double[] weights;
  private final int[] seen;
  private int stamp;
  private final double[] point;

  CellGraph(Cells cells) {
    this.cells = cells;
    size = cells.size();
    dimension = cells.dimension();
    near = Math.min(NEIGHBOURS, size);
    neighbours = new int[size * near];
    squares = new double[size * near];
    rows = new double[size * dimension];
    from = new int[4 * size + 8];
    to = new int[4 * size + 8];
    values = new double[2 * near];
    weights = new double[2 * near];
    seen = new int[size];
    point = new double[dimension];
    for (int j = 0; j < size; j++) {
      for (int i = 0; i < dimension; i++) {
        rows[j * dimension + i] = cells.coordinate(j, i);
      }
    }
    findNeighbours();
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

  private void findNeighbours() {
    double[] measured = new double[size];
    for (int j = 0; j < size; j++) {
      cells.measure(j, measured);
      nearest(measured, j * near);
    }
  }

  /**
   * Collects the nearest cells in ascending order, by insertion: most cells are too far and need no
   * insertion.
   */
  private void nearest(double[] measured, int start) {
    int found = 0;
    for (int j = 0; j < size; j++) {
      double square = measured[j];
      if (found == near && square >= squares[start + near - 1]) {
        continue;
      }
      int at = found < near ? found++ : near - 1;
      for (; at > 0 && square < squares[start + at - 1]; at--) {
        squares[start + at] = squares[start + at - 1];
        neighbours[start + at] = neighbours[start + at - 1];
      }
      squares[start + at] = square;
      neighbours[start + at] = j;
    }
  }

  private void findEdges() {
    for (int a = 0; a < size; a++) {
      for (int n = 0; n < Math.min(near, LINKS + 1); n++) {
        int b = neighbours[a * near + n];
        if (b != a && !(b < a && links(b, a)) && isFree(a, n)) {
          addEdge(a, b);
        }
      }
    }
  }

  /** Whether b is among the neighbours that a may be linked to, and no cell is between them. */
  private boolean links(int a, int b) {
    for (int n = 0; n < Math.min(near, LINKS + 1); n++) {
      if (neighbours[a * near + n] == b) {
        return isFree(a, n);
      }
    }
    return false;
  }

  private boolean isFree(int a, int n) {
    int b = neighbours[a * near + n];
    double length = squares[a * near + n];
    for (int m = 0; m < n; m++) {
      int c = neighbours[a * near + m];
      if (c != a && c != b && squares[a * near + m] + square(c, b) < length) {
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

  /** The weight of the neighbours of a cell, including the cell itself, up to a mass. */
  double mass(int a, double mass) {
    double sum = 0;
    for (int n = 0; n < near && sum < mass; n++) {
      sum += cells.weight(neighbours[a * near + n]);
    }
    return Math.min(sum, mass);
  }

  /** The mean squared distance from a cell to the nearest instances of this mass. */
  double measure(int a, double mass) {
    for (int n = 0; n < near; n++) {
      int c = neighbours[a * near + n];
      values[n] = squares[a * near + n] + cells.spread(c);
      weights[n] = cells.weight(c);
    }
    return Selection.leastSum(values, weights, near, mass) / mass;
  }

  /** The mean squared distance from the middle of an edge to the nearest instances. */
  double measureMiddle(int edge, double mass) {
    int a = from[edge];
    int b = to[edge];
    for (int i = 0; i < dimension; i++) {
      point[i] = (rows[a * dimension + i] + rows[b * dimension + i]) / 2;
    }
    stamp++;
    int n = gather(a, 0);
    n = gather(b, n);
    return Selection.leastSum(values, weights, n, mass) / mass;
  }

  private int gather(int a, int found) {
    int n = found;
    for (int m = 0; m < near; m++) {
      int c = neighbours[a * near + m];
      if (seen[c] != stamp) {
        seen[c] = stamp;
        values[n] = squareToPoint(c) + cells.spread(c);
        weights[n++] = cells.weight(c);
      }
    }
    return n;
  }
}
