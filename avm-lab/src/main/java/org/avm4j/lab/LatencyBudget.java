package org.avm4j.lab;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Instance;

/**
 * Finds the largest size of a learner that answers and learns an instance within a given time, by
 * measurement on this computer: sizes are doubled until one takes too long, then found by
 * bisection.
 *
 * <p>A size is measured with a full learner on the sample: the median over eight parts of the mean
 * processor time. Later instances usually take less, because a learner with fewer errors changes
 * less.
 *
 * @param target the maximum time of an instance
 */
public record LatencyBudget(Duration target) {
  /** The largest size that is tried. */
  public static final int MOST = 2048;

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final int PARTS = 8;
  private static final int WARM_UP_SIZE = 64;
  private static final int WARM_UPS = 5;

  public LatencyBudget {
    if (target.isNegative() || target.isZero()) {
      throw new IllegalArgumentException("the time of an instance must be > 0: " + target);
    }
  }

  /**
   * The largest size within the time, at most {@link #MOST}; 0 if even size 1 takes too long.
   *
   * @param learners creates a learner of a given size
   * @param sample instances to measure with
   */
  public int size(IntFunction<? extends OnlineLearner> learners, List<Instance> sample) {
    for (int i = 0; i < WARM_UPS; i++) {
      nanos(learners.apply(WARM_UP_SIZE), WARM_UP_SIZE, sample);
    }
    int fits = 0;
    int tooLarge = 1;
    while (tooLarge <= MOST && fits(learners, tooLarge, sample)) {
      fits = tooLarge;
      tooLarge *= 2;
    }
    while (tooLarge <= MOST && tooLarge - fits > 1 + fits / 16) {
      int middle = (fits + tooLarge) / 2;
      if (fits(learners, middle, sample)) {
        fits = middle;
      } else {
        tooLarge = middle;
      }
    }
    return fits;
  }

  private boolean fits(
      IntFunction<? extends OnlineLearner> learners, int size, List<Instance> sample) {
    return nanos(learners.apply(size), size, sample) <= target.toNanos();
  }

  /** Nanoseconds per instance after the learner is full, or has seen the sample once. */
  private static double nanos(OnlineLearner learner, int size, List<Instance> sample) {
    for (int i = 0; i < sample.size() && learner.size() < size; i++) {
      learn(learner, sample.get(i));
    }
    double[] parts = new double[PARTS];
    for (int part = 0; part < PARTS; part++) {
      int from = (int) ((long) part * sample.size() / PARTS);
      int to = (int) ((part + 1L) * sample.size() / PARTS);
      long start = CLOCK.getCurrentThreadCpuTime();
      for (Instance instance : sample.subList(from, to)) {
        learn(learner, instance);
      }
      parts[part] = (CLOCK.getCurrentThreadCpuTime() - start) / Math.max(1.0, to - from);
    }
    Arrays.sort(parts);
    return parts[PARTS / 2];
  }

  private static void learn(OnlineLearner learner, Instance instance) {
    learner.predict(instance.features());
    learner.learn(instance.features(), instance.label());
  }
}
