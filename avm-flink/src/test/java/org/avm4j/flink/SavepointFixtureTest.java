package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A savepoint of the first version goes on as if the job had never stopped. It is never written
 * anew.
 */
class SavepointFixtureTest {
  private static final Path FROZEN = Path.of("src/test/resources/savepoint-v1");
  private static final int KEYS = 4;
  private static final int BEFORE = 400;
  private static final int ALL = 700;
  private static final LearnOptions OPTIONS = LearnOptions.of(LearnerRecipe.of(TestStream.SMALL));

  @TempDir Path folder;

  @Test
  void aSavepointOfTheFirstVersionGoesOn() throws Exception {
    if (System.getProperty("fixture.write") != null) {
      write();
    }
    Path copy = folder.resolve("savepoint");
    Files.createDirectories(copy);
    Files.copy(FROZEN.resolve("_metadata"), copy.resolve("_metadata"));
    Configuration config = new Configuration();
    config.set(StateRecoveryOptions.SAVEPOINT_PATH, copy.toUri().toString());
    config.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2, config);
    env.setMaxParallelism(128);
    Collection<AvmAnswer> answers =
        Collected.of(
            AvmStreams.learn(
                TestStream.rows(env, KEYS, BEFORE, ALL - BEFORE, 0, "rows-after"), OPTIONS),
            "fixture");
    env.execute();
    Map<String, AvmAnswer> expected = new HashMap<>();
    List<AvmRow> rows = TestStream.list(KEYS, ALL);
    TestStream.expected(rows, OPTIONS.recipe())
        .forEach(
            (id, answer) -> {
              if (Long.parseLong(id) >= BEFORE) {
                expected.put(id, answer);
              }
            });
    Map<String, AvmAnswer> found = new HashMap<>();
    answers.forEach(answer -> found.put(answer.id(), answer));
    assertThat(found).isEqualTo(expected);
  }

  /** The first row of a very slow source becomes all rows, so that it stops after exactly those. */
  private void write() throws Exception {
    assertThat(FROZEN).as("a frozen savepoint is never written anew").doesNotExist();
    Configuration config = new Configuration();
    config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.parse("1m"));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, config);
    env.setMaxParallelism(128);
    Collection<AvmAnswer> answers =
        Collected.of(
            AvmStreams.learn(
                TestStream.rows(env, KEYS, 0, 1_000_000, 0.01, "rows-before")
                    .flatMap(
                        (AvmRow first, Collector<AvmRow> out) ->
                            TestStream.list(KEYS, first.id().equals("0") ? BEFORE : 0)
                                .forEach(out::collect))
                    .returns(new ValueType<>(AvmRow.class)),
                OPTIONS),
            "fixture-write");
    JobClient job = env.executeAsync();
    while (answers.size() < BEFORE) {
      Thread.sleep(20);
    }
    String savepoint =
        job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    Files.createDirectories(FROZEN);
    Path metadata = Path.of(URI.create(savepoint)).resolve("_metadata");
    Files.copy(metadata, FROZEN.resolve("_metadata"));
  }
}
