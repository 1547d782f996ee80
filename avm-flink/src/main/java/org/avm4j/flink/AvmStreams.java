package org.avm4j.flink;

import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/**
 * Streams that learn and answer.
 *
 * <pre>{@code
 * LearnOptions options = LearnOptions.of(LearnerRecipe.automatic());
 * SingleOutputStreamOperator<AvmAnswer> answers = AvmStreams.learn(rows, options);
 * answers.sinkTo(...);
 * answers.getSideOutput(AvmStreams.DEAD_LETTERS).sinkTo(...);
 * }</pre>
 *
 * <p>The heap state backend ({@code hashmap}, Flink's default) keeps learners as objects. With a
 * backend on disk every row decodes and encodes its learner.
 */
public final class AvmStreams {
  /** Rows that were refused, with the reason. */
  public static final OutputTag<DeadLetter> DEAD_LETTERS =
      new OutputTag<>("dead-letters", new ValueType<>(DeadLetter.class));

  /** Learners that were emitted, if {@link LearnOptions#modelsEvery} is set. */
  public static final OutputTag<ModelUpdate> MODELS =
      new OutputTag<>("models", new ValueType<>(ModelUpdate.class));

  /** Rows whose label did not arrive in time, in streams with late labels. */
  public static final OutputTag<AvmRow> ROWS_WITHOUT_LABEL =
      new OutputTag<>("rows-without-label", new ValueType<>(AvmRow.class));

  /** Labels whose row did not arrive in time. */
  public static final OutputTag<LateLabel> LABELS_WITHOUT_ROW =
      new OutputTag<>("labels-without-row", new ValueType<>(LateLabel.class));

  private AvmStreams() {}

  /** Answers and learns rows, with a learner for each key. */
  public static SingleOutputStreamOperator<AvmAnswer> learn(
      DataStream<AvmRow> rows, LearnOptions options) {
    return rows.keyBy(AvmRow::key).process(new AvmFunction(options)).uid("avm").name("avm");
  }

  /**
   * The same with labels that follow their rows; rows and labels that expire go to side outputs.
   */
  public static SingleOutputStreamOperator<AvmAnswer> learn(
      DataStream<AvmRow> rows, DataStream<LateLabel> labels, LearnOptions options) {
    return rows.keyBy(AvmRow::key)
        .connect(labels.keyBy(LateLabel::key))
        .process(new LateLabelFunction(options))
        .uid("avm")
        .name("avm");
  }

  /**
   * Learns one model of the whole stream, split by region: the router assigns each row to a region,
   * and each region has its own learner.
   */
  public static SingleOutputStreamOperator<AvmAnswer> learnByRegion(
      DataStream<AvmRow> rows, RegionRouter router, LearnOptions options) {
    return learn(router.route(rows), options);
  }

  /**
   * Scores with a frozen model, which updates replace while the job runs; every answer has the
   * version of its model.
   *
   * @param first the initial model; null to refuse rows until an update comes
   */
  public static SingleOutputStreamOperator<AvmAnswer> score(
      DataStream<AvmRow> rows, DataStream<ModelUpdate> updates, ModelUpdate first) {
    BroadcastStream<ModelUpdate> broadcast = updates.broadcast(ScoreFunction.MODEL);
    return rows.connect(broadcast).process(new ScoreFunction(first)).uid("score").name("score");
  }
}
