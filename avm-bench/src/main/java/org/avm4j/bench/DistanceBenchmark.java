package org.avm4j.bench;

import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.math.SplitMix;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One dense row against all core points: squared distances, and the kernel values of them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DistanceBenchmark {
  /** Core points × features. */
  @Param({"500x54", "135x123", "436x8"})
  public String shape;

  final CoreSet core = new CoreSet();
  final KernelRow row = new KernelRow(core, Kernel.gaussian(1));
  final Features[] rows = new Features[2];
  float[] distances;
  float[] kernels;
  private double[] obvious;
  private int next;

  /** Random points; a row that was just measured is not measured again, so there are two. */
  @Setup
  public void setUp() {
    int n = Integer.parseInt(shape.substring(0, shape.indexOf('x')));
    int d = Integer.parseInt(shape.substring(shape.indexOf('x') + 1));
    SplitMix random = new SplitMix(1);
    for (int j = 0; j < n; j++) {
      row.measure(point(random, d));
      core.add(row, true);
    }
    rows[0] = point(random, d);
    rows[1] = point(random, d);
    distances = floats(random, n);
    kernels = new float[n];
    obvious = new double[n];
  }

  private static Features point(SplitMix random, int d) {
    return Features.dense(DoubleStream.generate(random).limit(d).toArray());
  }

  /** The pass that the learner makes. */
  @Benchmark
  public double[] measure() {
    next = 1 - next;
    return row.measure(rows[next]);
  }

  /** Only the kernel values of the same number of distances. */
  @Benchmark
  public float[] kernels() {
    Kernel.gaussian(1).of(distances, kernels, kernels.length);
    return kernels;
  }

  /** The same pass as an obvious loop. */
  @Benchmark
  public double[] obvious() {
    next = 1 - next;
    for (int j = 0; j < obvious.length; j++) {
      obvious[j] = Math.exp(-squaredDistance(rows[next], j));
    }
    return obvious;
  }

  private double squaredDistance(Features x, int j) {
    double sum = 0;
    for (int i = 0; i < x.count(); i++) {
      double difference = x.value(i) - core.column(i)[j];
      sum += difference * difference;
    }
    return sum;
  }

  static float[] floats(SplitMix random, int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) random.getAsDouble();
    }
    return values;
  }
}
