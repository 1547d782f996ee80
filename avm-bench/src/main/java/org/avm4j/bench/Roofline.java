package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.avm4j.points.CoreSet;

/**
 * How far the distance pass is from what the processor can do: its peak of fused multiply-adds, and
 * the bytes it can read from the cache that a core set lives in. A distance takes a subtraction and
 * a fused multiply-add for each feature of each core point, so the floor is 2 S d instructions'
 * worth of lanes; and 4 S d bytes are read. What is timed is the pass as the learner makes it, less
 * the time of its kernel values alone.
 */
final class Roofline {
  private static final int N = 1024;
  private static final int ROUNDS = 7;

  private Roofline() {}

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("peak", "out"));
    double known = Double.parseDouble(arguments.text("peak", "0")) * 1e9;
    measure(Math.max(known, peakFlops()))
        .publish(Path.of(arguments.text("out", "avm-bench/target/roofline")), "roofline");
  }

  /** Three core sets, against a given number of operations a second. */
  static PeerTable measure(double flops) {
    PeerTable table =
        new PeerTable(
            "coreSet, nanos, nanosLeast, nanosMost, peakGflops, floorNanosArithmetic, "
                + "readGigabytesPerSecond, floorNanosBytes, partOfRoof");
    for (String shape : List.of("500x54", "135x123", "436x8")) {
      DistanceBenchmark distances = new DistanceBenchmark();
      distances.shape = shape;
      distances.setUp();
      double kernels = time(() -> distances.kernels()[0]).median();
      Sample nanos = time(() -> distances.measure()[0]).less(kernels);
      double elements = (double) distances.core.dimension() * distances.core.size();
      double arithmetic = 2 * elements / (flops / 2) * 1e9;
      double bandwidth = bandwidth(columns(distances.core));
      double bytes = 4 * elements / bandwidth * 1e9;
      double part = Math.max(arithmetic, bytes) / nanos.median();
      table.add(shape, nanos, flops / 1e9, arithmetic, bandwidth / 1e9, bytes, part);
    }
    return table;
  }

  /** Floating point operations a second where next to nothing but registers is touched. */
  static double peakFlops() {
    float[] x = new float[N];
    float[] y = new float[N];
    float[] p = new float[N];
    float[] q = new float[N];
    for (int i = 0; i < N; i++) {
      x[i] = i / (2f * N);
      y[i] = i / (4f * N);
    }
    return 2.0 * 16 * N / time(() -> sixteen(x, y, p, q)[0]).least() * 1e9;
  }

  /** p = x + 8xy and q = y + 8y² by sixteen fused operations: the most that plain Java gets. */
  static float[] sixteen(float[] x, float[] y, float[] p, float[] q) {
    for (int i = 0; i < N; i++) {
      float v = x[i];
      float w = y[i];
      float a = v;
      float b = w;
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      a = Math.fma(v, w, a);
      b = Math.fma(w, w, b);
      p[i] = a;
      q[i] = b;
    }
    return p;
  }

  private static float[][] columns(CoreSet core) {
    float[][] columns = new float[core.dimension()][];
    Arrays.setAll(columns, i -> Arrays.copyOf(core.column(i), core.size()));
    return columns;
  }

  /** Bytes a second when columns are read four at a time and hardly anything else is done. */
  private static double bandwidth(float[][] columns) {
    float[] out = new float[columns[0].length];
    int groups = columns.length / 4;
    double bytes = 4.0 * 4 * groups * out.length;
    return bytes / time(() -> sums(columns, groups, out)[0]).least() * 1e9;
  }

  private static float[] sums(float[][] columns, int groups, float[] out) {
    for (int g = 0; g < groups; g++) {
      sum(columns[4 * g], columns[4 * g + 1], columns[4 * g + 2], columns[4 * g + 3], out);
    }
    return out;
  }

  private static void sum(float[] a, float[] b, float[] c, float[] d, float[] out) {
    for (int j = 0; j < out.length; j++) {
      out[j] = (a[j] + b[j]) + (c[j] + d[j]);
    }
  }

  /** Work whose result is used, so that the compiler does not remove it. */
  interface Work {
    double run();
  }

  /** Nanoseconds of processor time a run: rounds of at least 50 ms after as much warm-up. */
  static Sample time(Work work) {
    int runs = 1;
    double[] nanos = new double[ROUNDS];
    for (int round = -2; round < ROUNDS; round++) {
      double sink = 0;
      long start = Cpu.nanos();
      long spent = 0;
      long done = 0;
      while (spent < 50_000_000) {
        for (int i = 0; i < runs; i++) {
          sink += work.run();
        }
        done += runs;
        spent = Cpu.nanos() - start;
        runs = round < 0 ? Math.min(1000, 2 * runs) : runs;
      }
      nanos[Math.max(0, round)] = (double) spent / done + (Double.isNaN(sink) ? Double.NaN : 0);
    }
    return new Sample(nanos);
  }
}
