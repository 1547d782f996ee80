package org.avm4j.machine;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * How the vectors of a core set lie to each other and to what they stand for.
 *
 * <p>Each vector has a count, the instances that it took or took over, and a reach, a bound of the
 * distance to all of them: when a vector is absorbed by its nearest, that one's reach becomes at
 * least the sum of the reach and the way. So no instance is farther from the vector that stands for
 * it than the reach says.
 *
 * <p>To absorb vector j costs n_j (1 - k_j), with k_j the kernel value of j and its nearest: by
 * twice that the sum of ‖Φ(x) - Φ(c)‖², over all instances x and the vectors c that stand for them,
 * grows where the n_j lie close to j. What an instance that vector j took adds to that sum is
 * missed: the more was missed, the more a new vector there is worth.
 */
public final class Packing {
  private static final int NONE = -1;

  private double[] reach = {};
  private double[] count = {};
  private double[] missed = {};
  private int[] nearest = {};
  private double[] distance = {};
  private double[] gap = {};
  private int n;
  private boolean isMeasured;

  /** The vector in the last place of the core set is new; the row measured it against the rest. */
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

  /** Vector j stands for further instances, none farther than the reach. */
  public void take(int j, double instances, double away) {
    count[j] += instances;
    reach[j] = Math.max(reach[j], away);
  }

  /** How far what vector j stands for may be from it. */
  public double reach(int j) {
    return reach[j];
  }

  /** How many instances vector j stands for. */
  public double count(int j) {
    return count[j];
  }

  /** Vector j takes an instance with 1 - k = gap; returns all that it missed since it was split. */
  public double miss(int j, double gap) {
    missed[j] += gap;
    return missed[j];
  }

  /**
   * A new vector with this 1 - k stands for part of what vector j took: for the instances that make
   * up what was missed, at most half. Returns how many.
   */
  public double split(int j, double gap) {
    double half = count[j] / 2;
    double instances = Math.max(1, gap > 0 ? Math.min(half, missed[j] / gap) : half);
    count[j] = Math.max(1, count[j] - instances);
    missed[j] = 0;
    return instances;
  }

  /** What it costs to absorb vector j. */
  public double cost(int j) {
    return count[j] * gap[j];
  }

  /** The vector that would absorb vector j. */
  public int nearest(int j) {
    return nearest[j];
  }

  /** The vector that costs least to absorb, or -1 where there is only one. */
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

  /** The nearest of vector j stands from now on for all that j stood for; returns its reach. */
  public double absorb(int j) {
    take(nearest[j], count[j], reach[j] + distance[j]);
    return reach[nearest[j]];
  }

  /**
   * Vector j was removed from the core set, where the last one took its place. The row is for
   * measuring.
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

  /** Finds the nearest of vector i among the first vectors; if i comes after them, tells them. */
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

  /** Appends what the vectors stand for, and where they were measured, the nearest of each. */
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
  public static Packing decode(Decoder in, int n) throws ModelFileException {
    Packing packing = new Packing();
    packing.n = n;
    packing.reach = in.doubles(n, n);
    packing.count = in.doubles(n, n);
    packing.missed = in.doubles(n, n);
    for (int j = 0; j < n; j++) {
      boolean holds = packing.reach[j] >= 0 && packing.count[j] >= 0 && packing.missed[j] >= 0;
      Decoder.check(holds, "reach, count and missed must not be negative at vector", j);
    }
    packing.isMeasured = in.bool();
    packing.nearest = new int[n];
    packing.distance = new double[n];
    packing.gap = new double[n];
    if (packing.isMeasured) {
      packing.decodeNearest(in);
    }
    return packing;
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
