package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.avm4j.Features;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;

/** What the functions do, one operator at a time, with a clock that the test sets. */
@SuppressWarnings("try")
class FunctionTest {
  private static final int KEYS = 3;
  private static final LearnerRecipe SMALL = LearnerRecipe.of(TestStream.SMALL);

  private static KeyedOneInputStreamOperatorTestHarness<String, AvmRow, AvmAnswer> harness(
      LearnOptions options) throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new AvmFunction(options)), AvmRow::key, Types.STRING);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<String, AvmRow, LateLabel, AvmAnswer>
      harness(LateLabelFunction function) throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new KeyedCoProcessOperator<>(function), AvmRow::key, LateLabel::key, Types.STRING);
  }

  private static void take(
      KeyedOneInputStreamOperatorTestHarness<String, AvmRow, AvmAnswer> harness, long from, long to)
      throws Exception {
    for (long i = from; i < to; i++) {
      harness.processElement(new StreamRecord<>(TestStream.row(i, KEYS)));
    }
  }

  @Test
  void aSnapshotHoldsTheLearnersAsTheyWereWhileTheJobGoesOn() throws Exception {
    Map<String, AvmAnswer> expected = TestStream.expected(TestStream.list(KEYS, 600), SMALL);
    OperatorSubtaskState snapshot;
    try (var first = harness(LearnOptions.of(SMALL))) {
      first.open();
      take(first, 0, 300);
      snapshot = first.snapshot(1, 1);
      take(first, 300, 600);
      first.extractOutputValues().forEach(a -> assertThat(a).isEqualTo(expected.get(a.id())));
    }
    try (var second = harness(LearnOptions.of(SMALL))) {
      second.initializeState(snapshot);
      second.open();
      take(second, 300, 600);
      List<AvmAnswer> again = second.extractOutputValues();
      assertThat(again).hasSize(300);
      again.forEach(a -> assertThat(a).isEqualTo(expected.get(a.id())));
    }
  }

  @Test
  void aCopyTakesTheLearnerOverAndLeavesItsBytes() {
    Pipeline pipeline = SMALL.create();
    pipeline.learn(Features.dense(1, 2), 1, 1);
    LearnerState state = LearnerState.of(pipeline);
    LearnerState copy = state.takeOver();
    assertThat(copy.pipeline()).isSameAs(pipeline);
    assertThat(state.isDecoded()).isFalse();
    byte[] then = state.toBytes();
    copy.pipeline().learn(Features.dense(3, 4), -1, 1);
    assertThat(Arrays.equals(state.toBytes(), then)).isTrue();
    assertThat(Arrays.equals(copy.toBytes(), then)).isFalse();
    assertThat(Arrays.equals(state.takeOver().toBytes(), then)).isTrue();
    assertThat(state.isDecoded()).as("bytes are copied without decoding").isFalse();
  }

  @Test
  void aKeyWithoutRowsForLongIsForgotten() throws Exception {
    LearnOptions options = LearnOptions.of(SMALL).withTimeToLive(Duration.ofMinutes(1));
    try (var harness = harness(options)) {
      harness.open();
      harness.setStateTtlProcessingTime(0);
      take(harness, 0, 50);
      harness.setStateTtlProcessingTime(50_000);
      take(harness, 50, 51);
      assertThat(last(harness.extractOutputValues()).version()).isNotEqualTo("0");
      harness.setStateTtlProcessingTime(100_000);
      take(harness, 50, 51);
      assertThat(last(harness.extractOutputValues()).version()).isNotEqualTo("0");
      harness.setStateTtlProcessingTime(161_000);
      take(harness, 50, 51);
      assertThat(last(harness.extractOutputValues()).version()).isEqualTo("0");
    }
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }

  @Test
  void modesAnswerOrLearnOnly() throws Exception {
    try (var harness = harness(LearnOptions.of(SMALL).withMode(LearnMode.LEARN))) {
      harness.open();
      take(harness, 0, 20);
      assertThat(harness.extractOutputValues()).isEmpty();
    }
    Pipeline learned = SMALL.create();
    TestStream.list(KEYS, 50)
        .forEach(row -> learned.learn(TestStream.features(row), (Double) row.label(), 1));
    LearnerRecipe warm = LearnerRecipe.warmStart(learned.toBytes());
    try (var harness = harness(LearnOptions.of(warm).withMode(LearnMode.ANSWER))) {
      harness.open();
      take(harness, 0, 20);
      List<AvmAnswer> answers = harness.extractOutputValues();
      assertThat(answers).hasSize(20);
      for (int i = 0; i < 20; i++) {
        Features x = TestStream.features(TestStream.row(i, KEYS));
        assertThat(answers.get(i).scores()).isEqualTo(learned.score(x));
        assertThat(answers.get(i).version()).isEqualTo("50");
      }
    }
  }

  @Test
  void lateLabelsAreLearnedAsIfTheyHadComeInTime() throws Exception {
    LateLabelFunction function = new LateLabelFunction(LearnOptions.of(SMALL));
    try (var harness = harness(function)) {
      harness.open();
      for (int i = 0; i < 200; i++) {
        AvmRow row = TestStream.row(i, KEYS);
        LateLabel label = new LateLabel(row.key(), row.id(), row.label(), 1);
        if (i % 3 == 0) {
          harness.processElement2(new StreamRecord<>(label));
        }
        harness.processElement1(new StreamRecord<>(row.withLabel(null, 1)));
        if (i % 3 != 0) {
          harness.processElement2(new StreamRecord<>(label));
        }
      }
      List<AvmAnswer> answers = harness.extractOutputValues();
      Map<String, AvmAnswer> expected = TestStream.expected(TestStream.list(KEYS, 200), SMALL);
      assertThat(answers).hasSize(200);
      for (AvmAnswer answer : answers) {
        AvmAnswer alone = expected.get(answer.id());
        assertThat(answer.scores()).isEqualTo(alone.scores());
        assertThat(answer.version()).isEqualTo(alone.version());
      }
      assertThat(function.metrics().windowError()).isBetween(0.0, 0.6);
    }
  }

  @Test
  void whatWaitsTooLongIsGivenUpAndCounted() throws Exception {
    LearnOptions options = LearnOptions.of(SMALL).withLabelTimeout(Duration.ofSeconds(10));
    LateLabelFunction function = new LateLabelFunction(options);
    try (var harness = harness(function)) {
      harness.open();
      harness.setProcessingTime(0);
      AvmRow first = TestStream.row(1, 1).withLabel(null, 1);
      AvmRow second = TestStream.row(2, 1).withLabel(null, 1);
      harness.processElement1(new StreamRecord<>(first));
      harness.processElement2(new StreamRecord<>(new LateLabel("key-0", "77", 1.0, 1)));
      harness.setProcessingTime(8000);
      harness.processElement1(new StreamRecord<>(second));
      harness.setProcessingTime(12_000);
      assertThat(function.metrics().rowsWithoutLabel()).isEqualTo(1);
      assertThat(function.metrics().labelsWithoutRow()).isEqualTo(1);
      assertThat(sent(harness, AvmStreams.ROWS_WITHOUT_LABEL)).containsExactly(first);
      assertThat(sent(harness, AvmStreams.LABELS_WITHOUT_ROW)).hasSize(1);
      harness.processElement2(new StreamRecord<>(new LateLabel("key-0", second.id(), 1.0, 1)));
      harness.processElement1(new StreamRecord<>(TestStream.row(3, 1)));
      assertThat(last(harness.extractOutputValues()).version()).isEqualTo("1");
      harness.setProcessingTime(40_000);
      assertThat(function.metrics().rowsWithoutLabel()).isEqualTo(1);
    }
  }

  /** Automatic mode learns from rows whose label never comes. */
  @Test
  void whatIsGivenUpIsObserved() throws Exception {
    LearnerRecipe automatic = LearnerRecipe.of(LearnerSpec.automatic());
    LearnOptions options = LearnOptions.of(automatic).withLabelTimeout(Duration.ofSeconds(10));
    LateLabelFunction function = new LateLabelFunction(options);
    try (var harness = harness(function)) {
      harness.open();
      harness.setProcessingTime(0);
      for (long i = 0; i < 40; i++) {
        harness.processElement1(new StreamRecord<>(TestStream.row(i, 1)));
      }
      for (long i = 40; i < 50; i++) {
        harness.processElement1(new StreamRecord<>(TestStream.row(i, 1).withLabel(null, 1)));
      }
      assertThat(function.metrics().observed()).isZero();
      harness.setProcessingTime(20_000);
      assertThat(function.metrics().rowsWithoutLabel()).isEqualTo(10);
      assertThat(function.metrics().observed()).isEqualTo(10);
    }
  }

  /** The clock of the machine says nothing; a row that came late waits no longer than others. */
  @Test
  void byEventTimeTheWatermarkDecidesWhatIsGivenUp() throws Exception {
    LearnOptions options =
        LearnOptions.of(SMALL)
            .withLabelTimeout(Duration.ofSeconds(10))
            .withLabelTime(TimeDomain.EVENT_TIME);
    LateLabelFunction function = new LateLabelFunction(options);
    try (var harness = harness(function)) {
      harness.open();
      AvmRow first = TestStream.row(1, 1).withLabel(null, 1);
      AvmRow second = TestStream.row(2, 1).withLabel(null, 1);
      LateLabel stray = new LateLabel("key-0", "77", 1.0, 1);
      harness.processElement1(new StreamRecord<>(second, 8000));
      harness.processElement1(new StreamRecord<>(first, 1000));
      harness.processElement2(new StreamRecord<>(stray, 2000));
      harness.setProcessingTime(1_000_000);
      assertThat(function.metrics().rowsWithoutLabel()).isZero();
      harness.processBothWatermarks(new Watermark(13_000));
      assertThat(sent(harness, AvmStreams.ROWS_WITHOUT_LABEL)).containsExactly(first);
      assertThat(sent(harness, AvmStreams.LABELS_WITHOUT_ROW)).containsExactly(stray);
      assertThat(function.metrics().rowsWithoutLabel()).isEqualTo(1);
      assertThat(function.metrics().labelsWithoutRow()).isEqualTo(1);
      LateLabel label = new LateLabel("key-0", second.id(), 1.0, 1);
      harness.processElement2(new StreamRecord<>(label, 13_000));
      harness.processElement1(new StreamRecord<>(TestStream.row(3, 1), 13_000));
      assertThat(last(harness.extractOutputValues()).version()).isEqualTo("1");
      harness.processBothWatermarks(Watermark.MAX_WATERMARK);
      assertThat(sent(harness, AvmStreams.ROWS_WITHOUT_LABEL)).hasSize(1);
    }
  }

  @Test
  void eventTimeWithoutTimestampsIsOneSentence() throws Exception {
    LearnOptions options = LearnOptions.of(SMALL).withLabelTime(TimeDomain.EVENT_TIME);
    try (var harness = harness(new LateLabelFunction(options))) {
      harness.open();
      AvmRow row = TestStream.row(1, 1).withLabel(null, 1);
      assertThatThrownBy(() -> harness.processElement1(new StreamRecord<>(row)))
          .hasMessage("event time needs timestamps: give rows and labels a watermark strategy");
    }
  }

  private static <T> List<T> sent(
      KeyedTwoInputStreamOperatorTestHarness<?, ?, ?, ?> harness, OutputTag<T> tag) {
    return harness.getSideOutput(tag).stream().map(StreamRecord::getValue).toList();
  }

  @Test
  void refusedRowsAreDeadLettersWithTheReasonAndChangeNothing() throws Exception {
    try (var harness = harness(LearnOptions.of(SMALL))) {
      harness.open();
      take(harness, 0, 100);
      Features x = Features.dense(1, 1, 1);
      Map<String, Object> huge = new LinkedHashMap<>();
      for (int i = 0; i < 70_000; i++) {
        huge.put("c" + i, 1.0);
      }
      List<AvmRow> bad =
          List.of(
              AvmRow.of("key-1", x, 7),
              AvmRow.of("key-1", x, "spam"),
              AvmRow.of("key-1", x, 1).withLabel(1, -3),
              AvmRow.of("key-1", huge, 1),
              AvmRow.of("key-1", Map.of("a", List.of()), 1));
      for (AvmRow row : bad) {
        harness.processElement(new StreamRecord<>(row));
      }
      take(harness, 100, 300);
      List<String> reasons = new ArrayList<>();
      harness
          .getSideOutput(AvmStreams.DEAD_LETTERS)
          .forEach(letter -> reasons.add(letter.getValue().reason()));
      assertThat(reasons).hasSize(bad.size()).allMatch(reason -> reason.length() > 10);
      Map<String, AvmAnswer> expected = TestStream.expected(TestStream.list(KEYS, 300), SMALL);
      List<AvmAnswer> answers = harness.extractOutputValues();
      assertThat(answers).hasSize(300);
      answers.forEach(a -> assertThat(a.scores()).isEqualTo(expected.get(a.id()).scores()));
    }
  }

  @Test
  void aNewKeyWhoseOnlyRowIsRefusedLeavesNoLearner() throws Exception {
    try (var harness = harness(LearnOptions.of(SMALL))) {
      harness.open();
      Features x = Features.dense(1, 1, 1);
      harness.processElement(new StreamRecord<>(AvmRow.of("new", x, Double.NaN)));
      assertThat(harness.numKeyedStateEntries()).isZero();
      harness.processElement(new StreamRecord<>(AvmRow.of("new", Features.dense(1, 1, 1), 1)));
      assertThat(harness.numKeyedStateEntries()).isEqualTo(1);
    }
  }

  @Test
  void aModelIsSwappedWhileRowsFlowAndAnswersSayWhichOneGaveThem() throws Exception {
    ModelUpdate one = model("one", 40);
    ModelUpdate two = model("two", 200);
    ScoreFunction function = new ScoreFunction(one);
    OperatorSubtaskState snapshot;
    try (var harness = scoring(function)) {
      harness.open();
      harness.processElement(new StreamRecord<>(TestStream.row(1, 1)));
      harness.processBroadcastElement(new StreamRecord<>(two));
      harness.processElement(new StreamRecord<>(TestStream.row(1, 1)));
      harness.processBroadcastElement(
          new StreamRecord<>(new ModelUpdate("model", "damaged", new byte[] {1, 2})));
      harness.processElement(new StreamRecord<>(TestStream.row(1, 1)));
      assertAnswers(harness.extractOutputValues(), one, two, two);
      assertThat(harness.getSideOutput(AvmStreams.DEAD_LETTERS)).hasSize(1);
      snapshot = harness.snapshot(1, 1);
    }
    try (var harness = scoring(new ScoreFunction(one))) {
      harness.initializeState(snapshot);
      harness.open();
      harness.processElement(new StreamRecord<>(TestStream.row(1, 1)));
      assertAnswers(harness.extractOutputValues(), two);
    }
  }

  private static BroadcastOperatorTestHarness<AvmRow, ModelUpdate, AvmAnswer> scoring(
      ScoreFunction function) throws Exception {
    return new BroadcastOperatorTestHarness<>(
        new CoBroadcastWithNonKeyedOperator<>(function, List.of(ScoreFunction.MODEL)), 1, 1, 0);
  }

  private static void assertAnswers(List<AvmAnswer> answers, ModelUpdate... models)
      throws Exception {
    assertThat(answers).hasSize(models.length);
    Features x = TestStream.features(TestStream.row(1, 1));
    for (int i = 0; i < models.length; i++) {
      assertThat(answers.get(i).version()).isEqualTo(models[i].version());
      assertThat(answers.get(i).scores()).isEqualTo(models[i].model().score(x));
    }
  }

  private static ModelUpdate model(String version, int rows) {
    Pipeline learner = SMALL.create();
    TestStream.list(1, rows)
        .forEach(row -> learner.learn(TestStream.features(row), (Double) row.label(), 1));
    return new ModelUpdate("model", version, learner.snapshot().toBytes());
  }

  @Test
  void automaticModeAndTextLabelsWorkByColumnName() throws Exception {
    LearnerRecipe recipe = LearnerRecipe.of(LearnerSpec.automatic());
    try (var harness = harness(LearnOptions.of(recipe))) {
      harness.open();
      for (int i = 0; i < 400; i++) {
        AvmRow row = TestStream.row(i, 1);
        double[] x = new double[3];
        Arrays.setAll(x, j -> TestStream.features(row).get(j));
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("a", x[0]);
        columns.put("b", x[0] * x[1] > 0 ? "yes" : "no");
        String label = x[0] * x[1] > 0 ? "spam" : "ham";
        harness.processElement(new StreamRecord<>(AvmRow.of("k", columns, label)));
      }
      List<AvmAnswer> answers = harness.extractOutputValues();
      long right =
          answers.subList(200, 400).stream().filter(a -> a.truth().equals(a.label())).count();
      assertThat(right).isGreaterThan(190);
    }
  }
}
