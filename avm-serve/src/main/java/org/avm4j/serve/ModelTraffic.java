package org.avm4j.serve;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The load of a model since the start of the service. */
final class ModelTraffic {
  private static final int KEPT = 120;

  private final LongAdder learned = new LongAdder();
  private final LongAdder answered = new LongAdder();
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
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("learned", learned);
      json.put("answered", answered);
      json.put("p50", p50);
      json.put("p99", p99);
      return json;
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

  void answered(int rows, long nanos) {
    answered.add(rows);
    latency.add(nanos);
  }

  long learned() {
    return learned.sum();
  }

  long answered() {
    return answered.sum();
  }

  LatencyHistogram latency() {
    return latency;
  }
}
