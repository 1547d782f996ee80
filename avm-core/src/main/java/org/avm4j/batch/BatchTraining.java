package org.avm4j.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.internal.Gram;
import org.avm4j.points.KernelRow;

/**
 * {@link BatchNewton} over instances that are all in memory, on all cores: kernel values are cached
 * as far as there is room, and half of the core points are hard instances.
 */
final class BatchTraining {
  /**
   * Strides of the first passes: every 32nd instance, then every 16th and so on. Each pass includes
   * the instances of the one before. So few instances that turn out to be easy enter the matrix.
   */
  private static final int[] COLD = {32, 16, 8, 4, 2};

  /** Strides if β is already known for fewer core points. */
  private static final int[] WARM = {8, 4, 2};

  /** Strides for a model that only finds out which instances are hard. */
  private static final int[] ROUGH = {32, 16, 8, 4};

  /** The number of parts of a pass; the same on every machine, so that the digits are too. */
  private static final int PARTS = 8;

  private final BatchNewton batch;
  private final List<Features> x;
  private final double[] y;
  private final KernelRow row;
  private final float[][] kernels;
  private final double[] curvature;
  private final double[] inMatrix;

  private BatchTraining(BatchNewton batch, List<Features> x, double[] y, long room) {
    this.batch = batch;
    this.x = x;
    this.y = y;
    row = batch.newRow();
    int cached = (int) Math.min(y.length, room / (Float.BYTES * (batch.size() + 4L)));
    kernels = new float[cached][];
    curvature = new double[y.length];
    inMatrix = new double[y.length];
    batch.begin();
  }

  /**
   * The model after a limited number of exact passes, with a limit on the bytes for kernel values.
   */
  static AvmModel train(AvmOptions options, List<Features> x, double[] y, int passes, long room) {
    BatchNewton batch = new BatchNewton(options);
    boolean isWarm = cover(batch, x, y, room);
    BatchTraining training = new BatchTraining(batch, x, y, room);
    training.descend(isWarm ? WARM : COLD);
    for (int pass = 0; pass < passes && !batch.solve(training.pass(1)); pass++) {}
    return batch.model();
  }

  /**
   * Covers all instances; half of the cap is for those that are hard for a rough model of the other
   * half, which is as good as a third more core points. Returns whether there is such a model now.
   */
  private static boolean cover(BatchNewton batch, List<Features> x, double[] y, long room) {
    boolean mayHalve = batch.halveCap();
    for (int i = 0; i < y.length; i++) {
      batch.cover(x.get(i), y[i]);
    }
    boolean isHalf = mayHalve && batch.isHalfFull();
    List<Integer> hard = isHalf ? new BatchTraining(batch, x, y, room).hard() : List.of();
    batch.wholeCap();
    hard.forEach(i -> batch.add(x.get(i), y[i]));
    for (int i = 0; i < y.length; i++) {
      batch.add(x.get(i), y[i]);
    }
    x.forEach(batch::fill);
    return isHalf;
  }

  private void descend(int[] strides) {
    for (int stride : strides) {
      batch.solve(pass(stride));
    }
  }

  /** The sums over every stride-th instance; the matrix is brought up to date at once. */
  private BatchNewton.Sums pass(int stride) {
    List<BatchNewton.Sums> parts = Stream.generate(this::sums).limit(PARTS).toList();
    IntStream.range(0, PARTS).parallel().forEach(i -> pull(i, stride, parts.get(i)));
    parts.subList(1, PARTS).forEach(parts.get(0)::merge);
    bringUpToDate();
    return parts.get(0);
  }

  private BatchNewton.Sums sums() {
    return batch.new Sums(new Gram());
  }

  /** Instances that are hard for a rough model, and that it has not seen. */
  private List<Integer> hard() {
    descend(ROUGH);
    int stride = ROUGH[ROUGH.length - 1];
    BatchNewton.Sums sums = sums();
    List<Integer> hard = new ArrayList<>();
    for (int i = stride / 2; i < y.length; i += stride) {
      if (sums.isHard(kernels(i, row), y[i])) {
        hard.add(i);
      }
    }
    return hard;
  }

  private void pull(int part, int stride, BatchNewton.Sums sums) {
    int from = (int) ((long) y.length * part / PARTS);
    int to = (int) ((long) y.length * (part + 1) / PARTS);
    for (int i = from; i < to; i += stride) {
      curvature[i] = sums.pull(kernels(i, sums.row()), y[i]);
    }
  }

  private void bringUpToDate() {
    for (int i = 0; i < y.length; i++) {
      if (curvature[i] != inMatrix[i]) {
        batch.addToMatrix(curvature[i] - inMatrix[i], kernels(i, row), y[i]);
        inMatrix[i] = curvature[i];
      }
    }
  }

  private float[] kernels(int i, KernelRow measure) {
    if (i >= kernels.length) {
      return measure.values(x.get(i));
    }
    kernels[i] = kernels[i] == null ? measure.values(x.get(i)) : kernels[i];
    return kernels[i];
  }
}
