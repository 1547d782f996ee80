package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.avm4j.Features;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of automatic mode answers in {@code score} as it does in {@code avm predict}. */
@SuppressWarnings("try")
class DetachedScoringTest {
  private static final int LEARNED = 3000;
  private static final int ASKED = 40;

  @TempDir Path folder;

  private Path saved() throws Exception {
    Pipeline learner = LearnerRecipe.automatic().create();
    for (AvmRow row : TestStream.list(1, LEARNED)) {
      learner.learn(TestStream.features(row), (Double) row.label(), 1);
    }
    Path file = folder.resolve("automatic.avm");
    learner.save(file);
    return file;
  }

  @Test
  void theLatestLabelOfTheStreamDoesNotCount() throws Exception {
    Path file = saved();
    PreparedModel mixture = PreparedModel.load(file);
    PreparedModel detached = mixture.detached();
    ModelUpdate first = new ModelUpdate("m", "1", Files.readAllBytes(file));
    try (var harness =
        new BroadcastOperatorTestHarness<>(
            new CoBroadcastWithNonKeyedOperator<>(
                new ScoreFunction(first), List.of(ScoreFunction.MODEL)),
            1,
            1,
            0)) {
      harness.open();
      int different = 0;
      for (int i = 0; i < ASKED; i++) {
        AvmRow asked = TestStream.row(LEARNED + i, 1);
        harness.processElement(new StreamRecord<>(asked));
        Features x = TestStream.features(asked);
        double score = harness.extractOutputValues().get(i).scores()[0];
        assertThat(score).isEqualTo(detached.score(x)[0]);
        different += score == mixture.score(x)[0] ? 0 : 1;
      }
      assertThat(different).isPositive();
    }
  }
}
