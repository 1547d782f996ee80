package org.avm4j.machine;

import java.util.function.DoubleToIntFunction;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.points.CoreSet;
import org.avm4j.points.Interpolation;
import org.avm4j.points.KernelRow;
import org.avm4j.step.Weights;

/**
 * Merges what one learner has learned into another with equal options: finds the column and the
 * vector here for each column and vector of the other.
 *
 * <p>In the sum form w = -(1/(λT)) Σ α Φ(c) both sums and both T add up, so w becomes the mean of
 * both, weighted by their instances, and so does the average. The other's core points fall into
 * this one's cells or open new ones. If cells merge, δ becomes the larger of both. A suffix average
 * reaches back to the first instance until the stream has gone on long enough.
 *
 * <p>For the second-order step the sums A and b of both add up. For squared loss and a shared core
 * set, the result equals learning both parts as one stream. Kernel values at points that one
 * learner did not have are interpolated from those that it had. For other losses the parabolas stay
 * as they were fitted, and each instance keeps the weight that it had in its own part.
 */
public final class Union implements Weights.Placement {
  private final AvmOptions options;
  private final AvmState mine;
  private final AvmState its;
  private final CoreSet before;
  private final int[] columns;
  private final int[] places;

  /**
   * Finds a place in {@code mine} for the columns and vectors of {@code its}.
   *
   * @param columnOf finds the column of a label in {@code mine}, and adds it if it is new
   */
  public Union(AvmOptions options, AvmState mine, AvmState its, DoubleToIntFunction columnOf) {
    this.options = options;
    this.mine = mine;
    this.its = its;
    columns = new int[its.columns.count()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = columnOf.applyAsInt(its.columns.label(c));
    }
    before = mine.core().copy();
    mine.core().extend(its.core().dimension());
    mine.cap.beginUnion(its.cap);
    places = new int[its.points.size()];
    KernelRow row = new KernelRow(mine.core(), options.kernel());
    for (int j = 0; j < places.length; j++) {
      places[j] = place(j, row);
    }
  }

  /** Adds coefficients, memory and counts, and merges cells until the cap is met. */
  public void apply() {
    mine.weights.merge(its.weights, this);
    mine.memory.merge(its.memory, mine.points.size(), mine.weights.t());
    mine.counts.merge(its.counts, mine.columns.classNumbers(columns));
    mine.cap.endUnion();
    mine.yMax = Math.max(mine.yMax, its.yMax);
    mine.cap.reached(its.cap.reached());
  }

  private int place(int j, KernelRow row) {
    row.measure(its.core().vector(j));
    boolean isCell = its.core().isCell(j);
    int found = isCell ? options.coverage().find(row) : Coverage.NONE;
    boolean hasWeight = !its.weights.isZero(j);
    return mine.cap.unite(found, row, its.cap, j, isCell, hasWeight);
  }

  @Override
  public int[] columns() {
    return columns;
  }

  @Override
  public int[] places() {
    return places;
  }

  @Override
  public double[][] fromThis() {
    return Interpolation.map(before, mine.core(), options.kernel());
  }

  @Override
  public double[][] fromOther() {
    return Interpolation.map(its.core(), mine.core(), options.kernel());
  }
}
