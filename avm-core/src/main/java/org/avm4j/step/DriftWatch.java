package org.avm4j.step;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.avm4j.Status.Drift;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Adwin;

/** Watches the errors of a learner for a rise that is no accident. */
public final class DriftWatch {
  /** The most probable that a false alarm may be at each test. */
  private static final double DELTA = 0.002;

  /** After a drift the model stands for this part of the instances since then. */
  private static final double PART = 0.1;

  /** The fewest instances that the model stands for after a drift. */
  private static final double LEAST = 300;

  /** The number of drifts that are kept. */
  private static final int KEPT = 1000;

  private Adwin window = new Adwin(DELTA);
  private final Deque<Drift> drifts = new ArrayDeque<>();
  private long found;
  private long labels;
  private double mean;
  private double squares;

  /** How many drifts there were. */
  public long found() {
    return found;
  }

  /** The last of them. */
  public List<Drift> drifts() {
    return List.copyOf(drifts);
  }

  /** Takes in a label; returns the standard deviation of all labels so far. */
  double deviation(double y) {
    labels++;
    double gap = y - mean;
    mean += gap / labels;
    squares += gap * (y - mean);
    return Math.sqrt(squares / labels);
  }

  /**
   * Takes in the error of step t; returns how many instances the model may stand for from now on,
   * without an end unless the error rose. What was learned fades as a whole, the instances since
   * the rise among the many before it; so it may stand only for a part of the instances since, and
   * those to come soon outweigh it.
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

  /** Counts the drifts of another learner; its errors are not of this one. */
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
