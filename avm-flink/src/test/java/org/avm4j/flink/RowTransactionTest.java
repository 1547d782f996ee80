package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.avm4j.Features;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.pipeline.RowLimits;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.RefusedRowException;
import org.junit.jupiter.api.Test;

/** A row of a stream is learned with all that it teaches, or refused and nothing has changed. */
@SuppressWarnings("try")
class RowTransactionTest {
  private static final LearnOptions SMALL = LearnOptions.of(LearnerRecipe.of(TestStream.SMALL));
  private static final LearnOptions MANY_CLASSES =
      LearnOptions.of(
          LearnerRecipe.of(
              LearnerSpec.of(Map.of("task", "multiclass", "gamma", 1, "delta", 1, "max-size", 4))));

  private static KeyedOneInputStreamOperatorTestHarness<String, AvmRow, AvmAnswer> harness(
      KeyedProcessFunction<String, AvmRow, AvmAnswer> function) throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(function), AvmRow::key, Types.STRING);
    harness.open();
    return harness;
  }

  private static KeyedTwoInputStreamOperatorTestHarness<String, AvmRow, LateLabel, AvmAnswer>
      harness(LateLabelFunction function) throws Exception {
    var harness =
        new KeyedTwoInputStreamOperatorTestHarness<>(
            new KeyedCoProcessOperator<>(function), AvmRow::key, LateLabel::key, Types.STRING);
    harness.open();
    return harness;
  }

  private static void take(
      KeyedOneInputStreamOperatorTestHarness<String, AvmRow, AvmAnswer> harness, AvmRow row)
      throws Exception {
    harness.processElement(new StreamRecord<>(row));
  }

  private static List<DeadLetter> dead(AbstractStreamOperatorTestHarness<AvmAnswer> harness) {
    List<DeadLetter> letters = new ArrayList<>();
    var sent = harness.getSideOutput(AvmStreams.DEAD_LETTERS);
    if (sent != null) {
      sent.forEach(letter -> letters.add(letter.getValue()));
    }
    return letters;
  }

  private static DeadLetter lastDead(AbstractStreamOperatorTestHarness<AvmAnswer> harness) {
    List<DeadLetter> all = dead(harness);
    return all.get(all.size() - 1);
  }

  private static AvmAnswer last(AbstractStreamOperatorTestHarness<AvmAnswer> harness) {
    List<AvmAnswer> all = harness.extractOutputValues();
    return all.get(all.size() - 1);
  }

  /** The bytes of the learner of a key as they are kept; empty if none is kept. */
  private static byte[] state(
      AbstractStreamOperatorTestHarness<AvmAnswer> harness, LearnOptions options, String key)
      throws Exception {
    KeyedStateBackend<String> backend =
        ((AbstractStreamOperator<?>) harness.getOperator()).getKeyedStateBackend();
    backend.setCurrentKey(key);
    LearnerState state =
        backend
            .getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                KeyedLearning.descriptor(options))
            .value();
    return state == null ? new byte[0] : state.toBytes();
  }

  private static Map<String, Object> columns(Object... namesAndValues) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      columns.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return columns;
  }

  @Test
  void anOperatorLearnsWhatTheLibraryLearnsAndRefusalsLeaveEveryByteAsItWas() throws Exception {
    try (var harness = harness(new AvmFunction(SMALL))) {
      Map<String, RowLearner> alone = new HashMap<>();
      SplitMix random = new SplitMix(7);
      int refused = 0;
      for (int i = 0; i < 1200; i++) {
        AvmRow row = random(random, i < 20);
        byte[] before = state(harness, SMALL, row.key());
        take(harness, row);
        byte[] after = state(harness, SMALL, row.key());
        if (dead(harness).size() > refused) {
          refused++;
          assertThat(after).as(row.toString()).isEqualTo(before);
        }
        learn(alone, row);
        assertThat(after).as(row.toString()).isEqualTo(bytes(alone.get(row.key())));
      }
      assertThat(refused).isBetween(300, 600);
    }
  }

  private static void learn(Map<String, RowLearner> alone, AvmRow row) {
    RowLearner learner =
        alone.computeIfAbsent(
            row.key(), key -> new RowLearner(SMALL.recipe().create(), RowLimits.SHARED));
    try {
      learner.learn(row.row());
    } catch (RefusedRowException refused) {
      // the operator makes a dead letter of it
    }
  }

  private static byte[] bytes(RowLearner learner) {
    boolean hasLearned = learner.pipeline().status().instances() > 0;
    return hasLearned ? learner.pipeline().toBytes() : new byte[0];
  }

  /** Two rows in three are good, or all. */
  private static AvmRow random(SplitMix random, boolean isGood) {
    double a = 2 * random.getAsDouble() - 1;
    Map<String, Object> columns = columns("a", a, "b", a > 0.3 ? "red" : "blue");
    AvmRow good = AvmRow.of(a > 0 ? "x" : "y", columns, a > 0.5 || a < -0.5 ? "yes" : "no");
    return switch (isGood ? -1 : (int) (30 * random.getAsDouble())) {
      case 0 -> AvmRow.of(good.key(), columns("a", 1e300, "ghost", 1), "yes");
      case 1 -> AvmRow.of(good.key(), columns("a", 1e20), "yes");
      case 2 -> AvmRow.of(good.key(), columns("a", "many", "b", "green"), "no");
      case 3 -> AvmRow.of(good.key(), columns("a", Double.NaN, "b", "green"), "no");
      case 4 -> AvmRow.of(good.key(), columns("a", 1, "b", List.of()), "no");
      case 5 -> AvmRow.of(good.key(), columns("a", 1, "b", "\ud800"), "no");
      case 6 -> AvmRow.of(good.key(), columns("a", 1, "ghost", 2), "\ud800");
      case 7 -> AvmRow.of(good.key(), columns("a", 1, "ghost", 2), "yes").withLabel("yes", -1);
      case 8 -> AvmRow.of(good.key(), columns("ghost", 2), "yes");
      case 9 -> AvmRow.of(good.key(), Features.dense(1, 2), "yes");
      default -> good;
    };
  }

  @Test
  void anAbsurdValueIsRefusedAndRowsWithoutItsColumnAreLearned() throws Exception {
    try (var harness = harness(new AvmFunction(SMALL))) {
      take(harness, AvmRow.of("k", columns("x", 1, "y", 1), 1));
      for (double absurd : new double[] {1e300, 1e20, Double.POSITIVE_INFINITY}) {
        take(harness, AvmRow.of("k", columns("x", absurd, "y", 1), 1));
        assertThat(lastDead(harness).kind()).isEqualTo("value");
        assertThat(lastDead(harness).reason()).contains("x");
      }
      for (int i = 0; i < 50; i++) {
        take(harness, AvmRow.of("k", columns("y", i % 7), i % 2 == 0 ? 1 : -1));
      }
      assertThat(dead(harness)).hasSize(3);
      assertThat(last(harness).version()).isEqualTo("50");
    }
  }

  @Test
  void aBinaryTaskTakesAnyTwoLabelsAndRefusesAThird() throws Exception {
    for (Object[] pair : new Object[][] {{"yes", "no"}, {0, 1}, {3, 4}, {true, false}}) {
      try (var harness = harness(new AvmFunction(SMALL))) {
        for (int i = 0; i < 100; i++) {
          double x = i % 2 == 0 ? 1 : -1;
          take(harness, AvmRow.of("k", Features.dense(x), pair[i % 2]));
        }
        assertThat(dead(harness)).isEmpty();
        AvmAnswer answer = last(harness);
        assertThat(answer.label()).isEqualTo(answer.truth());
        take(harness, AvmRow.of("k", Features.dense(1), pair[0] instanceof String ? "?" : 77));
        assertThat(lastDead(harness).kind()).isEqualTo("label");
        assertThat(lastDead(harness).reason()).contains("' and '");
      }
    }
  }

  @Test
  void textLabelsAreClassesAlsoInAutomaticModeAndNeverNumbersOfARegression() throws Exception {
    LearnOptions automatic = LearnOptions.of(LearnerRecipe.automatic());
    try (var harness = harness(new AvmFunction(automatic))) {
      SplitMix random = new SplitMix(1);
      for (int i = 0; i < 560; i++) {
        double u = random.getAsDouble();
        String label = "c" + (int) (12 * u * u * u);
        take(harness, AvmRow.of("k", Features.dense(u, random.getAsDouble()), label));
      }
      assertThat(dead(harness)).isEmpty();
      List<AvmAnswer> answers = harness.extractOutputValues();
      assertThat(answers.subList(512, 560)).allMatch(a -> a.label().toString().startsWith("c"));
    }
    LearnerRecipe regression =
        LearnerRecipe.of(
            LearnerSpec.of(Map.of("task", "regression", "gamma", 1, "delta", 1, "max-size", 4)));
    try (var harness = harness(new AvmFunction(LearnOptions.of(regression)))) {
      take(harness, AvmRow.of("k", Features.dense(1), "red"));
      assertThat(lastDead(harness).kind()).isEqualTo("label");
    }
  }

  @Test
  void oneClassTooManyIsRefusedAndKnownClassesGoOn() throws Exception {
    try (var harness = harness(new AvmFunction(MANY_CLASSES))) {
      for (int i = 0; i < 1000; i++) {
        take(harness, AvmRow.of("k", Features.dense(i % 3), "c" + i));
      }
      assertThat(dead(harness)).isEmpty();
      take(harness, AvmRow.of("k", Features.dense(1), "one more"));
      assertThat(lastDead(harness).kind()).isEqualTo("limit");
      take(harness, AvmRow.of("k", Features.dense(1), "c7"));
      assertThat(dead(harness)).hasSize(1);
      assertThat(last(harness).version()).isEqualTo("1000");
    }
  }

  @Test
  void lateLabelsWorkFromTheVeryFirstRow() throws Exception {
    LateLabelFunction function = new LateLabelFunction(SMALL);
    try (var harness = harness(function)) {
      for (int i = 0; i < 1000; i++) {
        AvmRow row = AvmRow.of("k", columns("a", i % 10, "b", i % 2 == 0 ? "x" : "y"), null);
        harness.processElement1(new StreamRecord<>(row.withId(i)));
      }
      assertThat(dead(harness)).isEmpty();
      assertThat(harness.extractOutputValues())
          .hasSize(1000)
          .allMatch(answer -> answer.label() == null && answer.version().equals("0"));
      for (int i = 0; i < 1000; i++) {
        String label = i % 2 == 0 ? "even" : "odd";
        harness.processElement2(new StreamRecord<>(LateLabel.of("k", (double) i, label, 1)));
      }
      harness.processElement1(new StreamRecord<>(AvmRow.of("k", columns("b", "y"), null)));
      assertThat(dead(harness)).isEmpty();
      assertThat(last(harness).version()).isEqualTo("1000");
      assertThat(last(harness).label()).isEqualTo("odd");
      assertThat(function.metrics().refusedByKind()).isEmpty();
    }
  }

  @Test
  void aRowThatNoLabelCouldHelpDoesNotWait() throws Exception {
    LateLabelFunction function = new LateLabelFunction(SMALL);
    try (var harness = harness(function)) {
      AvmRow absurd = AvmRow.of("k", columns("a", 1e300), null).withId(1);
      harness.processElement1(new StreamRecord<>(absurd));
      assertThat(lastDead(harness).kind()).isEqualTo("value");
      assertThat(harness.numKeyedStateEntries()).isZero();
      AvmRow good = AvmRow.of("k", columns("a", 1), null).withId(1);
      harness.processElement1(new StreamRecord<>(good));
      harness.processElement1(new StreamRecord<>(good));
      assertThat(lastDead(harness).kind()).isEqualTo("id");
      harness.processElement2(new StreamRecord<>(new LateLabel("k", "1", 1, -1)));
      assertThat(lastDead(harness).kind()).isEqualTo("weight");
      assertThat(function.metrics().refusedByKind())
          .isEqualTo(Map.of("value", 1L, "id", 1L, "weight", 1L));
    }
  }

  @Test
  void rowsThatNeedNoLabelAreLearnedOnceAndDoNotWait() throws Exception {
    LearnerRecipe anomalies = LearnerRecipe.of(LearnerSpec.of(Map.of("task", "anomaly")));
    try (var harness = harness(new LateLabelFunction(LearnOptions.of(anomalies)))) {
      AvmRow row = AvmRow.of("k", Features.dense(1, 2), null);
      harness.processElement1(new StreamRecord<>(row.withId(1)));
      harness.processElement2(new StreamRecord<>(LateLabel.of("k", 1, 1, 1)));
      harness.processElement1(new StreamRecord<>(row));
      assertThat(last(harness).version()).isEqualTo("1");
    }
  }

  @Test
  void anIdIsTheSameAsANumberAndAsAText() {
    AvmRow row = AvmRow.of("k", Features.dense(1), 1);
    for (Object id : new Object[] {677, 677.0, 677f, 677L, "677", new BigDecimal("677.00")}) {
      assertThat(row.withId(id).id()).isEqualTo("677");
      assertThat(LateLabel.of("k", id, 1, 1).id()).isEqualTo("677");
    }
    assertThat(row.withId(9007199254740993L).id()).isEqualTo("9007199254740993");
    assertThat(row.withId("007").id()).isEqualTo("007");
    assertThat(row.withId(null).id()).isNull();
  }

  /** Another key after the network than before it would belong to another subtask. */
  @Test
  void keysAndIdsWithHalfASurrogatePairAreRefused() {
    AvmRow row = AvmRow.of("k", Features.dense(1), 1);
    assertThatThrownBy(() -> row.withKey("\ud800")).hasMessageContaining("U+D800");
    assertThatThrownBy(() -> row.withId("a\udc00")).hasMessageContaining("U+DC00");
    assertThatThrownBy(() -> LateLabel.of("k", "\ud800", 1, 1)).hasMessageContaining("the id");
    assertThat(row.withKey("\ud83d\ude00").key()).hasSize(2);
  }

  @Test
  void anExceptionDownstreamFailsTheJob() throws Exception {
    try (var harness = harness(new FailingDownstream())) {
      assertThatThrownBy(() -> take(harness, AvmRow.of("k", Features.dense(1), 1)))
          .hasStackTraceContaining("downstream");
      assertThat(dead(harness)).isEmpty();
    }
  }

  /** What an operator behind this one throws comes out of the collector. */
  private static final class FailingDownstream
      extends KeyedProcessFunction<String, AvmRow, AvmAnswer> {
    private static final long serialVersionUID = 1L;
    private transient KeyedLearning learning;

    @Override
    public void open(OpenContext context) {
      learning = new KeyedLearning(SMALL, getRuntimeContext());
    }

    @Override
    public void processElement(AvmRow row, Context context, Collector<AvmAnswer> out)
        throws Exception {
      learning.take(row, new Failing(), context::output);
    }
  }

  private static final class Failing implements Collector<AvmAnswer> {
    @Override
    public void collect(AvmAnswer answer) {
      throw new IllegalArgumentException("downstream");
    }

    @Override
    public void close() {}
  }

  @Test
  void namedRowsAreRefusedByALearnerThatLearnedByIndex() throws Exception {
    try (var harness = harness(new AvmFunction(SMALL))) {
      take(harness, AvmRow.of("k", Features.dense(1, 2), 1));
      take(harness, AvmRow.of("k", columns("a", 1), 1));
      assertThat(lastDead(harness).kind()).isEqualTo("columns");
      take(harness, AvmRow.of("k", columns("a", 1), null));
      assertThat(dead(harness)).hasSize(2).allMatch(letter -> letter.kind().equals("columns"));
    }
  }

  @Test
  void onlyARowThatMakesTheModelTooWideIsRefused() throws Exception {
    Map<String, Object> wide = new LinkedHashMap<>();
    for (int i = 0; i < 65_535; i++) {
      wide.put("c" + i, 1.0);
    }
    try (var harness = harness(new AvmFunction(SMALL))) {
      take(harness, AvmRow.of("k", wide, 1));
      take(harness, AvmRow.of("k", columns("c0", 1, "c1", 2, "c2", 3), -1));
      take(harness, AvmRow.of("k", columns("c0", 1, "last", 2), -1));
      assertThat(dead(harness)).isEmpty();
      take(harness, AvmRow.of("k", columns("c0", 1, "one more", 2), -1));
      assertThat(lastDead(harness).kind()).isEqualTo("limit");
      take(harness, AvmRow.of("k", columns("c0", 1, "last", 2), -1));
      assertThat(dead(harness)).hasSize(1);
    }
  }

  @Test
  void aLongReasonIsCutAsALongRowIs() {
    String text = "x".repeat(100_000);
    DeadLetter letter = new DeadLetter(text, "label", text);
    assertThat(letter.row().length() + letter.reason().length()).isLessThan(12_000);
    assertThat(Arrays.asList(letter.row(), letter.reason())).allMatch(cut -> cut.endsWith("…"));
  }
}
