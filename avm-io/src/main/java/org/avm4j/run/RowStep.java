package org.avm4j.run;

import java.io.IOException;
import org.avm4j.data.InstanceReader;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;

/** Answers and learns one row of a run at a time; rows that the learner refuses are left out. */
final class RowStep {
  private final PreparedData data;
  private final RunListener listener;
  private final RunLines lines;
  private final Checkpoint state;
  private final Pipeline pipeline;
  private final Prequential evaluation;

  /**
   * Steps of a run.
   *
   * @param lines what is written for each answer
   * @param state what the steps change
   */
  RowStep(PreparedData data, RunListener listener, RunLines lines, Checkpoint state) {
    this.data = data;
    this.listener = listener;
    this.lines = lines;
    this.state = state;
    pipeline = state.pipeline();
    evaluation = state.evaluation();
  }

  /**
   * Observes a row without a label. It adds no names, so that a resumed run gives equal results.
   */
  void observe(InstanceReader row) throws IOException {
    boolean hasLine = !lines.isEmpty() && !data.isOther();
    try {
      if (hasLine) {
        evaluation.answerAndObserve(row.features());
      } else {
        evaluation.observe(row.features());
      }
    } catch (IllegalArgumentException refused) {
      data.reject(data.message(refused));
      return;
    }
    if (hasLine) {
      lines.write(evaluation);
    }
    data.undo();
  }

  void answerAndLearn(InstanceReader row) throws IOException {
    long before = evaluation.metrics().instances();
    try {
      if (evaluation.step(row.features(), row.label(), row.weight())) {
        listener.inspected(evaluation.metrics().name(), evaluation.lastInspection());
      }
    } catch (IllegalArgumentException refused) {
      data.reject(data.message(refused));
    } finally {
      if (evaluation.metrics().instances() > before) {
        listener.answered(row.features(), row.label());
        state.watch().add(row, evaluation, pipeline);
        state.heldOut().take(row.features(), row.label());
        lines.write(evaluation);
      }
    }
  }

  /** Learns a row that was answered in the first pass. */
  void learn(InstanceReader row) throws IOException {
    try {
      pipeline.learn(row.features(), row.label(), row.weight());
    } catch (IllegalArgumentException refused) {
      data.reject(data.message(refused));
    }
  }
}
