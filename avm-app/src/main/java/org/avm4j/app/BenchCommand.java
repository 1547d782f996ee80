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
import java.util.function.ToDoubleFunction;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.avm4j.io.Compression;
import org.avm4j.io.DataReader;
import org.avm4j.io.ReadOptions;
import org.avm4j.lab.Generator;
import org.avm4j.eval.Prequential;
import org.avm4j.spec.Survey;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm bench}: how fast this machine learns and scores. */
@Command(
    name = "bench",
    description = {
      "Measure how fast a learner learns and scores here, on data or on a generated stream.",
      "Rows are held in memory. Each round learns all of them from the start and then scores them; the",
      "first round warms up and does not count. A figure is the median of the rounds, with the least and",
      "the most behind it. Of files, parsing is measured too, and how long reading, scaling and learning",
      "take together against learning alone."
    },
    footer = {
      "",
      "Examples:",
      "  avm bench --rows 20000",
      "  avm bench train.libsvm --gamma 1 --delta 0.5 --lambda 1e-5 --rounds 3 --json"
    })
final class BenchCommand implements Callable<Integer> {
  private static final int PARTS = 10;

  @Parameters(arity = "0..*", paramLabel = "DATA", description = "Files to read; none: a stream.")
  List<String> data = new ArrayList<>();

  @ArgGroup(validate = false, heading = "%nLearner:%n")
  LearnerOptions learner = new LearnerOptions();

  @Option(
      names = "--scale",
      paramLabel = "HOW",
      defaultValue = "none",
      description = "none, unit, symmetric or standard. Default: ${DEFAULT-VALUE}.")
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
      description = "Most rows to use. Default: ${DEFAULT-VALUE}.")
  int rows;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rounds that count. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  private Survey survey;
  private Prepared prepared;

  @Override
  public Integer call() throws IOException {
    if (rows < PARTS || rounds < 1) {
      throw new Failure(
          Failure.USAGE, "--rows must be at least " + PARTS + ", --rounds at least 1");
    }
    List<Instance> scaled = scaled(data.isEmpty() ? generated() : read());
    Task task = learner.task(survey, false);
    Labels labels = task instanceof Task.Binary ? survey.pair() : new Labels.Plain();
    List<Instance> ready =
        scaled.stream()
            .map(row -> new Instance(row.features(), labels.learned(row.label())))
            .toList();
    if (ready.size() < PARTS) {
      throw new Failure(Failure.BAD_DATA, "at least " + PARTS + " rows are needed to measure");
    }
    Bench bench = new Bench(ready, () -> learner.create(task, survey, ready.size(), given()));
    Map<String, Object> measured = bench.run(rounds, () -> reading(scaled));
    Map<String, Object> values = values(ready, measured, bench.learner());
    System.out.print(json ? Json.of(values) : table(values));
    return 0;
  }

  private ToDoubleFunction<String> given() {
    return prepared == null ? Double::parseDouble : prepared.learned(learner);
  }

  private List<Instance> scaled(List<Instance> raw) {
    return raw.stream()
        .map(row -> new Instance(survey.scaler().apply(row.features()).copy(), row.label()))
        .toList();
  }

  private List<Instance> generated() {
    survey = new Survey(scaling);
    Generator.Stream stream = generator.stream(learner.seed);
    List<Instance> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Instance instance = stream.next();
      survey.add(instance.features(), instance.label());
      all.add(instance);
    }
    return all;
  }

  private List<Instance> read() throws IOException {
    prepared = new Prepared(input(), scaling, rows);
    survey = prepared.survey();
    List<Instance> all = new ArrayList<>();
    try (InstanceReader reader = prepared.open(new Scaler(Scaling.NONE))) {
      while (all.size() < rows && reader.next()) {
        all.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return all;
  }

  private InputOptions input() {
    InputOptions input = new InputOptions();
    input.data = data;
    return input;
  }

  /** What files cost: parsing alone, and a whole run against its learning alone. */
  private Map<String, Double> reading(List<Instance> scaled) {
    Map<String, Double> figures = new LinkedHashMap<>();
    try {
      if (prepared != null && !prepared.isPipe()) {
        figures.put("readMegabytesPerSecond", megabytesPerSecond());
      }
      if (prepared != null && prepared.rows() == scaled.size()) {
        double alone = seconds(prepared, new Rows(scaled, null));
        figures.put("onlineOverLearning", wholeRun() / alone);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return figures;
  }

  /** The text in the files, parsed from memory, a second of processor time. */
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
          // Parsing alone is what is measured.
        }
      }
      nanos += Bench.cpuNanos() - start;
      bytes += text.length;
    }
    return bytes / 1e6 / (nanos / 1e9);
  }

  /** The seconds that {@code avm online} takes for these files, but for starting Java. */
  private double wholeRun() throws IOException {
    long start = System.nanoTime();
    Prepared looked = new Prepared(input(), scaling, rows);
    try (InstanceReader reader = looked.open(looked.survey().scaler())) {
      seconds(looked, reader);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** The seconds for answering and learning rows that are scaled. */
  private double seconds(Prepared of, InstanceReader scaled) throws IOException {
    Pipeline pipeline = of.pipelineOfScaled(learner);
    Prequential run = new Prequential(pipeline, Learners.metrics(pipeline));
    long start = System.nanoTime();
    while (scaled.next()) {
      run.step(scaled.features(), scaled.label());
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private Map<String, Object> values(
      List<Instance> ready, Map<String, Object> measured, OnlineLearner last) {
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
    values.put("learner", Description.of(last));
    return values;
  }

  /** A figure a line, with the least and the most of the rounds behind it. */
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
            rows.put(Report.words(name), Text.number(number.doubleValue()) + spread);
          } else if (value instanceof String text) {
            rows.put(Report.words(name), text);
          }
        });
    return Text.table(rows);
  }
}
