package org.avm4j.machine;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * The distances of the vectors of a core set to each other and to the instances that they stand
 * for.
 *
 * <p>Each vector has a count, the number of instances that it stands for, and a reach, an upper
 * bound of its distance to any of them. When a vector is absorbed by its nearest one, the reach of
 * the latter becomes at least the sum of the absorbed reach and the distance between both.
 *
 * <p>Absorbing vector j costs n_j (1 - k_j), with n_j its count and k_j the kernel value of j and
 * its nearest vector. Consider the sum of ‖Φ(x) - Φ(c)‖² over all instances x and the vectors c
 * that stand for them: if the n_j instances are close to j, it grows by twice the cost. Half of
 * what an instance adds to that sum is called missed; the more a vector has missed, the more a new
 * vector beside it is worth.
 */
public final class MergeCosts {
  private static final int NONE = -1;

  private double[] reach = {};
  private double[] count = {};
  private double[] missed = {};
  private int[] nearest = {};
  private double[] distance = {};
  private double[] gap = {};
  private int n;
  private boolean isMeasured;

  /** Adds the last vector of the core set, which the row has measured against the others. */
  public void add(KernelRow row, double instances, double away) {
    if (n == reach.length) {
      int capacity = Math.max(16, n + n / 2);
      reach = Arrays.copyOf(reach, capacity);
      count = Arrays.copyOf(count, capacity);
      missed = Arrays.copyOf(missed, capacity);
      nearest = Arrays.copyOf(nearest, capacity);
      distance = Arrays.copyOf(distance, capacity);
      gap = Arrays.copyOf(gap, capacity);
    }
    int j = n++;
    reach[j] = away;
    count[j] = instances;
    missed[j] = 0;
    if (isMeasured) {
      measure(j, row, j);
    }
  }

  /** Adds instances to those of vector j, none of them farther than {@code away}. */
  public void take(int j, double instances, double away) {
    count[j] += instances;
    reach[j] = Math.max(reach[j], away);
  }

  /** The reach of vector j. */
  public double reach(int j) {
    return reach[j];
  }

  /** The number of instances that vector j stands for. */
  public double count(int j) {
    return count[j];
  }

  /**
   * Adds a gap, 1 - k of an instance near vector j, to what j has missed since it was last split;
   * returns the sum.
   */
  public double miss(int j, double gap) {
    missed[j] += gap;
    return missed[j];
  }

  /**
   * Moves some instances from vector j to a new vector with this 1 - k: those that make up what was
   * missed, at most half. Returns their number.
   */
  public double split(int j, double gap) {
    double half = count[j] / 2;
    double instances = Math.max(1, gap > 0 ? Math.min(half, missed[j] / gap) : half);
    count[j] = Math.max(1, count[j] - instances);
    missed[j] = 0;
    return instances;
  }

  /** The cost of absorbing vector j. */
  public double cost(int j) {
    return count[j] * gap[j];
  }

  /** The vector that would absorb vector j. */
  public int nearest(int j) {
    return nearest[j];
  }

  /** The cheapest vector to absorb; -1 if there is only one vector. */
  public int cheapest(CoreSet core, KernelRow row) {
    if (!isMeasured) {
      isMeasured = true;
      for (int j = 0; j < n; j++) {
        row.measure(core.vector(j));
        measure(j, row, n);
      }
    }
    int cheapest = 0;
    for (int j = 1; j < n; j++) {
      cheapest = cost(j) < cost(cheapest) ? j : cheapest;
    }
    return n < 2 ? NONE : cheapest;
  }

  /** Lets the vector nearest to j take over the instances of j; returns its new reach. */
  public double absorb(int j) {
    take(nearest[j], count[j], reach[j] + distance[j]);
    return reach[nearest[j]];
  }

  /**
   * Notes that vector j was removed from the core set and the last one took its place. The row is
   * used for measuring.
   */
  public void remove(int j, CoreSet core, KernelRow row) {
    int last = --n;
    reach[j] = reach[last];
    count[j] = count[last];
    missed[j] = missed[last];
    nearest[j] = nearest[last];
    distance[j] = distance[last];
    gap[j] = gap[last];
    for (int i = 0; isMeasured && i < n; i++) {
      boolean isOrphan = nearest[i] == j;
      nearest[i] = nearest[i] == last ? j : nearest[i];
      if (isOrphan) {
        row.measure(core.vector(i));
        measure(i, row, n);
      }
    }
  }

  /**
   * Finds the nearest of the first {@code others} vectors to vector i. If i comes after them, their
   * own nearest vectors are updated too.
   */
  private void measure(int i, KernelRow row, int others) {
    nearest[i] = NONE;
    distance[i] = Double.MAX_VALUE;
    for (int j = 0; j < others; j++) {
      double away = j == i ? Double.MAX_VALUE : Math.sqrt(row.squaredDistance(j));
      if (away < distance[i]) {
        note(i, j, away, row);
      }
      if (others == i && away < distance[j]) {
        nearest[j] = i;
        distance[j] = away;
        gap[j] = Math.max(0, 1 - row.kernels()[j]);
      }
    }
  }

  private void note(int i, int j, double away, KernelRow row) {
    nearest[i] = j;
    distance[i] = away;
    gap[i] = Math.max(0, 1 - row.kernels()[j]);
  }

  /** Appends reach, count and missed of the vectors and, if measured, the nearest of each. */
  public void encode(Encoder out) {
    out.doubles(reach, n);
    out.doubles(count, n);
    out.doubles(missed, n);
    out.bool(isMeasured);
    if (isMeasured) {
      for (int j = 0; j < n; j++) {
        out.int32(nearest[j]);
      }
      out.doubles(distance, n);
      out.doubles(gap, n);
    }
  }

  /** Reads what {@link #encode} wrote for n vectors. */
  public static MergeCosts decode(Decoder in, int n) throws ModelFileException {
    MergeCosts mergeCosts = new MergeCosts();
    mergeCosts.n = n;
    mergeCosts.reach = in.doubles(n, n);
    mergeCosts.count = in.doubles(n, n);
    mergeCosts.missed = in.doubles(n, n);
    for (int j = 0; j < n; j++) {
      boolean holds =
          mergeCosts.reach[j] >= 0 && mergeCosts.count[j] >= 0 && mergeCosts.missed[j] >= 0;
      Decoder.check(holds, "reach, count and missed must not be negative at vector", j);
    }
    mergeCosts.isMeasured = in.bool();
    mergeCosts.nearest = new int[n];
    mergeCosts.distance = new double[n];
    mergeCosts.gap = new double[n];
    if (mergeCosts.isMeasured) {
      mergeCosts.decodeNearest(in);
    }
    return mergeCosts;
  }

  private void decodeNearest(Decoder in) throws ModelFileException {
    for (int j = 0; j < n; j++) {
      nearest[j] = in.int32();
      boolean isOther = nearest[j] >= (n < 2 ? NONE : 0) && nearest[j] < n && nearest[j] != j;
      Decoder.check(isOther, "the nearest must be another", nearest[j]);
    }
    distance = in.doubles(n, n);
    gap = in.doubles(n, n);
    for (int j = 0; j < n; j++) {
      distance[j] = nearest[j] == NONE ? Double.MAX_VALUE : distance[j];
      Decoder.check(distance[j] >= 0, "a distance must not be negative", distance[j]);
    }
  }
}
