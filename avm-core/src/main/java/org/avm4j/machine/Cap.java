package org.avm4j.machine;

import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Limit;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.points.KernelRow;

/**
 * The size cap of a learner: decides where an instance outside all cells goes when the model is
 * full. Each {@link Limit} has its own implementation.
 */
public abstract sealed class Cap permits Cap.Fixed, MergingCap {
  private final int maxSize;
  private long reached;

  Cap(int maxSize) {
    this.maxSize = maxSize;
  }

  /** The cap that the options ask for; merge costs are used only if cells merge. */
  static Cap of(AvmOptions options, Points points, MergeCosts mergeCosts) {
    return options.limit() == Limit.MERGE
        ? new MergingCap(options, points, mergeCosts)
        : new Fixed(options, points);
  }

  /** Reads what {@link #encode} wrote for n vectors. */
  static MergeCosts decodeMergeCosts(Decoder in, AvmOptions options, int n)
      throws ModelFileException {
    return options.limit() == Limit.MERGE ? MergeCosts.decode(in, n) : new MergeCosts();
  }

  /** How many times the cap moved an update, dropped it, or merged cells. */
  public final long reached() {
    return reached;
  }

  /** Counts updates that the cap moved or dropped, or cells that it merged. */
  public final void reached(long more) {
    reached += more;
  }

  final boolean isFull(int size) {
    return maxSize > 0 && size >= maxSize;
  }

  final boolean isExceeded(int size) {
    return maxSize > 0 && size > maxSize;
  }

  /**
   * Adds the row as a vector or, at the cap, does what the limit says.
   *
   * @param hasLoss whether the loss of the instance is not 0
   * @return the vector that takes the update, or {@link Coverage#NONE}
   */
  public abstract int admit(KernelRow row, boolean isCell, boolean hasLoss);

  /** Notes that the cell of vector j covers the instance of the row. */
  public void cover(int j, KernelRow row, boolean hasLoss) {}

  /** Notes that vector j was released and the last vector took its place. */
  public void released(int j) {}

  /** The present δ. */
  public abstract double diameter();

  /** Sets the diameter that a saved learner had reached. */
  public void diameter(double reached) {}

  /**
   * Adds vector j of another learner, which the row has measured.
   *
   * @param found the cell that contains it, or {@link Coverage#NONE}
   * @return the vector of this learner that stands for it, or {@link Coverage#NONE}
   */
  abstract int unite(int found, KernelRow row, Cap other, int j, boolean isCell, boolean hasWeight);

  /** Called before the vectors of another learner are added. */
  void beginUnion(Cap other) {}

  /** Called after the vectors of another learner were added. */
  void endUnion() {}

  void encode(Encoder out) {}

  /** A cap at which the nearest vector takes the update, or the update is dropped. */
  static final class Fixed extends Cap {
    private final Points points;
    private final double diameter;
    private final boolean drops;

    Fixed(AvmOptions options, Points points) {
      super(options.maxSize());
      this.points = points;
      diameter = options.coverage().diameter();
      drops = options.limit() == Limit.DROP;
    }

    @Override
    public int admit(KernelRow row, boolean isCell, boolean hasLoss) {
      if (!isFull(points.size())) {
        return points.add(row, isCell, null);
      }
      reached(hasLoss ? 1 : 0);
      return drops ? Coverage.NONE : row.nearest();
    }

    @Override
    public double diameter() {
      return diameter;
    }

    @Override
    int unite(int found, KernelRow row, Cap other, int j, boolean isCell, boolean hasWeight) {
      return found != Coverage.NONE ? found : admit(row, isCell, hasWeight);
    }
  }
}
