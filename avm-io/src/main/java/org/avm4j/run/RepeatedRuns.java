package org.avm4j.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.avm4j.data.Instance;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;

/** Several runs over the same rows, each in another random order. */
public final class RepeatedRuns {
  private final PreparedData data;
  private final DefaultRules rules;
  private final RunListener listener;
  private final RunOptions options;
  private final AtomicLong done = new AtomicLong();

  /**
   * Runs a learner several times with the delay and the label budget of these options; the listener
   * is told the number of instances of all runs together.
   */
  public RepeatedRuns(
      PreparedData data, LearnerSpec spec, RunOptions options, RunListener listener) {
    this.data = data;
    this.options = options;
    this.listener = listener;
    rules = data.rules(spec);
  }

  /**
   * Returns the reports of all runs; run i shuffles the rows with seed + i.
   *
   * @param rows all rows, before scaling
   * @param executor runs a task for each of them
   */
  public List<RunReport> run(List<Instance> rows, int runs, Executor executor) {
    List<Supplier<RunReport>> tasks = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      long seed = rules.spec().seed() + i;
      tasks.add(() -> run(rows, seed));
    }
    return TaskResults.all(tasks, executor);
  }

  private RunReport run(List<Instance> rows, long seed) {
    Pipeline pipeline = rules.pipeline();
    Prequential evaluation = options.evaluation(pipeline, data, seed);
    for (Instance row : PreparedData.shuffled(rows, seed)) {
      evaluation.step(row.features(), row.label(), row.weight());
      listener.advanced(done.incrementAndGet());
    }
    evaluation.finish();
    FinalModel end = FinalModel.of(pipeline);
    return RunReport.of(evaluation, pipeline, data, data.leftOut(), true, end, new StreamWatch());
  }
}
