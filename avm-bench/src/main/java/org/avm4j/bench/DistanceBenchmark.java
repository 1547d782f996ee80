package org.avm4j.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.avm4j.internal.Distances;
import org.avm4j.math.SplitMix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The squared distances from one dense row to all core points. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DistanceBenchmark {
  /** Core points × features. */
  @Param({"500x54", "135x123", "436x8"})
  public String shape;

  float[] x;
  float[][] columns;
  float[] out;

  /** Random points. */
  @Setup
  public void setUp() {
    int n = Integer.parseInt(shape.substring(0, shape.indexOf('x')));
    int d = Integer.parseInt(shape.substring(shape.indexOf('x') + 1));
    SplitMix random = new SplitMix(1);
    x = floats(random, d);
    columns = new float[d][];
    Arrays.setAll(columns, i -> floats(random, n));
    out = new float[n];
  }

  /** The loop that the learner uses. */
  @Benchmark
  public float[] dense() {
    Distances.dense(x, columns, x.length, out.length, 0, out);
    return out;
  }

  /** Its meaning. */
  @Benchmark
  public float[] obvious() {
    Distances.obvious(x, columns, x.length, out.length, 0, out);
    return out;
  }

  static float[] floats(SplitMix random, int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) random.getAsDouble();
    }
    return values;
  }
}
