package org.avm4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/** Seeded streams for tests: an ordinary one for each task, and shapes that break things. */
public final class Streams {
  private Streams() {}

  /** Noisy XOR in d features, labels -1 and +1. */
  public static List<Instance> binary(int n, int d, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double[] x = row(random, d);
      double sign = x[0] * x[Math.min(1, d - 1)] + 0.1 * (random.getAsDouble() - 0.5);
      stream.add(new Instance(Features.dense(x), sign >= 0 ? 1 : -1));
    }
    return stream;
  }

  /** Three noisy rings, labels 0, 1, 2. */
  public static List<Instance> multiclass(int n, int d, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double[] x = row(random, d);
      double radius = Math.sqrt(Arrays.stream(x).map(v -> v * v).sum() / d);
      stream.add(new Instance(Features.dense(x), Math.floor(Math.min(2.9, 3.2 * radius))));
    }
    return stream;
  }

  /** A wave. */
  public static List<Instance> regression(int n, int d, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double[] x = row(random, d);
      stream.add(new Instance(Features.dense(x), Math.sin(3 * x[0]) + x[d - 1] * x[d - 1]));
    }
    return stream;
  }

  /** A stream for the task. */
  public static List<Instance> of(Task task, int n, int d, long seed) {
    if (task.kind() == Task.Kind.BINARY) {
      return binary(n, d, seed);
    }
    return task.kind() == Task.Kind.MULTICLASS ? multiclass(n, d, seed) : regression(n, d, seed);
  }

  /** Rows with a few of many features, labels -1 and +1. */
  public static List<Instance> sparse(int n, int d, int entries, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double[] x = new double[d];
      for (int i = 0; i < entries; i++) {
        x[random.nextInt(d)] = 1 + random.nextInt(3);
      }
      stream.add(new Instance(Features.dense(x), x[0] + x[1] > 0 == x[2] > 0 ? 1 : -1));
    }
    return stream;
  }

  /** The features of streams of awkward shapes, each with a name. */
  public enum Shape {
    DUPLICATES,
    CONSTANT,
    ONE_FEATURE,
    FAR_CLUSTERS,
    EMPTY_ROWS,
    GROWING_FEATURES,
    TINY_VALUES;

    /** Row t of the stream. */
    public Features row(int t, SplitMix random) {
      return switch (this) {
        case DUPLICATES -> Features.dense(random.nextInt(3), random.nextInt(2));
        case CONSTANT -> Features.dense(4, 4, 4);
        case ONE_FEATURE -> Features.dense(random.getAsDouble());
        case FAR_CLUSTERS -> Features.dense(1e6 * random.nextInt(4), 1e-3 * random.getAsDouble());
        case EMPTY_ROWS -> t % 2 == 0 ? Features.dense() : Features.dense(0, random.getAsDouble());
        case GROWING_FEATURES ->
            Features.sparse(new int[] {t % 97, 97 + t}, new double[] {1, random.getAsDouble()});
        case TINY_VALUES -> Features.dense(1e-20 * random.getAsDouble(), 1e-30);
      };
    }
  }

  /** A stream of the shape for the task; with one class the labels are all the same. */
  public static List<Instance> of(Shape shape, Task task, int n, boolean oneClass, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      int label = oneClass ? 1 : random.nextInt(3) - 1;
      boolean isBinary = task.kind() == Task.Kind.BINARY;
      stream.add(new Instance(shape.row(t, random), isBinary && label == 0 ? 1 : label));
    }
    return stream;
  }

  private static double[] row(SplitMix random, int d) {
    double[] x = new double[d];
    Arrays.setAll(x, i -> 2 * random.getAsDouble() - 1);
    return x;
  }
}
