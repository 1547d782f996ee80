package org.avm4j.serve;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** A lock-free histogram of durations, written as a Prometheus histogram. */
final class LatencyHistogram {
  /** The upper bounds of the buckets in seconds; the last bucket has no bound. */
  private static final double[] ENDS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private final AtomicLongArray counts = new AtomicLongArray(ENDS.length + 1);
  private final LongAdder nanos = new LongAdder();

  void add(long time) {
    double seconds = time / 1e9;
    int at = 0;
    while (at < ENDS.length && seconds > ENDS[at]) {
      at++;
    }
    counts.incrementAndGet(at);
    nanos.add(time);
  }

  long[] counts() {
    long[] all = new long[counts.length()];
    for (int i = 0; i < all.length; i++) {
      all[i] = counts.get(i);
    }
    return all;
  }

  /**
   * A quantile of the durations added between two readings of the counts, in seconds: the upper
   * bound of its bucket, or the highest bound; NaN if none were added.
   */
  static double quantile(long[] earlier, long[] now, double part) {
    long total = 0;
    for (int i = 0; i < now.length; i++) {
      total += now[i] - earlier[i];
    }
    long seen = 0;
    for (int i = 0; i < ENDS.length; i++) {
      seen += now[i] - earlier[i];
      if (total > 0 && seen >= part * total) {
        return ENDS[i];
      }
    }
    return total == 0 ? Double.NaN : ENDS[ENDS.length - 1];
  }

  /** Appends the lines of a Prometheus histogram. */
  void write(StringBuilder out, String name, String labels) {
    long sum = 0;
    String comma = labels.isEmpty() ? "" : ",";
    for (int i = 0; i <= ENDS.length; i++) {
      sum += counts.get(i);
      String end = i == ENDS.length ? "+Inf" : Double.toString(ENDS[i]);
      out.append(name).append("_bucket{").append(labels).append(comma);
      out.append("le=\"").append(end).append("\"} ").append(sum).append('\n');
    }
    String braces = labels.isEmpty() ? "" : "{" + labels + "}";
    out.append(name).append("_sum").append(braces).append(' ').append(nanos.sum() / 1e9);
    out.append('\n').append(name).append("_count").append(braces).append(' ').append(sum);
    out.append('\n');
  }
}
