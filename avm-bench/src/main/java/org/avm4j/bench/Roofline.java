package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How far the distance pass is from what the processor can do: its peak of fused multiply-adds, and
 * the bytes it can read from the cache that a core set lives in. A distance takes a subtraction and
 * a fused multiply-add for each feature of each core point, so the floor is 2 S d instructions'
 * worth of lanes; and 4 S d bytes are read.
 */
final class Roofline {
  private static final int N = 1024;
  private static final int DEPTH = 32;
  private static final int ROUNDS = 7;

  private Roofline() {}

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("out"));
    measure().publish(Path.of(arguments.text("out", "avm-bench/target/roofline")), "roofline");
  }

  static Table measure() {
    double flops = peakFlops();
    Table table =
        new Table(
            "coreSet",
            "nanos",
            "nanosLeast",
            "nanosMost",
            "peakGflops",
            "floorNanosArithmetic",
            "readGigabytesPerSecond",
            "floorNanosBytes",
            "partOfRoof");
    for (String shape : List.of("500x54", "135x123", "436x8")) {
      DistanceBenchmark distances = new DistanceBenchmark();
      distances.shape = shape;
      distances.setUp();
      Sample nanos = time(distances::dense);
      double elements = (double) distances.x.length * distances.out.length;
      double arithmetic = 2 * elements / (flops / 2) * 1e9;
      double bandwidth = bandwidth(distances.columns);
      double bytes = 4 * elements / bandwidth * 1e9;
      table.add(
          shape,
          nanos.median(),
          nanos.least(),
          nanos.largest(),
          flops / 1e9,
          arithmetic,
          bandwidth / 1e9,
          bytes,
          Math.max(arithmetic, bytes) / nanos.median());
    }
    return table;
  }

  /** Floating point operations a second where nothing but registers is touched; the best of all. */
  static double peakFlops() {
    float[] x = new float[N];
    float[] out = new float[N];
    for (int i = 0; i < N; i++) {
      x[i] = i / (2f * N);
    }
    return 2.0 * N * DEPTH / time(() -> polynomial(x, out)).least() * 1e9;
  }

  /** A polynomial of degree 32: for each element two memory accesses and 32 fused operations. */
  static float[] polynomial(float[] x, float[] out) {
    for (int i = 0; i < N; i++) {
      float v = x[i];
      float p = 1;
      p = Math.fma(p, v, 1f);
      p = Math.fma(p, v, 2f);
      p = Math.fma(p, v, 3f);
      p = Math.fma(p, v, 4f);
      p = Math.fma(p, v, 5f);
      p = Math.fma(p, v, 6f);
      p = Math.fma(p, v, 7f);
      p = Math.fma(p, v, 8f);
      p = Math.fma(p, v, 1f);
      p = Math.fma(p, v, 2f);
      p = Math.fma(p, v, 3f);
      p = Math.fma(p, v, 4f);
      p = Math.fma(p, v, 5f);
      p = Math.fma(p, v, 6f);
      p = Math.fma(p, v, 7f);
      p = Math.fma(p, v, 8f);
      p = Math.fma(p, v, 1f);
      p = Math.fma(p, v, 2f);
      p = Math.fma(p, v, 3f);
      p = Math.fma(p, v, 4f);
      p = Math.fma(p, v, 5f);
      p = Math.fma(p, v, 6f);
      p = Math.fma(p, v, 7f);
      p = Math.fma(p, v, 8f);
      p = Math.fma(p, v, 1f);
      p = Math.fma(p, v, 2f);
      p = Math.fma(p, v, 3f);
      p = Math.fma(p, v, 4f);
      p = Math.fma(p, v, 5f);
      p = Math.fma(p, v, 6f);
      p = Math.fma(p, v, 7f);
      p = Math.fma(p, v, 8f);
      out[i] = p;
    }
    return out;
  }

  /** Bytes a second when columns are read eight at a time and hardly anything else is done. */
  private static double bandwidth(float[][] columns) {
    int n = columns[0].length;
    float[] out = new float[n];
    int groups = columns.length / 8;
    double bytes = 4.0 * 8 * groups * n;
    return bytes / time(() -> sums(columns, groups, out)).least() * 1e9;
  }

  private static float[] sums(float[][] columns, int groups, float[] out) {
    for (int g = 0; g < groups; g++) {
      int i = 8 * g;
      sum(
          columns[i],
          columns[i + 1],
          columns[i + 2],
          columns[i + 3],
          columns[i + 4],
          columns[i + 5],
          columns[i + 6],
          columns[i + 7],
          out);
    }
    return out;
  }

  private static void sum(
      float[] a,
      float[] b,
      float[] c,
      float[] d,
      float[] e,
      float[] f,
      float[] g,
      float[] h,
      float[] out) {
    for (int j = 0; j < out.length; j++) {
      out[j] = ((a[j] + b[j]) + (c[j] + d[j])) + ((e[j] + f[j]) + (g[j] + h[j]));
    }
  }

  /** Something whose result is looked at, so that it is not left out. */
  interface Work {
    float[] run();
  }

  /** Nanoseconds of processor time a run: rounds of at least 50 ms after as much warm-up. */
  static Sample time(Work work) {
    int runs = 1;
    double[] nanos = new double[ROUNDS];
    for (int round = -2; round < ROUNDS; round++) {
      float sink = 0;
      long start = Cpu.nanos();
      long spent = 0;
      long done = 0;
      while (spent < 50_000_000) {
        for (int i = 0; i < runs; i++) {
          sink += work.run()[0];
        }
        done += runs;
        spent = Cpu.nanos() - start;
        runs = round < 0 ? Math.min(1000, 2 * runs) : runs;
      }
      nanos[Math.max(0, round)] = (double) spent / done + (Float.isNaN(sink) ? Double.NaN : 0);
    }
    return new Sample(nanos);
  }
}
