package org.avm4j.flink.job;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;
import org.avm4j.flink.LateLabel;
import org.avm4j.flink.LearnMode;
import org.avm4j.flink.LearnOptions;
import org.avm4j.flink.LearnerRecipe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code avm flink learn}: answers and learns a stream, with a learner for each key. */
@Command(
    name = "learn",
    description = {
      "Answer and learn a stream, with one learner per key.",
      "Each row is answered, then learned. Answers, dead letters and models are written exactly"
          + " once."
    })
final class LearnCommand implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Endpoints ends = new Endpoints();
  @Mixin KeyedFlags keyed = new KeyedFlags();

  @Option(
      names = "--warm-start",
      paramLabel = "FILE",
      description = "Saved learner with which every key starts.")
  Path warmStart;

  @Override
  public Integer call() throws Exception {
    keyed.check(ends);
    StreamExecutionEnvironment env = ends.environment();
    keyed.learn(env, ends, ends.rows(env), keyed.options(recipe()));
    env.execute("avm learn");
    return 0;
  }

  private LearnerRecipe recipe() throws IOException {
    return warmStart == null
        ? LearnerRecipe.of(LearnerWords.spec(spec))
        : LearnerRecipe.warmStart(warmStart);
  }

  /** The flags of a stream that learns by key or by region. */
  static final class KeyedFlags {
    @Option(
        names = "--mode",
        paramLabel = "NAME",
        defaultValue = "both",
        description = "What to do with rows: both, answer or learn. Default: ${DEFAULT-VALUE}.")
    String mode;

    @Option(
        names = "--labels",
        paramLabel = "PLACE",
        description =
            "Where to read late labels from, as JSON with the columns of --key, --id and --label:"
                + " kafka:TOPIC or a file.")
    String labels;

    @Option(
        names = "--label-timeout",
        paramLabel = "TIME",
        converter = Time.class,
        defaultValue = "1h",
        description = "How long a row waits for its label. Default: ${DEFAULT-VALUE}.")
    Duration labelTimeout;

    @Option(
        names = "--event-time",
        paramLabel = "TIME",
        converter = Time.class,
        description =
            "Let labels time out by the timestamps of Kafka messages instead of the clock."
                + " Messages may be out of order by up to this time.")
    Duration eventTime;

    @Option(
        names = "--expired",
        paramLabel = "PLACE",
        description =
            "Where to write rows whose label did not arrive in time and labels without a row, one"
                + " JSON object per line: kafka:TOPIC or a folder.")
    String expired;

    @Option(
        names = "--ttl",
        paramLabel = "TIME",
        converter = Time.class,
        description = "Forget a key after this time without rows. Default: never.")
    Duration ttl;

    @Option(
        names = "--models",
        paramLabel = "PLACE",
        description =
            "Where to write learners for score --control, one JSON object per line: kafka:TOPIC"
                + " or a folder.")
    String models;

    @Option(
        names = "--models-every",
        paramLabel = "N",
        defaultValue = "10000",
        description =
            "Write the learner of a key to --models every N rows. Default: ${DEFAULT-VALUE}.")
    long modelsEvery;

    LearnOptions options(LearnerRecipe recipe) {
      return LearnOptions.of(recipe)
          .withMode(mode())
          .withTimeToLive(ttl)
          .withLabelTimeout(labelTimeout)
          .withLabelTime(eventTime == null ? TimeDomain.PROCESSING_TIME : TimeDomain.EVENT_TIME)
          .withModelsEvery(models == null ? 0 : modelsEvery);
    }

    /** Checks that the flags are compatible, and sets the event time of the endpoints. */
    void check(Endpoints ends) {
      if (labels == null && (eventTime != null || expired != null)) {
        throw new IllegalArgumentException(
            (eventTime != null ? "--event-time" : "--expired") + " needs --labels");
      }
      boolean hasTimestamps =
          Connectors.isKafka(ends.in) && labels != null && Connectors.isKafka(labels);
      if (eventTime != null && !hasTimestamps) {
        throw new IllegalArgumentException(
            "--event-time needs timestamps, which files do not have; read rows and labels from"
                + " Kafka");
      }
      ends.lateness = eventTime;
    }

    private LearnMode mode() {
      return switch (mode.toLowerCase(Locale.ROOT)) {
        case "both" -> LearnMode.BOTH;
        case "answer" -> LearnMode.ANSWER;
        case "learn" -> LearnMode.LEARN;
        default ->
            throw new IllegalArgumentException("--mode must be both, answer or learn: " + mode);
      };
    }

    void learn(
        StreamExecutionEnvironment env,
        Endpoints ends,
        SingleOutputStreamOperator<AvmRow> rows,
        LearnOptions options)
        throws IOException {
      learn(env, ends, rows, rows.getSideOutput(AvmStreams.DEAD_LETTERS), options);
    }

    /** Learns parsed rows, which may be routed to regions. */
    void learn(
        StreamExecutionEnvironment env,
        Endpoints ends,
        DataStream<AvmRow> rows,
        DataStream<DeadLetter> malformed,
        LearnOptions options)
        throws IOException {
      boolean rowsHaveLabels = labels == null && options.mode() != LearnMode.ANSWER;
      if (rowsHaveLabels && !options.recipe().create().task().isUnsupervised()) {
        ends.checkColumn("--label", ends.label);
      }
      List<DataStream<DeadLetter>> refused = new ArrayList<>(List.of(malformed));
      SingleOutputStreamOperator<AvmAnswer> answers;
      if (labels == null) {
        answers = AvmStreams.learn(rows, options);
      } else {
        SingleOutputStreamOperator<LateLabel> late = ends.labels(env, labels);
        refused.add(late.getSideOutput(AvmStreams.DEAD_LETTERS));
        answers = AvmStreams.learn(rows, late, options);
        if (expired != null) {
          refused.addAll(ends.connectors().write(expired(answers), expired, "expired"));
        }
      }
      if (models != null) {
        DataStream<Line> lines =
            answers
                .getSideOutput(AvmStreams.MODELS)
                .map(model -> new Line(model.key(), JsonLines.of(model)))
                .returns(Line.class)
                .name("write models");
        refused.addAll(ends.connectors().write(lines, models, "models"));
      }
      ends.write(answers, refused);
    }

    private static DataStream<Line> expired(SingleOutputStreamOperator<AvmAnswer> answers) {
      DataStream<Line> rows =
          answers
              .getSideOutput(AvmStreams.ROWS_WITHOUT_LABEL)
              .map(row -> new Line(row.key(), JsonLines.expired(row)))
              .returns(Line.class);
      DataStream<Line> labels =
          answers
              .getSideOutput(AvmStreams.LABELS_WITHOUT_ROW)
              .map(label -> new Line(label.key(), JsonLines.expired(label)))
              .returns(Line.class);
      return rows.union(labels);
    }
  }
}
