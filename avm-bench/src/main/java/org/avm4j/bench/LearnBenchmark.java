package org.avm4j.bench;

import java.util.concurrent.TimeUnit;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One step of a learner that has gone over all rows once. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LearnBenchmark {
  /** What is learned; {@code -p data=a9a} takes the real one. */
  @Param({"a9a-like", "ijcnn1-like", "covtype-like"})
  public String data;

  /** The paper's step, or the second-order one. */
  @Param({"sgd", "newton"})
  public String update;

  Avm avm;
  int rows = Workload.GENERATED;
  private Instance[] instances;
  private int next = -1;

  /** One pass. */
  @Setup
  public void setUp() {
    Workload workload = Workload.of(data, rows);
    instances = workload.rows();
    avm = new Avm(options(workload, update));
    for (Instance row : instances) {
      avm.learn(row.features(), row.label());
    }
  }

  /** The next row. */
  @Benchmark
  public void learn() {
    next = next + 1 < instances.length ? next + 1 : 0;
    avm.learn(instances[next].features(), instances[next].label());
  }

  static AvmOptions options(Workload workload, String update) {
    return update.equals("sgd")
        ? workload.options()
        : workload.options().change().update(Update.newton()).build();
  }
}
