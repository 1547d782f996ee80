package org.avm4j.theory;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.internal.Rules;

/**
 * The heuristic of Section 9.2 for the diameter δ: with the mean distance of two instances as the
 * radius, plausible diameters lie around twice that mean, within twice the standard deviation.
 *
 * @param mean the mean of ‖x - x'‖ over all pairs of a sample
 * @param deviation their standard deviation
 */
public record PairwiseDistances(double mean, double deviation) {
  /** Part of all distances together that is left without an outlier. */
  private static final double LONE = 0.1;

  /** The smallest sample in which an outlier can be recognised. */
  private static final int ENOUGH = 10;

  /**
   * Measures all pairs of a sample of at least two instances; a few hundred are enough. An instance
   * that has nine tenths of all distances to itself does not count.
   */
  public static PairwiseDistances of(List<Features> sample) {
    Rules.check(sample.size() >= 2, "a sample must have at least 2 instances", sample.size());
    double sum = 0;
    double squares = 0;
    double[] own = new double[sample.size()];
    for (int i = 0; i < sample.size(); i++) {
      for (int j = 0; j < i; j++) {
        double squared = squaredDistance(sample.get(i), sample.get(j));
        double distance = Math.sqrt(squared);
        sum += distance;
        squares += squared;
        own[i] += distance;
        own[j] += distance;
      }
    }
    int farthest = farthest(own);
    if (sample.size() >= ENOUGH && sum - own[farthest] < LONE * sum) {
      List<Features> others = new ArrayList<>(sample);
      others.remove(farthest);
      return of(others);
    }
    double pairs = sample.size() * (sample.size() - 1.0) / 2;
    double mean = sum / pairs;
    return new PairwiseDistances(mean, Math.sqrt(Math.max(0, squares / pairs - mean * mean)));
  }

  private static int farthest(double[] own) {
    int farthest = 0;
    for (int i = 1; i < own.length; i++) {
      farthest = own[i] > own[farthest] ? i : farthest;
    }
    return farthest;
  }

  /** The γ at which the argument of a kernel has this value at the mean distance of two rows. */
  public double gamma(Kernel kernel, double argument) {
    double least = Math.max(mean, 1e-12);
    return argument / (kernel.isOfSquare() ? least * least + deviation * deviation : least);
  }

  /** The smallest plausible diameter, above 0 in any case. */
  public double least() {
    return Math.max(Math.max(2 * mean - 2 * deviation, mean / 10), 1e-12);
  }

  /** The largest plausible diameter. */
  public double largest() {
    return 2 * mean + 2 * deviation;
  }

  /** n diameters at equal steps from the smallest plausible to the largest. */
  public double[] diameters(int n) {
    double[] diameters = new double[n];
    for (int i = 0; i < n; i++) {
      double part = n == 1 ? 0.5 : i / (n - 1.0);
      diameters[i] = least() + part * (largest() - least());
    }
    return diameters;
  }

  private static double squaredDistance(Features x, Features z) {
    double sum = 0;
    int i = 0;
    int j = 0;
    while (i < x.count() || j < z.count()) {
      int a = i < x.count() ? x.index(i) : Integer.MAX_VALUE;
      int b = j < z.count() ? z.index(j) : Integer.MAX_VALUE;
      double difference = (a <= b ? x.value(i++) : 0) - (b <= a ? z.value(j++) : 0);
      sum += difference * difference;
    }
    return sum;
  }
}
