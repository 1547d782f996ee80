package org.avm4j.flink.job;

import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.LearnOptions;
import org.avm4j.flink.LearnerRecipe;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm flink demo}: learns a generated stream on a local cluster in this process. */
@Command(
    name = "demo",
    description = {
      "Learn a generated stream with drift, with one learner per key.",
      "Flink runs inside this process. Its page shows the job and the metrics of avm. Kafka is"
          + " not needed. Press Ctrl-C to stop."
    })
final class FlinkDemoCommand implements Callable<Integer> {
  @Option(names = "--port", defaultValue = "8081", description = "Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(names = "--keys", defaultValue = "20", description = "Default: ${DEFAULT-VALUE}.")
  int keys;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Rows per second. Default: ${DEFAULT-VALUE}.")
  int rate;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      description = "Number of rows after which the demo ends. Default: it never ends.")
  long rows;

  @Option(names = "--parallelism", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}.")
  int parallelism;

  @Override
  public Integer call() throws Exception {
    Configuration config = LocalState.into(new Configuration());
    config.set(RestOptions.PORT, port);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironmentWithWebUI(config);
    env.setParallelism(parallelism);
    env.getConfig().enableObjectReuse();
    env.enableCheckpointing(5000);
    LearnerRecipe recipe = LearnerRecipe.of(LearnerSpec.automatic());
    DataStream<AvmAnswer> answers = AvmStreams.learn(rows(env), LearnOptions.of(recipe));
    DemoBoard.reset();
    answers.map(DemoBoard::count).returns(Long.class).sinkTo(new DiscardingSink<>());
    JobClient job = env.executeAsync("avm demo");
    System.out.println("Flink's page: http://localhost:" + port + " (metrics: the task 'avm')");
    System.out.println("   rows   mistakes in the last 10,000");
    DemoBoard.watch(job, System.out::println);
    return 0;
  }

  private DataStream<AvmRow> rows(StreamExecutionEnvironment env) {
    int many = keys;
    long period = 40L * rate;
    DataGeneratorSource<AvmRow> source =
        new DataGeneratorSource<>(
            i -> GeneratedRows.drifting(i, many, period),
            rows,
            RateLimiterStrategy.perSecond(rate),
            TypeInformation.of(AvmRow.class));
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows").setParallelism(1);
  }
}
