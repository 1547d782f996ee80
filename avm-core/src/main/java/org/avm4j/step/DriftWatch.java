package org.avm4j.step;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.avm4j.Status.Drift;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Adwin;

/** Watches the errors of a learner for a significant rise. */
public final class DriftWatch {
  /** Probability of a false alarm at each test. */
  private static final double DELTA = 0.002;

  /** Memory after a drift, as a fraction of the instances since the drift began. */
  private static final double PART = 0.1;

  /** Smallest memory after a drift, in instances. */
  private static final double LEAST = 300;

  /** The most drifts that are stored. */
  private static final int KEPT = 1000;

  private Adwin window = new Adwin(DELTA);
  private final Deque<Drift> drifts = new ArrayDeque<>();
  private long found;
  private long labels;
  private double mean;
  private double squares;

  /** The number of drifts so far. */
  public long found() {
    return found;
  }

  /** The latest drifts, the oldest first. */
  public List<Drift> drifts() {
    return List.copyOf(drifts);
  }

  /** Adds a label; returns the standard deviation of all labels so far. */
  double deviation(double y) {
    labels++;
    double gap = y - mean;
    mean += gap / labels;
    squares += gap * (y - mean);
    return Math.sqrt(squares / labels);
  }

  /**
   * Adds the error of step t; returns the largest memory from now on, in instances: infinite unless
   * the error rose. The model cannot tell instances after the rise from the many before it, and
   * discounts all of them together. So after a rise its memory is only a fraction of the instances
   * since then, and new instances soon outweigh it.
   */
  double horizon(double error, long t) {
    if (!window.add(error) || window.newer() <= window.older()) {
      return Double.POSITIVE_INFINITY;
    }
    double memory = Math.max(LEAST, PART * window.width());
    found++;
    drifts.addLast(new Drift(t, window.older(), window.newer(), (long) memory));
    if (drifts.size() > KEPT) {
      drifts.removeFirst();
    }
    return memory;
  }

  /** Adds the number of drifts of another learner, but not its errors. */
  void merge(DriftWatch other) {
    found += other.found;
  }

  void encode(Encoder out) {
    window.encode(out);
    out.int64(labels);
    out.float64(mean);
    out.float64(squares);
    out.int64(found);
    out.int32(drifts.size());
    for (Drift drift : drifts) {
      out.int64(drift.instance());
      out.float64(drift.before());
      out.float64(drift.after());
      out.int64(drift.memory());
    }
  }

  static DriftWatch decode(Decoder in) throws ModelFileException {
    DriftWatch watch = new DriftWatch();
    watch.window = Adwin.decode(in, DELTA);
    watch.labels = in.count("the labels");
    watch.mean = in.finite("the mean of the labels");
    watch.squares = in.finite("the squares of the labels");
    watch.found = in.count("the drifts");
    int kept = in.int32("the drifts that are kept", KEPT);
    for (int i = 0; i < kept; i++) {
      watch.drifts.addLast(
          new Drift(
              in.count("a drift"),
              in.finite("an error"),
              in.finite("an error"),
              in.count("a memory")));
    }
    return watch;
  }
}
