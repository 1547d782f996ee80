package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is learned on a cluster is what the library alone learns, whatever happens to the job. */
@Tag("slow")
class RecoveryTest {
  private static final int KEYS = 17;
  private static final LearnOptions OPTIONS =
      LearnOptions.of(LearnerRecipe.of(TestStream.SMALL)).withModelsEvery(100);

  @TempDir Path folder;

  @Test
  void afterFailuresEveryRowIsAnsweredOnceAndModelsAreTheSameBitForBit() throws Exception {
    int n = 10_000;
    Configuration config = new Configuration();
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 100);
    config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(20));
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2, config);
    Failing.failures.set(0);
    DataStream<AvmRow> rows =
        TestStream.rows(env, KEYS, 0, n, 8_000).map(new Failing(n)).setParallelism(1);
    SingleOutputStreamOperator<AvmAnswer> answers = AvmStreams.learn(rows, OPTIONS);
    List<AvmAnswer> found = new ArrayList<>();
    List<ModelUpdate> models = new ArrayList<>();
    CloseableIterator<AvmAnswer> all = answers.collectAsync();
    CloseableIterator<ModelUpdate> sent = answers.getSideOutput(AvmStreams.MODELS).collectAsync();
    env.executeAsync();
    all.forEachRemaining(found::add);
    sent.forEachRemaining(models::add);
    all.close();
    sent.close();
    assertThat(Failing.failures.get()).isEqualTo(Failing.TIMES);
    Map<String, AvmAnswer> expected =
        TestStream.expected(TestStream.list(KEYS, n), OPTIONS.recipe());
    assertThat(found).hasSize(n);
    found.forEach(answer -> assertThat(answer).isEqualTo(expected.get(answer.id())));
    assertModels(models, n);
  }

  private static void assertModels(Collection<ModelUpdate> models, int n) {
    Map<String, byte[]> sent = new HashMap<>();
    models.forEach(model -> sent.put(model.key() + "@" + model.version(), model.bytes()));
    TestStream.Reference alone = new TestStream.Reference(OPTIONS.recipe());
    int compared = 0;
    Map<String, Integer> counts = new HashMap<>();
    for (AvmRow row : TestStream.list(KEYS, n)) {
      alone.take(row);
      int count = counts.merge(row.key(), 1, Integer::sum);
      if (count % 100 == 0) {
        byte[] expected = alone.learners().get(row.key()).toBytes();
        assertThat(Arrays.equals(sent.get(row.key() + "@" + count), expected)).isTrue();
        compared++;
      }
    }
    assertThat(models).hasSize(compared);
    assertThat(compared).isGreaterThan(KEYS);
  }

  /** The rescaling that a job may go through. */
  enum Ttl {
    NONE,
    LONG
  }

  @ParameterizedTest
  @EnumSource(Ttl.class)
  void aSavepointOfTwoSubtasksGoesOnWithFourAndThenWithOne(Ttl ttl) throws Exception {
    LearnOptions options = ttl == Ttl.NONE ? OPTIONS : OPTIONS.withTimeToLive(Duration.ofDays(1));
    int n = 4000;
    Map<String, AvmAnswer> found = new HashMap<>();
    String savepoint = null;
    for (int parallelism : new int[] {2, 4, 1}) {
      Configuration config = new Configuration();
      if (savepoint != null) {
        config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
      }
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.createLocalEnvironment(parallelism, config);
      env.setMaxParallelism(128);
      boolean isLast = parallelism == 1;
      String name = "rescale-" + ttl + parallelism;
      Collection<AvmAnswer> answers =
          Collected.of(
              AvmStreams.learn(TestStream.rows(env, KEYS, 0, n, isLast ? 0 : 2500), options),
              "rescale");
      JobClient job = env.executeAsync(name);
      if (isLast) {
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
      } else {
        int wanted = 800;
        while (answers.size() < wanted) {
          Thread.sleep(10);
        }
        savepoint =
            job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
      }
      answers.forEach(answer -> assertThat(found.put(answer.id(), answer)).isNull());
    }
    assertThat(found).isEqualTo(TestStream.expected(TestStream.list(KEYS, n), options.recipe()));
  }

  /** Fails a few times, each time after a checkpoint more. */
  private static final class Failing extends RichMapFunction<AvmRow, AvmRow>
      implements MapFunction<AvmRow, AvmRow>, CheckpointListener {
    static final int TIMES = 3;
    static final AtomicInteger failures = new AtomicInteger();
    private static final long serialVersionUID = 1L;

    private final long n;
    private transient volatile boolean isDue;

    Failing(long n) {
      this.n = n;
    }

    @Override
    public AvmRow map(AvmRow row) {
      if (isDue && failures.get() < TIMES && Long.parseLong(row.id()) < n) {
        failures.incrementAndGet();
        throw new IllegalStateException("injected");
      }
      return row;
    }

    @Override
    public void notifyCheckpointComplete(long id) {
      isDue = true;
    }
  }
}
