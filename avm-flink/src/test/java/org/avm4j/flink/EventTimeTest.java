package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/** Late labels on Flink itself, by the time of the rows. */
class EventTimeTest {
  private static final int N = 400;

  private static WatermarkStrategy<AvmRow> byNumber() {
    return WatermarkStrategy.<AvmRow>forMonotonousTimestamps()
        .withTimestampAssigner((row, before) -> 1000 * Long.parseLong(row.id()));
  }

  private static WatermarkStrategy<LateLabel> ofLabels() {
    return WatermarkStrategy.<LateLabel>forMonotonousTimestamps()
        .withTimestampAssigner((label, before) -> 1000 * Long.parseLong(label.id()));
  }

  /** However fast the rows run through, the same ones are given up. */
  @Test
  void everyRowIsLearnedOrGivenUp() throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2);
    DataStream<AvmRow> all = TestStream.rows(env, 3, 0, N, 0);
    DataStream<AvmRow> rows =
        all.map(row -> row.withLabel(null, 1))
            .returns(new ValueType<>(AvmRow.class))
            .setParallelism(1)
            .assignTimestampsAndWatermarks(byNumber())
            .setParallelism(1);
    DataStream<LateLabel> labels =
        TestStream.rows(env, 3, 0, N, 0, "labels")
            .filter(row -> Long.parseLong(row.id()) % 5 != 0)
            .setParallelism(1)
            .map(row -> new LateLabel(row.key(), row.id(), row.label(), 1))
            .returns(new ValueType<>(LateLabel.class))
            .setParallelism(1)
            .assignTimestampsAndWatermarks(ofLabels())
            .setParallelism(1);
    LearnOptions options =
        LearnOptions.of(LearnerRecipe.of(TestStream.SMALL))
            .withLabelTimeout(Duration.ofSeconds(60))
            .withLabelTime(TimeDomain.EVENT_TIME);
    SingleOutputStreamOperator<AvmAnswer> answers = AvmStreams.learn(rows, labels, options);
    Collection<AvmAnswer> answered = Collected.of(answers, "event-time");
    Collection<AvmRow> expired =
        Collected.of(answers.getSideOutput(AvmStreams.ROWS_WITHOUT_LABEL), "expired-rows");
    Collection<LateLabel> stray =
        Collected.of(answers.getSideOutput(AvmStreams.LABELS_WITHOUT_ROW), "expired-labels");
    env.execute();
    assertThat(answered).hasSize(N);
    Set<Long> ids =
        expired.stream()
            .map(row -> Long.parseLong(row.id()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(ids).hasSize(N / 5).allMatch(id -> id % 5 == 0);
    assertThat(stray).isEmpty();
  }
}
