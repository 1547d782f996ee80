package org.avm4j.flink;

import java.io.IOException;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.util.Collector;
import org.avm4j.Prediction;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.table.RefusedRowException;
import org.avm4j.table.RefusedRowException.Reason;

/**
 * Answers and learns the rows of the current key. Only a {@link RefusedRowException} leads to a
 * dead letter; any other exception fails the job, so that Flink restarts it.
 */
final class KeyedLearning {
  private static final double[] NO_SCORES = {};

  private final LearnOptions options;
  private final ValueState<LearnerState> learners;
  private final LearningMetrics metrics;

  KeyedLearning(LearnOptions options, RuntimeContext context) {
    this.options = options;
    learners = context.getState(descriptor(options));
    metrics = new LearningMetrics(context.getMetricGroup());
  }

  static ValueStateDescriptor<LearnerState> descriptor(LearnOptions options) {
    ValueStateDescriptor<LearnerState> learner =
        new ValueStateDescriptor<>("learner", new ValueType<>(LearnerState.class));
    if (options.timeToLive() != null) {
      learner.enableTimeToLive(
          StateTtlConfig.newBuilder(options.timeToLive())
              .updateTtlOnReadAndWrite()
              .neverReturnExpired()
              .build());
    }
    return learner;
  }

  LearningMetrics metrics() {
    return metrics;
  }

  /** Answers a row and learns it; a row without a label is observed, since no label will follow. */
  void take(AvmRow row, Collector<AvmAnswer> out, SideOutput side) throws IOException {
    if (answer(row, out, side) && row.label() == null) {
      observe(row);
    }
  }

  /**
   * Answers a row, and learns it if it is complete.
   *
   * @return false if the row was refused
   */
  boolean answer(AvmRow row, Collector<AvmAnswer> out, SideOutput side) throws IOException {
    LearnerState state = learner();
    boolean isLearned = options.mode().learns() && isComplete(row, state);
    AvmAnswer answer;
    try {
      answer = isLearned ? learn(row, state) : answer(row, state);
    } catch (RefusedRowException refused) {
      refuse(row, state, refused, side);
      return false;
    }
    if (isLearned) {
      judge(answer == null ? null : answer.label(), row, state);
      learned(row, state, side);
    }
    if (answer != null) {
      out.collect(answer);
    }
    return true;
  }

  /** Learns a row that was answered earlier, with the label {@code given}. */
  void learnLate(AvmRow row, Object given, SideOutput side) throws IOException {
    LearnerState state = learner();
    try {
      state.learner().learn(row.row());
    } catch (RefusedRowException refused) {
      refuse(row, state, refused, side);
      return;
    }
    judge(given, row, state);
    learned(row, state, side);
  }

  /** Observes a row that has no label and will not get one. */
  void observe(AvmRow row) throws IOException {
    LearnerState state = learner();
    boolean mayLearn = options.mode().learns() && state.instances() > 0;
    if (mayLearn && !state.pipeline().task().isUnsupervised() && isObserved(row, state)) {
      learners.update(state);
      metrics.rowObserved();
    }
  }

  /** Observes a row; false if the learner cannot use it, or refuses values it accepted earlier. */
  private static boolean isObserved(AvmRow row, LearnerState state) {
    try {
      return state.learner().observe(row.row());
    } catch (RefusedRowException refused) {
      return false;
    }
  }

  /** Whether a row can be learned at once: it has a label, or its learner needs none. */
  boolean isComplete(AvmRow row) throws IOException {
    return row.label() != null || isComplete(row, learner());
  }

  private static boolean isComplete(AvmRow row, LearnerState state) {
    return row.label() != null || state.pipeline().task().isUnsupervised();
  }

  /** Whether a row may wait for its label; refuses it if its values are not valid. */
  boolean mayWait(AvmRow row, SideOutput side) throws IOException {
    LearnerState state = learner();
    try {
      state.learner().checkValues(row.row());
      return true;
    } catch (RefusedRowException refused) {
      refuse(row, state, refused, side);
      return false;
    }
  }

  private AvmAnswer learn(AvmRow row, LearnerState state) {
    RowLearner learner = state.learner();
    if (state.instances() == 0 || !options.mode().answers()) {
      learner.learn(row.row());
      return options.mode().answers() ? nothingKnown(row) : null;
    }
    return answer(row, learner.answerAndLearn(row.row()).answer(), state);
  }

  private AvmAnswer answer(AvmRow row, LearnerState state) {
    if (!options.mode().answers()) {
      throw new RefusedRowException(Reason.LABEL, "a row to learn must have a label");
    }
    if (state.instances() == 0) {
      state.learner().checkValues(row.row());
      return nothingKnown(row);
    }
    return answer(row, state.learner().answer(row.row()), state);
  }

  private static AvmAnswer answer(AvmRow row, Prediction said, LearnerState state) {
    Pipeline pipeline = state.pipeline();
    Schema schema = pipeline.preparation().schema();
    String version = Long.toString(state.instances());
    return AvmAnswer.of(row, said, pipeline.task(), schema, version);
  }

  private static AvmAnswer nothingKnown(AvmRow row) {
    return new AvmAnswer(row.key(), row.id(), null, NO_SCORES, NO_SCORES, row.label(), "0");
  }

  private LearnerState learner() throws IOException {
    LearnerState state = learners.value();
    if (state == null) {
      state = LearnerState.of(options.recipe().create());
      learners.update(state);
      metrics.newKey();
    } else if (!state.isDecoded()) {
      metrics.decoded(state);
    }
    return state;
  }

  private void judge(Object given, AvmRow row, LearnerState state) {
    metrics.judged(given, row.label(), state.pipeline().task());
  }

  private void learned(AvmRow row, LearnerState state, SideOutput side) throws IOException {
    learners.update(state);
    long n = state.learned();
    metrics.learned(state);
    if (options.modelsEvery() > 0 && n % options.modelsEvery() == 0) {
      side.send(AvmStreams.MODELS, new ModelUpdate(row.key(), Long.toString(n), state.toBytes()));
    }
  }

  /** Refuses a row; an untrained learner is removed, so that refused rows create no keys. */
  private void refuse(
      AvmRow row, LearnerState state, RefusedRowException refused, SideOutput side) {
    if (state.instances() == 0) {
      learners.clear();
    }
    refuse(row, refused.reason().word(), refused.getMessage(), side);
  }

  /** Emits a row as a dead letter, and counts it. */
  void refuse(AvmRow row, String kind, String reason, SideOutput side) {
    metrics.refused(kind);
    side.send(AvmStreams.DEAD_LETTERS, new DeadLetter(row.text(), kind, reason));
  }
}
