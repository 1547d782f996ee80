package org.avm4j.cluster;

import java.util.Arrays;

/**
 * The nearest cells of a place that hold a number of instances and are a number of cells, in
 * ascending order of their squared distance. A cell beyond them costs one comparison.
 */
final class Neighbourhood {
  private double[] squares = new double[16];
  private double[] weights = new double[16];
  private int count;
  private double leastMass;
  private double leastCells;
  private double held;

  /** Forgets all cells, and from now on keeps the nearest of at least this mass and number. */
  void start(double mass, double cells) {
    leastMass = mass;
    leastCells = cells;
    count = 0;
    held = 0;
  }

  void add(double square, double weight) {
    if (count > 0 && square >= squares[count - 1] && isEnough(held, count)) {
      return;
    }
    if (count == squares.length) {
      squares = Arrays.copyOf(squares, 2 * count);
      weights = Arrays.copyOf(weights, 2 * count);
    }
    int at = count++;
    for (; at > 0 && square < squares[at - 1]; at--) {
      squares[at] = squares[at - 1];
      weights[at] = weights[at - 1];
    }
    squares[at] = square;
    weights[at] = weight;
    held += weight;
    while (count > 1 && isEnough(held - weights[count - 1], count - 1)) {
      held -= weights[--count];
    }
  }

  private boolean isEnough(double mass, int cells) {
    return mass >= leastMass && cells >= leastCells;
  }

  /** The mass of the fewest nearest cells that have at least this mass and number. */
  double mass(double least, double cells) {
    double sum = 0;
    for (int i = 0; i < count && (sum < least || i < cells); i++) {
      double part = Math.max((least - sum) / weights[i], cells - i);
      sum += Math.min(1, part) * weights[i];
    }
    return sum;
  }

  /** The mean square of the nearest of a mass; of the farthest cell only a part counts. */
  double mean(double mass) {
    double sum = 0;
    double left = mass;
    for (int i = 0; i < count && left > 0; i++) {
      double weight = Math.min(left, weights[i]);
      sum += weight * squares[i];
      left -= weight;
    }
    return sum / mass;
  }
}
