package org.avm4j.flink.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.BatchStreams;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code avm flink batch}: exact Newton passes over a data set in partitions. */
@Command(
    name = "batch",
    description = {
      "Train one model by exact Newton passes over partitioned rows.",
      "The first rows are the sample that determines core points, scaling and classes, so shuffle"
          + " the file first. '--in generate:N' generates N rows, to measure how training scales."
    })
final class BatchCommand implements Callable<Integer> {
  private static final String GENERATE = "generate:";

  @Spec CommandSpec spec;
  @Mixin Endpoints ends = new Endpoints();

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "FILE",
      description = "File to save the model to.")
  Path model;

  @Option(
      names = "--sample",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Number of rows in the sample. Default: ${DEFAULT-VALUE}.")
  int sample;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Maximum number of passes over the rows. Default: ${DEFAULT-VALUE}.")
  int passes;

  @Override
  public Integer call() throws Exception {
    if (!isGenerated()) {
      Connectors.checkInput(ends.in);
    }
    Schema schema = new Schema();
    List<Instance> first = encoded(sample(), schema);
    LearnerSpec typed = LearnerWords.spec(spec);
    LearnerSpec words = typed.has("max-size") ? typed : typed.with("max-size", 500);
    Survey survey = new Survey(words.scaling());
    first.forEach(row -> survey.add(row.features(), row.label()));
    DefaultRules rules = new DefaultRules(words, survey, schema, 0).single();
    Preparation preparation = rules.preparation();
    BatchNewton batch = new BatchNewton(rules.avmOptions());
    for (Instance row : first) {
      Features x = preparation.transform(row.features(), new Features.Buffer());
      batch.cover(x, preparation.labels().transform(row.label()));
    }
    RowPreparing preparing = new RowPreparing(preparation);
    long start = System.nanoTime();
    AvmModel trained =
        BatchStreams.train(batch, env -> rows(env, preparing), this::environment, passes);
    new PreparedModel(preparation.snapshot(), trained).save(model);
    System.out.printf(
        "%s%n%.1f seconds, written to %s%n", trained, (System.nanoTime() - start) / 1e9, model);
    return 0;
  }

  private boolean isGenerated() {
    return ends.in.startsWith(GENERATE);
  }

  private StreamExecutionEnvironment environment() {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.getConfig().enableObjectReuse();
    if (ends.parallelism != null) {
      env.setParallelism(ends.parallelism);
    }
    return env;
  }

  private DataStream<AvmRow> rows(StreamExecutionEnvironment env, RowPreparing preparing)
      throws IOException {
    return (isGenerated() ? generated(env) : read(env))
        .process(preparing)
        .returns(TypeInformation.of(AvmRow.class))
        .name("prepare");
  }

  private DataStream<AvmRow> generated(StreamExecutionEnvironment env) {
    DataGeneratorSource<AvmRow> source =
        new DataGeneratorSource<>(
            GeneratedRows::still, generatedRows(), TypeInformation.of(AvmRow.class));
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "generate");
  }

  private long generatedRows() {
    return Long.parseLong(ends.in.substring(GENERATE.length()));
  }

  /** Reads with one reader and parses on all subtasks, because the order of rows is irrelevant. */
  private DataStream<AvmRow> read(StreamExecutionEnvironment env) throws IOException {
    RowFormat format = ends.rowFormat();
    return ends.connectors()
        .read(env, ends.in, "rows")
        .rebalance()
        .process(new RowParsing<>(format::row))
        .returns(TypeInformation.of(AvmRow.class))
        .name("parse");
  }

  private List<AvmRow> sample() throws IOException {
    List<AvmRow> rows = new ArrayList<>();
    if (isGenerated()) {
      for (long i = 0; i < Math.min(sample, generatedRows()); i++) {
        rows.add(GeneratedRows.still(i));
      }
      return rows;
    }
    RowFormat format = ends.rowFormat();
    ends.checkColumn("--label", ends.label);
    try (BufferedReader lines = ends.reader()) {
      for (String line = lines.readLine();
          line != null && rows.size() < sample;
          line = lines.readLine()) {
        if (!line.isBlank()) {
          addIfValid(format, line, rows);
        }
      }
    }
    return rows;
  }

  /** Encodes the rows of the sample; refused rows are skipped and add nothing to the schema. */
  private List<Instance> encoded(List<AvmRow> rows, Schema schema) {
    RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);
    List<Instance> encoded = new ArrayList<>();
    for (AvmRow row : rows) {
      schema.begin();
      try {
        Features x = row.values().encode(encoder);
        encoded.add(new Instance(x, encoder.label(row.label())));
        schema.commit();
      } catch (IllegalArgumentException refused) {
        schema.rollback();
      }
    }
    if (encoded.isEmpty()) {
      throw new JobFailure(JobFailure.BAD_DATA, ends.in + ": no row could be read");
    }
    return encoded;
  }

  private static void addIfValid(RowFormat format, String line, List<AvmRow> rows) {
    try {
      AvmRow row = format.row(line);
      if (row != null && row.label() != null) {
        rows.add(row);
      }
    } catch (IllegalArgumentException malformed) {
      // skipped here as in the passes, where it is counted
    }
  }
}
