package org.avm4j.app;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Instance;

/**
 * Measures the time of learning and scoring the same rows. Every round measures everything once, so
 * that disturbances of the machine affect all figures alike. The first round is a warm-up and does
 * not count.
 */
final class Bench {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
  private static final int PARTS = 10;
  private static final int HEAPED = 8;

  private final Instance[] rows;
  private final List<Features> features;
  private final Supplier<OnlineLearner> fresh;
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();
  private final Histogram learning = new Histogram(3);
  private final Histogram scoring = new Histogram(3);
  private OnlineLearner last;

  /** Measures new learners on these rows. */
  Bench(List<Instance> rows, Supplier<OnlineLearner> fresh) {
    this.rows = rows.toArray(Instance[]::new);
    this.features = rows.stream().map(Instance::features).toList();
    this.fresh = fresh;
  }

  /** The processor time of this thread, which other processes do not affect. */
  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** The learner of the last round. */
  OnlineLearner learner() {
    return last;
  }

  /**
   * Runs all rounds. Returns the median of each figure; its minimum and maximum follow under names
   * that end in Least and Most.
   */
  Map<String, Object> run(int rounds, Supplier<Map<String, Double>> extra) {
    for (int round = -1; round < rounds; round++) {
      if (round == 0) {
        figures.clear();
        learning.reset();
        scoring.reset();
      }
      learn();
      score(last.snapshot());
      extra.get().forEach(this::add);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    figures.forEach((name, all) -> put(values, name, all));
    putPercentiles(values, "learnNanos", learning);
    putPercentiles(values, "scoreNanos", scoring);
    values.put("bytesPerVector", bytesPerVector());
    return values;
  }

  private static void put(Map<String, Object> values, String name, List<Double> all) {
    double[] sorted = all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    values.put(name, sorted[(sorted.length - 1) / 2]);
    values.put(name + "Least", sorted[0]);
    values.put(name + "Most", sorted[sorted.length - 1]);
  }

  private static void putPercentiles(Map<String, Object> values, String name, Histogram histogram) {
    for (double percentile : PERCENTILES) {
      String digits = percentile == 99.9 ? "99.9" : Integer.toString((int) percentile);
      values.put(name + "P" + digits, histogram.getValueAtPercentile(percentile));
    }
  }

  private void add(String name, double value) {
    figures.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
  }

  /** Measures a new learner on all rows, a tenth at a time. */
  private void learn() {
    last = fresh.get();
    Consumer<Instance> step = row -> last.learn(row.features(), row.label());
    double[] cpu = new double[PARTS];
    int[] sizes = new int[PARTS];
    double nanos = 0;
    long bytes = 0;
    for (int part = 0; part < PARTS; part++) {
      sizes[part] = last.size();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      long start = cpuNanos();
      nanos += nanos(step, part(part), part(part + 1));
      cpu[part] = cpuNanos() - start;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    add("learnNanos", nanos / rows.length);
    add("learnCpuNanos", Arrays.stream(cpu).sum() / rows.length);
    int lastTenth = rows.length - part(PARTS - 1);
    add("learnBytesAllocated", (double) bytes / lastTenth);
    int saturated = saturated(sizes);
    double before = cpu[saturated] / (part(saturated + 1) - part(saturated));
    add("lastTenthOverSaturated", cpu[PARTS - 1] / lastTenth / before);
    OnlineLearner timed = fresh.get();
    latencies(row -> timed.learn(row.features(), row.label()), learning);
  }

  /** The first tenth after the very first that began with at least 95 % of all vectors. */
  private int saturated(int[] sizes) {
    int tenth = 1;
    while (tenth < PARTS - 1 && sizes[tenth] < 0.95 * last.size()) {
      tenth++;
    }
    return tenth;
  }

  private int part(int i) {
    return (int) ((long) rows.length * i / PARTS);
  }

  private void score(Model model) {
    double[] scores = new double[model.columns()];
    Consumer<Instance> step = row -> model.score(row.features(), scores);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    add("scoreNanos", nanos(step, 0, rows.length) / rows.length);
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    add("scoreBytesAllocated", (double) bytes / rows.length);
    latencies(step, scoring);
    double one = together(model, 1);
    double all = together(model, Runtime.getRuntime().availableProcessors());
    add("scoreManyNanos", all / rows.length);
    add("scoreManySpeedup", one / all);
  }

  private double nanos(Consumer<Instance> step, int from, int to) {
    long start = System.nanoTime();
    for (int t = from; t < to; t++) {
      step.accept(rows[t]);
    }
    return System.nanoTime() - start;
  }

  private void latencies(Consumer<Instance> step, Histogram into) {
    long before = System.nanoTime();
    for (Instance row : rows) {
      step.accept(row);
      long now = System.nanoTime();
      into.recordValue(Math.max(1, now - before));
      before = now;
    }
  }

  /** Nanoseconds to score all rows in one call, on a given number of cores. */
  private double together(Model model, int cores) {
    ForkJoinPool pool = new ForkJoinPool(cores);
    try {
      long start = System.nanoTime();
      model.score(features, pool);
      return System.nanoTime() - start;
    } finally {
      pool.shutdown();
    }
  }

  /** The heap memory of a learner of all rows, per vector; the mean of several measurements. */
  private double bytesPerVector() {
    OnlineLearner[] learners = new OnlineLearner[HEAPED];
    long without = usedAfterCollection();
    long vectors = 0;
    for (int i = 0; i < HEAPED; i++) {
      learners[i] = fresh.get();
      for (Instance row : rows) {
        learners[i].learn(row.features(), row.label());
      }
      vectors += learners[i].size();
    }
    long with = usedAfterCollection();
    Reference.reachabilityFence(learners);
    return (double) (with - without) / Math.max(1, vectors);
  }

  /** The used heap after four garbage collections, at least one of which is complete. */
  private static long usedAfterCollection() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
