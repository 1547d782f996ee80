package org.avm4j.app;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.avm4j.io.DataReader;
import org.avm4j.io.ReadOptions;
import org.avm4j.lab.Generator;
import org.avm4j.lab.Survey;
import org.avm4j.pipeline.Labels;
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
      "first round warms up and does not count."
    },
    footer = {
      "",
      "Examples:",
      "  avm bench --rows 20000",
      "  avm bench train.libsvm --gamma 1 --delta 0.5 --lambda 1e-5 --rounds 3 --json"
    })
final class BenchCommand implements Callable<Integer> {
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
  private ToDoubleFunction<String> labels;
  private long allocated;

  @Override
  public Integer call() throws IOException {
    if (rows < 1 || rounds < 1) {
      throw new Failure(Failure.USAGE, "--rows and --rounds must be at least 1");
    }
    List<Instance> raw = data.isEmpty() ? generated() : read();
    Task task = learner.task(survey, false);
    Labels labels = task instanceof Task.Binary ? survey.pair() : new Labels.Plain();
    List<Instance> ready = raw.stream().map(row -> ready(row, labels)).toList();
    Map<String, Object> values = measure(ready, task);
    if (!data.isEmpty()) {
      values.put("readMegabytesPerSecond", reading());
    }
    System.out.print(json ? Json.of(values) : Text.table(Text.rows(values)));
    return 0;
  }

  private Instance ready(Instance row, Labels labels) {
    return new Instance(survey.scaler().apply(row.features()).copy(), labels.learned(row.label()));
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
    InputOptions input = new InputOptions();
    input.data = data;
    Prepared prepared = new Prepared(input, scaling, rows);
    survey = prepared.survey();
    labels = prepared.learned(learner);
    List<Instance> all = new ArrayList<>();
    try (InstanceReader reader = prepared.open()) {
      while (all.size() < rows && reader.next()) {
        all.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return all;
  }

  /** Megabytes of the files a second, only read and parsed; the median of the rounds. */
  private double reading() throws IOException {
    double[] speeds = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      long start = System.nanoTime();
      long bytes = 0;
      for (String name : data) {
        bytes += Files.size(Path.of(name));
        try (DataReader reader = DataReader.open(name, ReadOptions.DEFAULT, new Schema())) {
          while (reader.next()) {
            // Parsing alone is what is measured.
          }
        }
      }
      speeds[Math.max(round, 0)] = bytes / 1e6 / ((System.nanoTime() - start) / 1e9);
    }
    return median(speeds);
  }

  private Map<String, Object> measure(List<Instance> ready, Task task) {
    double[] learning = new double[rounds];
    double[] scoring = new double[rounds];
    Histogram latencies = new Histogram(3);
    OnlineLearner last = null;
    for (int round = -1; round < rounds; round++) {
      OnlineLearner fresh = learner.create(task, survey, ready.size(), labels);
      Histogram unused = new Histogram(3);
      double learned =
          time(
              ready,
              round < 0 ? unused : latencies,
              row -> fresh.learn(row.features(), row.label()));
      Predictor model = fresh.snapshot();
      double[] scores = new double[model.columns()];
      double scored = time(ready, unused, row -> model.score(row.features(), scores));
      if (round >= 0) {
        learning[round] = learned;
        scoring[round] = scored;
      }
      last = fresh;
    }
    return values(ready, learning, scoring, latencies, last);
  }

  /** Nanoseconds an instance. */
  private double time(List<Instance> ready, Histogram latencies, Consumer<Instance> step) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    long last = start;
    for (Instance row : ready) {
      step.accept(row);
      long now = System.nanoTime();
      latencies.recordValue(Math.max(1, now - last));
      last = now;
    }
    allocated = threads.getCurrentThreadAllocatedBytes() - before;
    return (double) (last - start) / ready.size();
  }

  private Map<String, Object> values(
      List<Instance> ready,
      double[] learning,
      double[] scoring,
      Histogram latencies,
      OnlineLearner last) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", ready.size());
    values.put("features", survey.dimension());
    values.put("size", last.size());
    values.put("learnNanos", median(learning));
    values.put("learnNanosSpread", spread(learning));
    values.put("learnPerSecond", 1e9 / median(learning));
    for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
      String name = "learnNanosP" + (percentile == 99.9 ? "99.9" : (int) percentile);
      values.put(name, latencies.getValueAtPercentile(percentile));
    }
    values.put("scoreNanos", median(scoring));
    values.put("scoreNanosSpread", spread(scoring));
    values.put("scorePerSecond", 1e9 / median(scoring));
    values.put("scoreBytesAllocated", (double) allocated / ready.size());
    values.put("java", System.getProperty("java.version"));
    values.put("machine", System.getProperty("os.arch"));
    values.put("learner", Description.of(last));
    return values;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double spread(double[] values) {
    return Arrays.stream(values).max().orElse(0) - Arrays.stream(values).min().orElse(0);
  }
}
