package org.avm4j.bench;

import java.util.concurrent.TimeUnit;
import org.avm4j.Kernel;
import org.avm4j.math.SplitMix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The kernel values of all distances: the exponential of each. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExpBenchmark {
  /** Number of distances. */
  @Param("500")
  public int n;

  final Kernel kernel = Kernel.gaussian(1);
  float[] distances;
  float[] out;

  /** Squared distances from 0 to 8. */
  @Setup
  public void setUp() {
    SplitMix random = new SplitMix(1);
    distances = DistanceBenchmark.floats(random, n);
    for (int i = 0; i < n; i++) {
      distances[i] *= 8;
    }
    out = new float[n];
  }

  /** The exponential of this library. */
  @Benchmark
  public float[] ours() {
    kernel.of(distances, out, n);
    return out;
  }

  /** The exponential of the JDK. */
  @Benchmark
  public float[] math() {
    for (int i = 0; i < n; i++) {
      out[i] = (float) Math.exp(-distances[i]);
    }
    return out;
  }
}
