package org.avm4j.flink.job;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;
import org.avm4j.flink.RegionRouter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code avm flink regions}: learns one model that is split by region. */
@Command(
    name = "regions",
    description = {
      "Answer and learn a stream with one model that is split into regions.",
      "A tree that 'avm online' or 'avm train --average 1' learned from a sample routes each row"
          + " to its region. Each region continues learning from that tree on its own."
    })
final class RegionsCommand implements Callable<Integer> {
  private static final int MAX_PARALLELISM = 128;

  @Mixin Endpoints ends = new Endpoints();
  @Mixin LearnCommand.KeyedFlags keyed = new LearnCommand.KeyedFlags();

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "FILE",
      description = "Saved learner with a tree, as created by automatic mode.")
  Path model;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "32",
      description =
          "Number of regions, at most the number of leaves of the tree. Default:"
              + " ${DEFAULT-VALUE}.")
  int regions;

  @Override
  public Integer call() throws Exception {
    keyed.check(ends);
    StreamExecutionEnvironment env = ends.environment();
    int most = env.getMaxParallelism() > 0 ? env.getMaxParallelism() : MAX_PARALLELISM;
    env.setMaxParallelism(most);
    RegionRouter router = RegionRouter.load(model, regions, most);
    SingleOutputStreamOperator<AvmRow> rows = ends.rows(env);
    DataStream<DeadLetter> malformed = rows.getSideOutput(AvmStreams.DEAD_LETTERS);
    keyed.learn(env, ends, router.route(rows), malformed, keyed.options(router.recipe()));
    env.execute("avm regions");
    return 0;
  }
}
