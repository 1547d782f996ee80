package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.batch.BatchNewton;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums over partitions give the model of one machine, whatever the parallelism. */
@Tag("slow")
class BatchStreamsTest {
  private static final int N = 5000;
  private static final int SAMPLE = 500;
  private static final int PASSES = 4;
  private static final AvmOptions OPTIONS =
      AvmOptions.binary()
          .kernel(Kernel.gaussian(1))
          .update(Update.newton(0.1))
          .coverage(Coverage.sphere(0.05))
          .maxSize(60, Limit.APPROXIMATE)
          .build();

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void partitionsGiveTheModelOfOneMachine(int parallelism) throws Exception {
    AvmModel alone = alone(OPTIONS);
    BatchNewton batch = covered(OPTIONS);
    AvmModel together =
        BatchStreams.train(
            batch,
            env -> TestStream.rows(env, 1, 0, N, 0).rebalance(),
            () -> StreamExecutionEnvironment.createLocalEnvironment(parallelism),
            PASSES);
    assertClose(together, alone);
  }

  @Test
  void sumsThatTravelAsBytesGiveTheSameModelForAllTasks() throws Exception {
    AvmOptions regression = OPTIONS.change().task(Task.regression()).loss(Loss.absolute()).build();
    AvmOptions several = OPTIONS.change().task(Task.multiclass()).build();
    for (AvmOptions options : List.of(OPTIONS, regression, several)) {
      BatchNewton batch = covered(options);
      for (int pass = 0; pass < PASSES; pass++) {
        BatchNewton.Sums first = BatchNewton.part(batch.toPart()).sums();
        BatchNewton.Sums second = BatchNewton.part(batch.toPart()).sums();
        for (AvmRow row : TestStream.list(1, N)) {
          (Long.parseLong(row.id()) < N / 3 ? first : second).add(x(row), (Double) row.label());
        }
        BatchNewton.Sums sums = batch.sums(first.toBytes());
        sums.merge(batch.sums(second.toBytes()));
        batch.solve(sums);
      }
      assertClose(batch.model(), alone(options));
    }
  }

  private static BatchNewton covered(AvmOptions options) {
    BatchNewton batch = new BatchNewton(options);
    TestStream.list(1, SAMPLE).forEach(row -> batch.cover(x(row), (Double) row.label()));
    return batch;
  }

  private static AvmModel alone(AvmOptions options) {
    BatchNewton batch = covered(options);
    for (int pass = 0; pass < PASSES; pass++) {
      BatchNewton.Sums sums = batch.sums();
      TestStream.list(1, N).forEach(row -> sums.add(x(row), (Double) row.label()));
      if (batch.solve(sums)) {
        break;
      }
    }
    return batch.model();
  }

  private static void assertClose(AvmModel found, AvmModel expected) {
    assertThat(found.size()).isEqualTo(expected.size());
    for (AvmRow row : TestStream.list(1, 200)) {
      double[] scores = expected.score(x(row));
      double[] its = found.score(x(row));
      for (int c = 0; c < scores.length; c++) {
        assertThat(its[c]).isCloseTo(scores[c], within(1e-9));
      }
    }
    assertThat(found.status().instances()).isEqualTo(expected.status().instances());
  }

  private static Features x(AvmRow row) {
    return TestStream.features(row);
  }
}
