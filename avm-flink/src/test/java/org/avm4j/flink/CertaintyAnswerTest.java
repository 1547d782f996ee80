package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;

/** Answers say how sure they are, as the library alone does, where that was asked for. */
@SuppressWarnings("try")
class CertaintyAnswerTest {
  private static final int N = 400;

  private static LearnerRecipe recipe(String task) {
    return LearnerRecipe.of(
        LearnerSpec.of(
            Map.of("task", task, "gamma", 1, "delta", 0.01, "max-size", 12, "interval", 80)));
  }

  private static AvmRow row(int i, boolean isNumber) {
    AvmRow row = TestStream.row(i, 1);
    Features x = TestStream.features(row);
    double number = 3 * x.get(0) + x.get(1) * x.get(1);
    return isNumber ? AvmRow.of("key-0", x, number).withId(i) : row;
  }

  private static List<AvmAnswer> answers(LearnerRecipe recipe, boolean areNumbers)
      throws Exception {
    try (var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new AvmFunction(LearnOptions.of(recipe))),
            AvmRow::key,
            Types.STRING)) {
      harness.open();
      for (int i = 0; i < N; i++) {
        harness.processElement(new StreamRecord<>(row(i, areNumbers)));
      }
      return harness.extractOutputValues();
    }
  }

  @Test
  void numbersHaveIntervals() throws Exception {
    Pipeline alone = recipe("regression").create();
    List<AvmAnswer> answers = answers(recipe("regression"), true);
    int covered = 0;
    for (int i = 0; i < N; i++) {
      Features x = TestStream.features(row(i, true));
      double y = (Double) row(i, true).label();
      AvmAnswer answer = answers.get(i);
      if (i == 0) {
        assertThat(answer.interval()).isNull();
      } else {
        assertThat(answer.interval()).isEqualTo(alone.answer(x).interval(0.8));
        covered += answer.interval().contains(y) ? 1 : 0;
      }
      assertThat(answer.labels()).isNull();
      alone.learn(x, y, 1);
    }
    assertThat(covered).isBetween((int) (0.75 * N), (int) (0.85 * N));
  }

  @Test
  void classesHaveSets() throws Exception {
    Pipeline alone = recipe("binary").create();
    List<AvmAnswer> answers = answers(recipe("binary"), false);
    int single = 0;
    for (int i = 0; i < N; i++) {
      Features x = TestStream.features(row(i, false));
      AvmAnswer answer = answers.get(i);
      if (i > 0) {
        double[] labels = alone.answer(x).labels(0.8);
        assertThat(answer.labels()).containsExactly(Arrays.stream(labels).boxed().toArray());
        single += labels.length == 1 ? 1 : 0;
      }
      assertThat(answer.interval()).isNull();
      alone.learn(x, (Double) row(i, false).label(), 1);
    }
    assertThat(single).isGreaterThan(N / 4);
  }

  /** A frozen model cannot make up for misses, so that it has no debt. */
  @Test
  void aFrozenModelHasTheIntervalsOfRowsThatDoNotFollowTheStream() throws Exception {
    Pipeline learner = recipe("regression").create();
    for (int i = 0; i < N; i++) {
      learner.learn(TestStream.features(row(i, true)), (Double) row(i, true).label(), 1);
    }
    PreparedModel model = learner.snapshot();
    ScoreFunction function = new ScoreFunction(new ModelUpdate("m", "1", model.toBytes()));
    try (var harness =
        new BroadcastOperatorTestHarness<>(
            new CoBroadcastWithNonKeyedOperator<>(function, List.of(ScoreFunction.MODEL)),
            1,
            1,
            0)) {
      harness.open();
      AvmRow asked = row(N + 1, true);
      harness.processElement(new StreamRecord<>(asked));
      AvmAnswer answer = harness.extractOutputValues().get(0);
      Features x = TestStream.features(asked);
      Prediction detached = model.detached().answer(x);
      assertThat(answer.interval()).isEqualTo(detached.interval(0.8));
      assertThat(answer.interval()).isNotEqualTo(model.answer(x).interval(0.8));
    }
  }

  @Test
  void noneIsGivenWhereNoneWasAskedFor() throws Exception {
    List<AvmAnswer> answers = answers(LearnerRecipe.of(TestStream.SMALL), false);
    assertThat(answers).allMatch(answer -> answer.interval() == null && answer.labels() == null);
  }
}
