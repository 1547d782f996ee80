package org.avm4j.machine;

import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.codec.Encoder;
import org.avm4j.points.Interpolation;
import org.avm4j.points.KernelRow;

/**
 * A size cap at which cells merge and the diameter grows ({@link Limit#MERGE}). {@link MergeCosts}
 * knows how many instances each vector stands for and what it costs to absorb it.
 */
final class MergingCap extends Cap {
  /**
   * A vector is absorbed to make room only if its cost is smaller by this factor than what the
   * vector nearest to the new instance has missed, because every swap loses some of what was
   * learned.
   */
  private static final double SWAP = 16;

  /** Weight of an instance whose loss is 0 when deciding which cells to merge. */
  private static final double SETTLED = 0.1;

  private final Points points;
  private final Kernel kernel;
  private final KernelRow inner;
  private final MergeCosts mergeCosts;
  private double diameter;

  MergingCap(AvmOptions options, Points points, MergeCosts mergeCosts) {
    super(options.maxSize());
    this.points = points;
    this.mergeCosts = mergeCosts;
    kernel = options.kernel();
    inner = new KernelRow(points.core(), kernel);
    diameter = options.coverage().diameter();
  }

  @Override
  public int admit(KernelRow row, boolean isCell, boolean hasLoss) {
    double instances = 1;
    if (isFull(points.size())) {
      reached(1);
      instances = makeRoom(row, hasLoss);
      if (instances == 0) {
        cover(row.nearest(), row, hasLoss);
        return row.nearest();
      }
    }
    return add(row, isCell, instances, 0);
  }

  /** Adds a vector that stands for a number of instances, all of them within its reach. */
  private int add(KernelRow row, boolean isCell, double instances, double reach) {
    int j =
        points.remembersExactly()
            ? points.add(row, isCell)
            : points.add(row, isCell, Interpolation.near(points.core(), row, kernel));
    mergeCosts.add(row, instances, reach);
    return j;
  }

  /**
   * Lets the cheapest vector be absorbed by its nearest one, if the vector nearest to the new
   * instance has missed far more than that costs.
   *
   * @return the number of instances that the new vector stands for; 0 if there is no room
   */
  private double makeRoom(KernelRow row, boolean hasLoss) {
    int near = row.nearest();
    double gap = Math.max(0, 1 - row.kernels()[near]);
    int j = mergeCosts.cheapest(points.core(), inner);
    if (j < 0 || mergeCosts.miss(near, worth(hasLoss) * gap) <= SWAP * mergeCosts.cost(j)) {
      return 0;
    }
    double instances = mergeCosts.split(near, gap);
    absorb(j);
    row.remove(j);
    return instances;
  }

  private static double worth(boolean hasLoss) {
    return hasLoss ? 1 : SETTLED;
  }

  /** Lets the vector nearest to j absorb vector j. */
  private void absorb(int j) {
    widen(mergeCosts.absorb(j));
    points.absorb(j, mergeCosts.nearest(j));
    mergeCosts.remove(j, points.core(), inner);
  }

  @Override
  public void cover(int j, KernelRow row, boolean hasLoss) {
    take(j, row, worth(hasLoss), 0);
  }

  private void take(int j, KernelRow row, double instances, double reach) {
    mergeCosts.take(j, instances, Math.sqrt(row.squaredDistance(j)) + reach);
    widen(mergeCosts.reach(j));
  }

  @Override
  public void released(int j) {
    mergeCosts.remove(j, points.core(), inner);
  }

  @Override
  public double diameter() {
    return diameter;
  }

  @Override
  public void diameter(double reached) {
    diameter = reached;
  }

  private void widen(double reach) {
    diameter = Math.max(diameter, reach);
  }

  @Override
  void beginUnion(Cap other) {
    widen(other.diameter());
  }

  @Override
  int unite(int found, KernelRow row, Cap other, int j, boolean isCell, boolean hasWeight) {
    MergeCosts its = ((MergingCap) other).mergeCosts;
    if (found == Coverage.NONE) {
      return add(row, isCell, its.count(j), its.reach(j));
    }
    take(found, row, its.count(j), its.reach(j));
    return found;
  }

  /** Merges cells until there are no more than the cap allows. */
  @Override
  void endUnion() {
    while (isExceeded(points.size())) {
      reached(1);
      absorb(mergeCosts.cheapest(points.core(), inner));
    }
  }

  @Override
  void encode(Encoder out) {
    mergeCosts.encode(out);
  }
}
