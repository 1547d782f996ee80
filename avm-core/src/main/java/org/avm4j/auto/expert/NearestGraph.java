package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Distances;

/**
 * Points in numbered slots, each linked to the points nearest to it. A new point also enters the
 * lists of its neighbours; if a point is removed, all links to it are removed too.
 *
 * <p>The weight of a link is exp(-2 d/h), with d its squared distance and h that of the farthest
 * link of the same point, so that dense and sparse parts of the data are treated alike.
 */
final class NearestGraph {
  /** Added to a distance, so that the weight of points in the same place is defined. */
  private static final double LEAST = 1e-12;

  private final boolean[] isFilled;
  private final int[][] near;
  private final float[][] distances;
  private final double[][] weights;
  private final int[] links;
  private float[][] columns = {};

  /** A graph without points. */
  NearestGraph(int slots) {
    isFilled = new boolean[slots];
    near = new int[slots][Constants.LINKS];
    distances = new float[slots][Constants.LINKS];
    weights = new double[slots][Constants.LINKS];
    links = new int[slots];
  }

  int slots() {
    return links.length;
  }

  boolean isFilled(int slot) {
    return isFilled[slot];
  }

  /** The number of links of a point. */
  int links(int slot) {
    return links[slot];
  }

  /** The slot at the other end of a link, the nearest first. */
  int neighbour(int slot, int link) {
    return near[slot][link];
  }

  double weight(int slot, int link) {
    return weights[slot][link];
  }

  /** The points nearest to a row, with the weights that its links would have. */
  record Near(int[] slots, float[] distances) {
    double weight(int i) {
      return NearestGraph.weight(distances[i], distances[distances.length - 1]);
    }
  }

  private static double weight(double distance, double farthest) {
    return StrictMath.exp(-distance / (farthest + LEAST));
  }

  /** Finds the points nearest to a row; changes no state. */
  Near nearest(float[] row) {
    float[] all = new float[slots()];
    int features = Math.min(row.length, columns.length);
    double base = 0;
    for (int i = features; i < row.length; i++) {
      base += (double) row[i] * row[i];
    }
    Distances.dense(padded(row), columns, columns.length, all.length, base, all);
    int[] slots = Neighbours.nearest(all, Constants.LINKS, this::isFilled);
    float[] squares = new float[slots.length];
    for (int i = 0; i < slots.length; i++) {
      squares[i] = all[slots[i]];
    }
    return new Near(slots, squares);
  }

  private float[] padded(float[] row) {
    return row.length < columns.length ? Arrays.copyOf(row, columns.length) : row;
  }

  /** Puts a point into an empty slot; returns the points that are nearest to it. */
  Near put(int slot, float[] row) {
    Near found = nearest(row);
    move(slot, row);
    isFilled[slot] = true;
    links[slot] = 0;
    for (int i = 0; i < found.slots.length; i++) {
      link(slot, found.slots[i], found.distances[i]);
      link(found.slots[i], slot, found.distances[i]);
    }
    return found;
  }

  private void widen(int features) {
    int before = columns.length;
    if (features > before) {
      columns = Arrays.copyOf(columns, features);
      for (int i = before; i < features; i++) {
        columns[i] = new float[slots()];
      }
    }
  }

  /** Adds a link, unless the point already has enough links to nearer points. */
  private void link(int from, int to, float distance) {
    if (links[from] == Constants.LINKS && distances[from][Constants.LINKS - 1] <= distance) {
      return;
    }
    int at = links[from] < Constants.LINKS ? links[from]++ : Constants.LINKS - 1;
    for (; at > 0 && distance < distances[from][at - 1]; at--) {
      distances[from][at] = distances[from][at - 1];
      near[from][at] = near[from][at - 1];
    }
    distances[from][at] = distance;
    near[from][at] = to;
    weigh(from);
  }

  private void weigh(int slot) {
    for (int i = 0; i < links[slot]; i++) {
      weights[slot][i] = weight(distances[slot][i], distances[slot][links[slot] - 1]);
    }
  }

  /** Removes a point, and all links to it. */
  void remove(int slot) {
    isFilled[slot] = false;
    links[slot] = 0;
    for (int from = 0; from < slots(); from++) {
      for (int i = 0; i < links[from]; i++) {
        if (near[from][i] == slot) {
          unlink(from, i);
        }
      }
    }
  }

  private void unlink(int from, int link) {
    int behind = --links[from] - link;
    System.arraycopy(near[from], link + 1, near[from], link, behind);
    System.arraycopy(distances[from], link + 1, distances[from], link, behind);
    weigh(from);
  }

  /** Moves a point; the lengths of its links stay unchanged until {@link #measure} is called. */
  void move(int slot, float[] row) {
    widen(row.length);
    for (int i = 0; i < columns.length; i++) {
      columns[i][slot] = i < row.length ? row[i] : 0;
    }
  }

  /** Recomputes the lengths of all links after points were moved. */
  void measure() {
    for (int slot = 0; slot < slots(); slot++) {
      int count = links[slot];
      int[] ends = Arrays.copyOf(near[slot], count);
      links[slot] = 0;
      for (int end : ends) {
        link(slot, end, distance(slot, end));
      }
    }
  }

  private float distance(int a, int b) {
    double sum = 0;
    for (float[] column : columns) {
      double difference = (double) column[a] - column[b];
      sum += difference * difference;
    }
    return (float) sum;
  }

  /** Appends the links of each point, but not the positions of points, which the caller stores. */
  void encode(Encoder out) {
    for (int j = 0; j < slots(); j++) {
      out.bool(isFilled[j]);
      if (isFilled[j]) {
        out.int32(links[j]);
        out.ints(Arrays.copyOf(near[j], links[j]));
        out.floats(distances[j], links[j]);
      }
    }
  }

  /** Reads what {@link #encode} wrote. The caller then moves each point to its position. */
  static NearestGraph decode(Decoder in, int slots) throws ModelFileException {
    NearestGraph graph = new NearestGraph(slots);
    for (int j = 0; j < slots; j++) {
      graph.isFilled[j] = in.bool();
      if (graph.isFilled[j]) {
        graph.decodeLinks(in, j);
      }
    }
    for (int j = 0; j < slots; j++) {
      for (int i = 0; i < graph.links[j]; i++) {
        int to = graph.near[j][i];
        Decoder.check(to != j && graph.isFilled[to], "a link must lead to another point", to);
      }
    }
    return graph;
  }

  private void decodeLinks(Decoder in, int slot) throws ModelFileException {
    links[slot] = in.int32("the links of a point", Constants.LINKS);
    for (int i = 0; i < links[slot]; i++) {
      near[slot][i] = in.int32("a link", slots() - 1);
    }
    distances[slot] = in.floats(links[slot], Constants.LINKS);
    for (int i = 0; i < links[slot]; i++) {
      float least = i == 0 ? 0 : distances[slot][i - 1];
      Decoder.check(distances[slot][i] >= least, "links must ascend", distances[slot][i]);
    }
    weigh(slot);
  }
}
