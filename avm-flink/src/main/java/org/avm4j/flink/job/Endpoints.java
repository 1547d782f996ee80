package org.avm4j.flink.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;
import org.avm4j.flink.LateLabel;
import org.avm4j.flink.ModelUpdate;
import org.avm4j.io.Compression;
import picocli.CommandLine.Option;

/** The flags for the source of rows and the sink of answers. */
final class Endpoints {
  @Option(
      names = "--in",
      required = true,
      paramLabel = "PLACE",
      description = "Where to read rows from: kafka:TOPIC, a file, or a folder of files.")
  String in;

  @Option(
      names = "--out",
      paramLabel = "PLACE",
      description =
          "Where to write answers, one JSON object per line: kafka:TOPIC or a folder. Default:"
              + " nowhere.")
  String out;

  @Option(
      names = "--dead-letters",
      paramLabel = "PLACE",
      description =
          "Where to write refused rows with the reason: kafka:TOPIC or a folder. Default:"
              + " nowhere.")
  String deadLetters;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "The Kafka brokers.")
  String kafka;

  @Option(
      names = "--kafka-limit",
      paramLabel = "BYTES",
      defaultValue = "1048576",
      description =
          "Maximum message size in bytes, as in the brokers' message.max.bytes. A larger answer"
              + " or model becomes a dead letter. Default: ${DEFAULT-VALUE}.")
  int kafkaLimit;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = "avm",
      description =
          "Consumer group, and prefix of the transaction names. Use the same name to resume a"
              + " job, and a different one for every other job. Default: ${DEFAULT-VALUE}.")
  String group;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description =
          "Input format: json, csv or libsvm. Default: derived from the file name, such as"
              + " rows.csv or rows.libsvm.gz, else json.")
  String format;

  @Option(
      names = "--columns",
      paramLabel = "A,B,...",
      split = ",",
      description =
          "The columns in order. Required for CSV from Kafka; a CSV file has them in its first"
              + " line. JSON rows with any other column are refused.")
  String[] columns;

  @Option(
      names = "--key",
      paramLabel = "COLUMN",
      description = "Column with the key of the learner. Default: one learner for all rows.")
  String key;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      defaultValue = "label",
      description = "Label column. Default: ${DEFAULT-VALUE}.")
  String label;

  @Option(
      names = "--id",
      paramLabel = "COLUMN",
      defaultValue = "id",
      description = "Id column. Default: ${DEFAULT-VALUE}.")
  String id;

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      defaultValue = "weight",
      description = "Weight column. Default: ${DEFAULT-VALUE}.")
  String weight;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Number of parallel subtasks. Default: the setting of the cluster.")
  Integer parallelism;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "TIME",
      converter = Time.class,
      description = "Time between two checkpoints. Default: the setting of the cluster, else 10s.")
  Duration checkpointEvery;

  /** How far messages may be out of order in event time; null for processing time. */
  Duration lateness;

  StreamExecutionEnvironment environment() {
    Connectors.checkInput(in);
    Configuration config = new Configuration();
    if (LocalState.isLocal()) {
      LocalState.into(config);
    }
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
    env.getConfig().enableObjectReuse();
    if (parallelism != null) {
      env.setParallelism(parallelism);
    }
    if (checkpointEvery != null || !env.getCheckpointConfig().isCheckpointingEnabled()) {
      Duration time = checkpointEvery == null ? Duration.ofSeconds(10) : checkpointEvery;
      env.enableCheckpointing(time.toMillis());
    }
    return env;
  }

  Connectors connectors() {
    return new Connectors(kafka, group, kafkaLimit, lateness);
  }

  SingleOutputStreamOperator<AvmRow> rows(StreamExecutionEnvironment env) throws IOException {
    RowFormat rows = rowFormat();
    return parsed(env, in, "rows", new RowParsing<>(rows::row), AvmRow.class);
  }

  SingleOutputStreamOperator<LateLabel> labels(StreamExecutionEnvironment env, String place) {
    Connectors.checkInput(place);
    RowFormat json = new RowFormat(RowFormat.Form.JSON, List.of(), key, label, id, weight);
    return parsed(env, place, "labels", new RowParsing<>(json::lateLabel), LateLabel.class);
  }

  SingleOutputStreamOperator<ModelUpdate> models(StreamExecutionEnvironment env, String place) {
    Connectors.checkInput(place);
    return parsed(env, place, "control", new RowParsing<>(JsonLines::model), ModelUpdate.class);
  }

  /** Parses lines in order, with the same parallelism as the reader. */
  private <T> SingleOutputStreamOperator<T> parsed(
      StreamExecutionEnvironment env,
      String place,
      String name,
      RowParsing<T> parsing,
      Class<T> type) {
    SingleOutputStreamOperator<String> lines = connectors().read(env, place, name);
    return lines
        .process(parsing)
        .returns(TypeInformation.of(type))
        .setParallelism(lines.getParallelism())
        .name("parse " + name)
        .uid("parse-" + name);
  }

  RowFormat.Form form() {
    String name = format == null ? in.replaceFirst("\\.gz$", "") : "." + format;
    for (RowFormat.Form form : RowFormat.Form.values()) {
      if (name.toUpperCase(Locale.ROOT).endsWith("." + form)) {
        return form;
      }
    }
    if (format != null) {
      throw new IllegalArgumentException("--format must be json, csv or libsvm: " + format);
    }
    return RowFormat.Form.JSON;
  }

  RowFormat rowFormat() throws IOException {
    if (key != null) {
      checkColumn("--key", key);
    }
    return new RowFormat(form(), columns(), key, label, id, weight);
  }

  private List<String> columns() throws IOException {
    if (columns != null) {
      return Arrays.asList(columns);
    }
    return form() == RowFormat.Form.CSV ? header() : List.of();
  }

  /** Throws an exception if the rows are CSV without this column, before the job starts. */
  void checkColumn(String option, String column) throws IOException {
    if (form() == RowFormat.Form.CSV && !columns().contains(column)) {
      throw new IllegalArgumentException(
          option + ": there is no column '" + column + "' among " + columns());
    }
  }

  private List<String> header() throws IOException {
    Path file = Connectors.isKafka(in) || in.contains("://") ? null : Path.of(in);
    if (file == null || Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "--columns A,B,... is required for CSV that is not read from a file");
    }
    try (BufferedReader reader = reader()) {
      List<String> names =
          reader
              .lines()
              .filter(line -> !line.isBlank())
              .findFirst()
              .map(RowFormat::csvFields)
              .orElse(List.of());
      if (names.contains("") || new HashSet<>(names).size() < names.size()) {
        throw new JobFailure(
            JobFailure.BAD_DATA,
            in + ": the header must give each column a unique name, found " + names);
      }
      return names;
    }
  }

  /** Reads the local file of rows, unpacked. */
  BufferedReader reader() throws IOException {
    Connectors.checkInput(in);
    InputStream file = Files.newInputStream(Path.of(in));
    InputStream plain = in.endsWith(".gz") ? Compression.unpack(in, file) : file;
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
  }

  /** Writes answers, and the dead letters of answers, parsers and sinks. */
  void write(SingleOutputStreamOperator<AvmAnswer> answers, List<DataStream<DeadLetter>> refused) {
    DataStream<DeadLetter> all = answers.getSideOutput(AvmStreams.DEAD_LETTERS);
    for (DataStream<DeadLetter> more : refused) {
      all = all.union(more);
    }
    if (out != null) {
      DataStream<Line> lines =
          answers
              .map(answer -> new Line(answer.key(), JsonLines.of(answer)))
              .returns(Line.class)
              .name("write answers");
      for (DataStream<DeadLetter> tooLarge : connectors().write(lines, out, "answers")) {
        all = all.union(tooLarge);
      }
    }
    if (deadLetters != null) {
      DataStream<Line> lines =
          all.map(letter -> new Line("", JsonLines.of(letter)))
              .returns(Line.class)
              .name("write dead letters");
      connectors().write(lines, deadLetters, "dead-letters");
    }
  }
}
