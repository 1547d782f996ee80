package org.avm4j.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.io.Compression;
import org.avm4j.io.DataReader;
import org.avm4j.io.ReadOptions;
import org.avm4j.lab.Generator;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.run.DataSource;
import org.avm4j.run.KeptRows;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;
import org.avm4j.table.Scaling;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code avm bench}: how fast this machine learns and scores. */
@Command(
    name = "bench",
    description = {
      "Measure how fast a learner learns and scores on this computer.",
      "Rows are held in memory. Each round learns all of them from scratch and then scores them."
          + " The first round is a warm-up and is not counted. Each figure is the median of the"
          + " rounds, followed by the minimum and maximum. For files, parsing is measured as"
          + " well, and the time for reading, scaling and learning together is compared with that"
          + " of learning alone."
    },
    footer = {
      "",
      "Examples:",
      "  avm bench --rows 20000",
      "  avm bench train.libsvm --gamma 1 --delta 0.5 --lambda 1e-5 --rounds 3 --json"
    })
final class BenchCommand implements Callable<Integer> {
  private static final int PARTS = 10;

  @Spec CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "DATA",
      description = "Files to read. Default: a generated stream.")
  List<String> data = new ArrayList<>();

  @ArgGroup(validate = false, heading = "%nLearner:%n")
  LearnerOptions learner = new LearnerOptions();

  @Option(
      names = "--scale",
      paramLabel = "HOW",
      defaultValue = "none",
      description =
          "Scaling of the features: none, unit, symmetric or standard. Default: ${DEFAULT-VALUE}.")
  Scaling scaling;

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      defaultValue = "mixture",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Generator generator;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Maximum number of rows to use. Default: ${DEFAULT-VALUE}.")
  int rows;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Number of measured rounds. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  private LearnerSpec learning;
  private PreparedData prepared;

  @Override
  public Integer call() throws IOException {
    if (rows < PARTS || rounds < 1) {
      throw Failure.usage("--rows must be at least " + PARTS + ", --rounds at least 1");
    }
    learning = LearnerOptions.spec(spec);
    if (learning.isUnsupervised()) {
      throw LearnerOptions.unsupervisedFailure();
    }
    List<Instance> raw = data.isEmpty() ? generated() : read();
    if (raw.size() < PARTS) {
      throw new Failure(
          Failure.BAD_DATA, "at least " + PARTS + " rows are needed for a measurement");
    }
    Survey survey = prepared == null ? survey(raw) : prepared.survey();
    Schema schema = prepared == null ? new Schema() : prepared.schema();
    DefaultRules rules = new DefaultRules(learning, survey, schema, raw.size()).single();
    List<Instance> ready = ready(raw, rules.preparation());
    Bench bench = new Bench(ready, rules::learner);
    Map<String, Object> measured = bench.run(rounds, () -> reading(raw, rules));
    Map<String, Object> values = values(ready, survey, measured, bench.learner());
    System.out.print(json ? Json.of(values) : table(values));
    return 0;
  }

  private List<Instance> generated() {
    Generator.Stream stream = generator.stream(learning.seed());
    List<Instance> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.add(stream.next());
    }
    return all;
  }

  private Survey survey(List<Instance> generated) {
    Survey survey = new Survey(learning.scaling());
    generated.forEach(row -> survey.add(row.features(), row.label()));
    return survey;
  }

  private List<Instance> read() throws IOException {
    prepared = PreparedData.look(source(), learning, rows);
    return prepared.first(rows);
  }

  private DataSource source() {
    InputOptions input = new InputOptions();
    input.data = data;
    return input.source();
  }

  /** Prepared rows and labels. */
  private static List<Instance> ready(List<Instance> raw, Preparation preparation) {
    return raw.stream()
        .map(
            row ->
                new Instance(
                    preparation.transform(row.features(), new Features.Buffer()),
                    preparation.labels().transform(row.label())))
        .toList();
  }

  /** The cost of files: parsing alone, and a whole run compared with learning alone. */
  private Map<String, Double> reading(List<Instance> raw, DefaultRules rules) {
    Map<String, Double> figures = new LinkedHashMap<>();
    try {
      if (prepared != null && !prepared.isStream()) {
        figures.put("readMegabytesPerSecond", megabytesPerSecond());
      }
      if (prepared != null && prepared.rows() == raw.size()) {
        double alone = seconds(rules, new KeptRows(raw));
        figures.put("onlineOverLearning", wholeRun() / alone);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return figures;
  }

  /** Megabytes of text that are parsed from memory per second of processor time. */
  private double megabytesPerSecond() throws IOException {
    long bytes = 0;
    long nanos = 0;
    for (String name : data) {
      byte[] text;
      try (InputStream in = Compression.unpack(name, Files.newInputStream(Path.of(name)))) {
        text = in.readAllBytes();
      }
      InputStream memory = new ByteArrayInputStream(text);
      long start = Bench.cpuNanos();
      try (DataReader reader = DataReader.of(name, memory, ReadOptions.DEFAULT, new Schema())) {
        while (reader.next()) {
          // Only parsing is measured.
        }
      }
      nanos += Bench.cpuNanos() - start;
      bytes += text.length;
    }
    return bytes / 1e6 / (nanos / 1e9);
  }

  /** The seconds that {@code avm online} takes for these files, without the start of Java. */
  private double wholeRun() throws IOException {
    long start = System.nanoTime();
    PreparedData looked = PreparedData.look(source(), learning, rows);
    try (InstanceReader reader = looked.open()) {
      seconds(looked.rules(learning).single(), reader);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** The seconds that scaling, answering and learning of rows take. */
  private static double seconds(DefaultRules rules, InstanceReader rows) throws IOException {
    Pipeline pipeline = rules.pipeline();
    Prequential run = new Prequential(pipeline, Metrics.of(pipeline, false));
    long start = System.nanoTime();
    while (rows.next()) {
      run.step(rows.features(), rows.label());
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private Map<String, Object> values(
      List<Instance> ready, Survey survey, Map<String, Object> measured, OnlineLearner last) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", ready.size());
    values.put("features", survey.dimension());
    values.put("size", last.size());
    values.put("learnPerSecond", 1e9 / (Double) measured.get("learnNanos"));
    values.put("scorePerSecond", 1e9 / (Double) measured.get("scoreNanos"));
    values.putAll(measured);
    values.put("java", System.getProperty("java.version"));
    values.put("machine", System.getProperty("os.arch"));
    values.put("cores", Runtime.getRuntime().availableProcessors());
    values.put("learner", last.status().settings());
    return values;
  }

  /** One figure per line, with its smallest and largest value over the rounds. */
  private static String table(Map<String, Object> values) {
    Map<String, String> rows = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value instanceof Number number && !name.endsWith("Least") && !name.endsWith("Most")) {
            String spread =
                values.get(name + "Least") instanceof Double least
                        && values.get(name + "Most") instanceof Double most
                    ? "  (" + Text.number(least) + " to " + Text.number(most) + ")"
                    : "";
            rows.put(FigureText.words(name), Text.number(number.doubleValue()) + spread);
          } else if (value instanceof String text) {
            rows.put(FigureText.words(name), text);
          }
        });
    return Text.table(rows);
  }
}
