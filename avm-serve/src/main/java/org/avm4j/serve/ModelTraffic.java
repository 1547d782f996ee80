package org.avm4j.serve;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The load of a model since the start of the service. */
final class ModelTraffic {
  private static final int KEPT = 120;

  private final LongAdder learned = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder far = new LongAdder();
  private final LatencyHistogram latency = new LatencyHistogram();

  private final Deque<Sample> samples = new ArrayDeque<>();
  private long sampledAt = System.nanoTime();
  private long learnedBefore;
  private long answeredBefore;
  private long[] latencyBefore = latency.counts();

  /**
   * The load during about one second.
   *
   * @param learned rows learned a second
   * @param answered rows answered a second
   * @param p50 the median time to answer a request, in seconds; NaN without requests
   * @param p99 the 99th percentile of these times
   */
  record Sample(double learned, double answered, double p50, double p99) {
    Map<String, Object> json() {
      return JsonValues.members("learned", learned, "answered", answered, "p50", p50, "p99", p99);
    }
  }

  /** Adds a sample for the time since the last one; called once a second. */
  synchronized void sample() {
    long now = System.nanoTime();
    double seconds = (now - sampledAt) / 1e9;
    long[] counts = latency.counts();
    samples.addLast(
        new Sample(
            (learned() - learnedBefore) / seconds,
            (answered() - answeredBefore) / seconds,
            LatencyHistogram.quantile(latencyBefore, counts, 0.5),
            LatencyHistogram.quantile(latencyBefore, counts, 0.99)));
    if (samples.size() > KEPT) {
      samples.removeFirst();
    }
    sampledAt = now;
    learnedBefore = learned();
    answeredBefore = answered();
    latencyBefore = counts;
  }

  /** The samples of the last two minutes, the oldest first. */
  synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  void learned(int rows) {
    learned.add(rows);
  }

  /**
   * Counts the rows of an answered request.
   *
   * @param answers null for a row without an answer
   */
  void answered(List<Answer> answers, long nanos) {
    answered.add(answers.size());
    far.add(answers.stream().filter(answer -> answer != null && answer.isFar()).count());
    latency.add(nanos);
  }

  long learned() {
    return learned.sum();
  }

  long answered() {
    return answered.sum();
  }

  /** The number of answered rows that were far from everything learned. */
  long far() {
    return far.sum();
  }

  LatencyHistogram latency() {
    return latency;
  }
}
