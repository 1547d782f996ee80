package org.avm4j.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.avm4j.internal.Exp;
import org.avm4j.internal.SplitMix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The exponential of all distances. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExpBenchmark {
  /** How many. */
  @Param("500")
  public int n;

  double[] arguments;
  double[] out;

  /** Arguments from -8 to 0. */
  @Setup
  public void setUp() {
    SplitMix random = new SplitMix(1);
    arguments = new double[n];
    Arrays.setAll(arguments, i -> -8 * random.getAsDouble());
    out = new double[n];
  }

  /** Ours, with the copy that makes it repeatable. */
  @Benchmark
  public double[] ours() {
    System.arraycopy(arguments, 0, out, 0, n);
    Exp.ofNegative(out, n);
    return out;
  }

  /** The library's. */
  @Benchmark
  public double[] math() {
    for (int i = 0; i < n; i++) {
      out[i] = Math.exp(arguments[i]);
    }
    return out;
  }
}
