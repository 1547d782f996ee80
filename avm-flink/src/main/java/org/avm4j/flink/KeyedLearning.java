package org.avm4j.flink;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.util.Collector;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;

/** Answers and learns the rows of the present key. */
final class KeyedLearning {
  private static final int MAX_FEATURES = 1 << 16;
  private static final int MAX_CLASSES = 1000;
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

  /**
   * Answers and learns a row.
   *
   * @return whether it was accepted
   */
  boolean take(AvmRow row, Collector<AvmAnswer> out, SideOutput side) throws IOException {
    LearnerState state = learner();
    try {
      AvmAnswer answer = isLearned(row, state) ? learn(row, state, side) : answer(row, state);
      if (answer != null) {
        out.collect(answer);
      }
      return true;
    } catch (RuntimeException refused) {
      refuse(row, state, refused, side);
      return false;
    }
  }

  /** Learns a row whose answer was given before. */
  void learnLate(AvmRow row, Object given, SideOutput side) throws IOException {
    LearnerState state = learner();
    try {
      check(row, state);
      double y = label(row, state);
      Features x = row.values().encode(state.rows());
      state.pipeline().learn(x, y, row.weight());
      metrics.judged(given, row.label(), state.pipeline().task());
      learned(row, state, side);
    } catch (RuntimeException refused) {
      refuse(row, state, refused, side);
    }
  }

  /** Answers a row without learning it. */
  AvmAnswer answer(AvmRow row, LearnerState state) {
    if (!options.mode().answers()) {
      if (row.label() == null) {
        throw new IllegalArgumentException("a row to learn must have a label");
      }
      return null;
    }
    check(row, state);
    return answer(row, row.values().encode(state.answeredRows()), state);
  }

  private static AvmAnswer answer(AvmRow row, Features x, LearnerState state) {
    if (state.instances() == 0) {
      return nothingKnown(row);
    }
    Pipeline pipeline = state.pipeline();
    Schema schema = pipeline.preparation().schema();
    String version = Long.toString(state.instances());
    return Answers.of(row, pipeline.answer(x), pipeline.task(), schema, version);
  }

  private static AvmAnswer nothingKnown(AvmRow row) {
    return new AvmAnswer(row.key(), row.id(), null, NO_SCORES, NO_SCORES, row.label(), "0");
  }

  LearnerState learner() throws IOException {
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

  private boolean isLearned(AvmRow row, LearnerState state) {
    boolean needsNoLabel = state.pipeline().task().kind() == Task.Kind.ANOMALY;
    return options.mode().learns() && (row.label() != null || needsNoLabel);
  }

  private AvmAnswer learn(AvmRow row, LearnerState state, SideOutput side) throws IOException {
    Pipeline pipeline = state.pipeline();
    check(row, state);
    double y = label(row, state);
    Features x = row.values().encode(state.rows());
    AvmAnswer answer = options.mode().answers() ? answer(row, x, state) : null;
    pipeline.learn(x, y, row.weight());
    if (answer != null) {
      metrics.judged(answer.label(), row.label(), pipeline.task());
    }
    learned(row, state, side);
    return answer;
  }

  /** The number of the label, which the learner takes. */
  private static double label(AvmRow row, LearnerState state) {
    OnlineLearner.checkWeight(row.weight());
    double y = state.rows().label(row.label());
    if (row.label() != null) {
      state.pipeline().checkLabel(y);
    }
    return y;
  }

  private void learned(AvmRow row, LearnerState state, SideOutput side) throws IOException {
    learners.update(state);
    long n = state.learned();
    metrics.learned(state);
    if (options.modelsEvery() > 0 && n % options.modelsEvery() == 0) {
      side.send(AvmStreams.MODELS, new ModelUpdate(row.key(), Long.toString(n), state.toBytes()));
    }
  }

  private static void check(AvmRow row, LearnerState state) {
    Pipeline pipeline = state.pipeline();
    Schema schema = pipeline.preparation().schema();
    boolean isNamed = !(row.values() instanceof RowValues.Indexed);
    if (!isNamed && !schema.columns().isEmpty()) {
      throw new IllegalArgumentException(
          "the learner knows its columns by name, found a row by index");
    }
    int width = row.values().width() + (isNamed ? schema.dimension() : 0);
    if (width > MAX_FEATURES) {
      throw new IllegalArgumentException(
          "a learner has at most " + MAX_FEATURES + " features here, a row makes it " + width);
    }
    if (pipeline.columns() > MAX_CLASSES) {
      throw new IllegalArgumentException("a learner has at most " + MAX_CLASSES + " classes here");
    }
  }

  /** A learner that has learned nothing is not kept for a row that is refused. */
  private void refuse(AvmRow row, LearnerState state, RuntimeException refused, SideOutput side) {
    metrics.refused();
    if (state.instances() == 0) {
      learners.clear();
    }
    String reason = Objects.requireNonNullElse(refused.getMessage(), refused.toString());
    side.send(AvmStreams.DEAD_LETTERS, new DeadLetter(RefusedRow.of(row), reason));
  }
}
