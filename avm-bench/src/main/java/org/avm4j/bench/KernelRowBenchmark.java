package org.avm4j.bench;

import java.util.concurrent.TimeUnit;
import org.avm4j.data.Instance;
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

/** One row against all core points: loading, distances and kernel values. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KernelRowBenchmark {
  /** Where the rows come from. */
  @Param({"a9a-like", "ijcnn1-like", "covtype-like"})
  public String data;

  /** Core points. */
  @Param({"143", "500"})
  public int size;

  Instance[] rows;
  CoreSet core = new CoreSet();
  KernelRow row;
  private int next;

  /** The first rows become the core points. */
  @Setup
  public void setUp() {
    Workload workload = Workload.of(data, size + 1024);
    rows = workload.rows();
    row = new KernelRow(core, workload.options().kernel());
    for (int j = 0; j < size; j++) {
      row.measure(rows[j].features());
      core.add(row, true);
    }
    next = size;
  }

  /** The kernel values of the next row. */
  @Benchmark
  public double[] measure() {
    next = next + 1 < rows.length ? next + 1 : size;
    return row.measure(rows[next].features());
  }

  Instance current() {
    return rows[next];
  }
}
