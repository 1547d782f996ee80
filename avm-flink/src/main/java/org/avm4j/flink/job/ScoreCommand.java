package org.avm4j.flink.job;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.avm4j.Model;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.ModelUpdate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code avm flink score}: scores a stream with a frozen model that can be replaced. */
@Command(
    name = "score",
    description = {
      "Score a stream with a model that a control topic can replace.",
      "Each answer includes the version of its model."
    })
final class ScoreCommand implements Callable<Integer> {
  @Mixin Endpoints ends = new Endpoints();

  @Option(
      names = {"-m", "--model"},
      paramLabel = "FILE",
      description = "The first model. Its version is the file name.")
  Path model;

  @Option(
      names = "--control",
      paramLabel = "PLACE",
      description =
          "Where to read new models from, as written by learn --models: kafka:TOPIC or a file.")
  String control;

  @Override
  public Integer call() throws Exception {
    if (model == null && control == null) {
      throw new IllegalArgumentException("--model FILE or --control PLACE is required");
    }
    StreamExecutionEnvironment env = ends.environment();
    SingleOutputStreamOperator<AvmRow> rows = ends.rows(env);
    SingleOutputStreamOperator<ModelUpdate> updates =
        control == null
            ? env.fromSequence(0, 0).process(new NoUpdates())
            : ends.models(env, control);
    SingleOutputStreamOperator<AvmAnswer> answers = AvmStreams.score(rows, updates, first());
    ends.write(
        answers,
        List.of(
            rows.getSideOutput(AvmStreams.DEAD_LETTERS),
            updates.getSideOutput(AvmStreams.DEAD_LETTERS)));
    env.execute("avm score");
    return 0;
  }

  private ModelUpdate first() throws Exception {
    if (model == null) {
      return null;
    }
    Model.load(model);
    String version = model.getFileName().toString();
    return new ModelUpdate("model", version, Files.readAllBytes(model));
  }

  /** A stream of updates that stays empty. */
  private static final class NoUpdates extends ProcessFunction<Long, ModelUpdate> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(Long number, Context context, Collector<ModelUpdate> out) {}
  }
}
