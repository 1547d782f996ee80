package org.avm4j.lab.paper;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ObjDoubleConsumer;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.RegressionMetrics;
import org.avm4j.lab.baseline.Baselines;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/**
 * Executes one run in the calling thread. An interrupt of the thread stops the run, whose outcome
 * then has the figures so far.
 */
final class Trial {
  private static final int POINTS = 50;
  private static final int PASSES = 10;
  private static final double NODE_BYTES = 32;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Experiment experiment;
  private final Samples samples;
  private final double limit;
  private final List<Point> curve = new ArrayList<>();
  private final long wallStart = System.nanoTime();
  private double start = cpuSeconds();
  private double trained;
  private double elsewhere;
  private double tested;
  private long learned;
  private int size;

  Trial(Experiment experiment, Samples samples, double limit) {
    this.experiment = experiment;
    this.samples = samples;
    this.limit = limit;
  }

  /** Processor seconds of this thread. */
  static double cpuSeconds() {
    return THREADS.getCurrentThreadCpuTime() / 1e9;
  }

  Outcome run() {
    if (needsTooMuchMemory()) {
      return outcome(Outcome.Status.MEMORY, Double.NaN);
    }
    Metrics metrics = metrics();
    boolean isBatch = experiment.study() == Study.BATCH;
    boolean isDone = isBatch ? batch(metrics) : online(metrics);
    double value = isBatch ? 100 - metrics.value() : metrics.value();
    return outcome(isDone ? Outcome.Status.DONE : Outcome.Status.TIME, value);
  }

  private Outcome outcome(Outcome.Status status, double metric) {
    return new Outcome(
        experiment.settings().toString(),
        status,
        metric,
        size,
        learned,
        trained,
        tested,
        (System.nanoTime() - wallStart) / 1e9,
        limit,
        Machine.description(),
        curve);
  }

  private Metrics metrics() {
    return experiment.data().task().isRegression()
        ? new RegressionMetrics()
        : new ClassificationMetrics(false, false);
  }

  /** Whether LLSVM, which holds the features of all rows in memory, needs too much of it. */
  private boolean needsTooMuchMemory() {
    double bytes = NODE_BYTES * samples.train().size() * experiment.settings().whole("budget", 0);
    return experiment.contender() == Contender.LLSVM
        && bytes > Runtime.getRuntime().maxMemory() / 3.0;
  }

  private static boolean isStopped() {
    return Thread.currentThread().isInterrupted();
  }

  /** An online run, in which every instance is answered before it is learned. */
  private boolean online(Metrics metrics) {
    List<Instance> rows = Samples.shuffled(samples.all(), experiment.seed());
    OnlineLearner learner = learner(rows);
    double[] none = {};
    start = cpuSeconds();
    int point = 1;
    for (Instance row : rows) {
      if (isStopped()) {
        break;
      }
      double answer = learner.predict(row.features());
      learner.learn(row.features(), row.label());
      metrics.add(row.label(), answer, none);
      learned++;
      if (learned == (long) point * rows.size() / POINTS) {
        curve.add(new Point(learned, metrics.value(), cpuSeconds() - start, learner.size()));
        point++;
      }
    }
    trained = cpuSeconds() - start;
    size = learner.size();
    return learned == rows.size();
  }

  private OnlineLearner learner(List<Instance> rows) {
    OnlineLearner learner =
        experiment
            .contender()
            .online(
                experiment.data().task(),
                experiment.settings(),
                samples.train().size(),
                experiment.seed());
    boolean isCentred =
        experiment.contender().isCentred() && experiment.data().task().isRegression();
    return isCentred ? new Pipeline(centred(rows), learner) : learner;
  }

  /** Standardizes the labels of regression, because the second-order step has no bias. */
  private static Preparation centred(List<Instance> rows) {
    double mean = rows.stream().mapToDouble(Instance::label).average().orElse(0);
    double variance =
        rows.stream().mapToDouble(r -> Math.pow(r.label() - mean, 2)).average().orElse(0);
    return new Preparation(
        new Schema(), Scaler.none(), new Labels.Standard(mean, Math.sqrt(variance)));
  }

  /** Learns the training split, in one pass or by a batch learner; then answers the test split. */
  private boolean batch(Metrics metrics) {
    List<Instance> rows = Samples.shuffled(samples.train(), experiment.seed());
    start = cpuSeconds();
    Predictor model;
    try {
      model = model(rows);
    } catch (CancellationException stopped) {
      trained = cpuSeconds() - start;
      return false;
    }
    trained = cpuSeconds() - start + elsewhere;
    double[] none = {};
    double testStart = cpuSeconds();
    for (Instance row : samples.test()) {
      metrics.add(row.label(), model.predict(row.features()), none);
    }
    tested = cpuSeconds() - testStart;
    return !isStopped() && trained + tested <= limit;
  }

  private Predictor model(List<Instance> rows) {
    Contender contender = experiment.contender();
    Task task = experiment.data().task();
    Settings settings = experiment.settings();
    if (contender == Contender.AVM_NEWTON_BATCH) {
      AvmModel model = newton(rows);
      learned = rows.size();
      size = model.size();
      return model;
    }
    if (contender.isBatch()) {
      Predictor model =
          Baselines.create(contender.batch(task, settings, experiment.seed())).train(rows);
      learned = rows.size();
      size = model.status().size();
      return model;
    }
    OnlineLearner learner = learner(rows);
    each(rows, learner::learn);
    size = learner.size();
    return learner;
  }

  /** Runs Newton's method in a pool of one thread; otherwise it would use all cores. */
  private AvmModel newton(List<Instance> rows) {
    ForkJoinPool one = new ForkJoinPool(1);
    try {
      return one.submit(() -> newtonHere(rows)).join();
    } finally {
      one.shutdown();
    }
  }

  private AvmModel newtonHere(List<Instance> rows) {
    double begin = cpuSeconds();
    Settings settings = experiment.settings();
    AvmModel model =
        BatchNewton.train(
            experiment
                .contender()
                .avm(experiment.data().task(), settings, rows.size(), experiment.seed()),
            rows.stream().map(Instance::features).toList(),
            rows.stream().mapToDouble(Instance::label).toArray(),
            settings.whole("passes", PASSES));
    elsewhere = cpuSeconds() - begin;
    return model;
  }

  private void each(List<Instance> rows, ObjDoubleConsumer<Features> sink) {
    for (Instance row : rows) {
      if (isStopped()) {
        throw new CancellationException("interrupted");
      }
      sink.accept(row.features(), row.label());
    }
    learned = rows.size();
  }
}
