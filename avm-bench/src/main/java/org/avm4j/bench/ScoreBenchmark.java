package org.avm4j.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Scores by a frozen model, one row or many. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScoreBenchmark {
  static final int MANY = 4096;

  /** What was learned. */
  @Param({"a9a-like", "ijcnn1-like", "covtype-like"})
  public String data;

  int rows = Workload.GENERATED;
  Instance[] instances;
  List<Features> first;
  AvmModel model;
  double[] scores;
  private int next;

  /** A model of one pass. */
  @Setup
  public void setUp() {
    Workload workload = Workload.of(data, rows);
    instances = workload.rows();
    Avm avm = new Avm(workload.options());
    for (Instance row : instances) {
      avm.learn(row.features(), row.label());
    }
    first = Arrays.stream(instances).limit(MANY).map(Instance::features).toList();
    model = avm.snapshot();
    scores = new double[model.columns()];
  }

  /** The next row. */
  @Benchmark
  public double[] one() {
    next = next + 1 < instances.length ? next + 1 : 0;
    model.score(instances[next].features(), scores);
    return scores;
  }

  /** Many rows in one call, on all cores; the time is that of one of them. */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public double[][] many() {
    return model.score(first, ForkJoinPool.commonPool());
  }

  Instance current() {
    return instances[next];
  }
}
