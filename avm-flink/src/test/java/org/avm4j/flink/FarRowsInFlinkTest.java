package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.avm4j.Features;
import org.avm4j.pipeline.Pipeline;
import org.junit.jupiter.api.Test;

/** Answers to rows that are far from everything learned say so. */
@SuppressWarnings("try")
class FarRowsInFlinkTest {
  private static final AvmRow FAR = AvmRow.of("key-0", Features.dense(1e6, 1e6, 1e6), null);

  @Test
  void aLearnerTellsFarRows() throws Exception {
    try (var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(
                new AvmFunction(LearnOptions.of(LearnerRecipe.of(TestStream.SMALL)))),
            AvmRow::key,
            Types.STRING)) {
      harness.open();
      harness.processElement(new StreamRecord<>(FAR));
      for (AvmRow row : TestStream.list(1, 40)) {
        harness.processElement(new StreamRecord<>(row));
      }
      harness.processElement(new StreamRecord<>(FAR));
      List<AvmAnswer> answers = harness.extractOutputValues();
      assertThat(answers.get(0).isFar()).as("nothing is known yet").isFalse();
      assertThat(answers.get(40).isFar()).isFalse();
      assertThat(answers.get(41).isFar()).isTrue();
      assertThat(answers.get(41).label()).isNotNull();
    }
  }

  @Test
  void aFrozenModelTellsFarRows() throws Exception {
    Pipeline learner = LearnerRecipe.of(TestStream.SMALL).create();
    for (AvmRow row : TestStream.list(1, 40)) {
      learner.learn(TestStream.features(row), (Double) row.label(), 1);
    }
    ModelUpdate model = new ModelUpdate("m", "1", learner.snapshot().toBytes());
    try (var harness =
        new BroadcastOperatorTestHarness<>(
            new CoBroadcastWithNonKeyedOperator<>(
                new ScoreFunction(model), List.of(ScoreFunction.MODEL)),
            1,
            1,
            0)) {
      harness.open();
      harness.processElement(new StreamRecord<>(TestStream.row(41, 1)));
      harness.processElement(new StreamRecord<>(FAR));
      assertThat(harness.extractOutputValues())
          .extracting(AvmAnswer::isFar)
          .containsExactly(false, true);
    }
  }
}
