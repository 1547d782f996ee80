package org.avm4j.anomaly;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Selection;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * A coverage that counts: core points c_j, and for each the number n_j of instances that fell into
 * its cell. An instance within the radius of its nearest core point falls into that cell; any other
 * becomes a core point. When there are too many cells, the radius grows and cells that then overlap
 * merge; the one with more instances keeps its core point.
 */
final class DensityCells {
  /** Any kernel will do, because only distances are used. */
  private static final Kernel ANY = Kernel.rationalQuadratic(1);

  /** Factor on a measured distance, so that rounding cannot keep cells from merging. */
  private static final double GROWTH = 1.001;

  private final CoreSet core;
  private final KernelRow row;
  private final Scratch scratch;
  private final double radius;
  private double[] counts = {};
  private double total;

  /** What one thread needs to measure a distance. */
  static final class Scratch {
    private final KernelRow row;
    private double[] squares = {};
    private double[] weights = {};

    private Scratch(KernelRow row) {
      this.row = row;
    }

    private void reserve(int n) {
      if (squares.length < n) {
        squares = new double[n + n / 2];
        weights = new double[squares.length];
      }
    }
  }

  DensityCells(double radius) {
    this(radius, new CoreSet());
  }

  private DensityCells(double radius, CoreSet core) {
    this.radius = radius;
    this.core = core;
    row = new KernelRow(core, ANY);
    scratch = new Scratch(row);
  }

  /** Scratch memory for another thread. */
  Scratch scratch() {
    return new Scratch(new KernelRow(core, ANY));
  }

  double radius() {
    return radius;
  }

  int size() {
    return core.size();
  }

  Features vector(int j) {
    return core.vector(j);
  }

  double count(int j) {
    return counts[j];
  }

  /** The weight of a fraction of all instances, at least 1. */
  double mass(double part) {
    return Math.max(1, part * total);
  }

  /** The distances of z to all centres, with memory of their own. */
  KernelRow measure(Features z) {
    KernelRow measured = new KernelRow(core, ANY);
    measured.measure(z);
    return measured;
  }

  /** Lets a number of instances at z fall into a cell. */
  void add(Features z, double count) {
    row.measure(z);
    int nearest = row.nearest();
    if (nearest == Coverage.NONE || row.squaredDistance(nearest) > radius * radius) {
      nearest = core.add(row, true);
      counts = nearest < counts.length ? counts : Arrays.copyOf(counts, 2 * nearest + 8);
    }
    counts[nearest] += count;
    total += count;
  }

  /**
   * The distance from z to the measure of the instances (Chazal, Cohen-Steiner and Mérigot 2011):
   * the root mean square distance to the nearest instances that make up the given fraction of all,
   * and at least one. Instances are taken to be at their core points. 0 if there are none.
   */
  double distance(Features z, double part) {
    return distance(z, part, scratch);
  }

  /** The same with scratch memory of the caller: safe from several threads, one scratch each. */
  double distance(Features z, double part, Scratch own) {
    if (size() == 0) {
      return 0;
    }
    own.row.measure(z);
    own.reserve(size());
    for (int j = 0; j < size(); j++) {
      own.squares[j] = own.row.squaredDistance(j);
      own.weights[j] = counts[j];
    }
    double mass = mass(part);
    return Math.sqrt(Selection.leastSum(own.squares, own.weights, size(), mass) / mass);
  }

  /**
   * A copy with fewer cells: the radius grows to the median distance from a core point to its
   * nearest one, and all cells are inserted again, those with the most instances first.
   */
  DensityCells merged() {
    double[] nearest = new double[size()];
    for (int j = 0; j < size(); j++) {
      nearest[j] = nearestOther(j);
    }
    Arrays.sort(nearest);
    DensityCells fewer =
        new DensityCells(GROWTH * Math.max(radius, Math.sqrt(nearest[size() / 2])));
    IntStream.range(0, size())
        .boxed()
        .sorted(Comparator.comparingDouble(j -> -counts[j]))
        .forEach(j -> fewer.add(vector(j), counts[j]));
    return fewer;
  }

  DensityCells copy() {
    DensityCells copy = new DensityCells(radius, core.copy());
    copy.counts = Arrays.copyOf(counts, size());
    copy.total = total;
    return copy;
  }

  void encode(Encoder out) {
    out.float64(radius);
    core.encode(out);
    out.doubles(counts, size());
  }

  static DensityCells decode(Decoder in, int dimension) throws ModelFileException {
    double radius = in.finite("the radius");
    Decoder.check(radius >= 0, "the radius must not be negative", radius);
    DensityCells cells = new DensityCells(radius, CoreSet.decode(in));
    int found = cells.core.dimension();
    Decoder.check(found <= dimension, "core points must have at most " + dimension, found);
    cells.counts = in.doubles(cells.size(), 0);
    for (double count : cells.counts) {
      Decoder.check(count > 0, "a cell must hold an instance", count);
      cells.total += count;
    }
    Decoder.check(Double.isFinite(cells.total), "the cells must hold finitely many", cells.total);
    return cells;
  }

  private double nearestOther(int j) {
    row.measure(vector(j));
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < size(); i++) {
      least = i == j ? least : Math.min(least, row.squaredDistance(i));
    }
    return least;
  }
}
