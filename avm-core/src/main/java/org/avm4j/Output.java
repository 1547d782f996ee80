package org.avm4j;

import java.util.Map;
import org.avm4j.internal.Words;

/** Which iterate, or mean of iterates, is the answer (Algorithm 2 and Theorem 10). */
public sealed interface Output permits Outputs.Last, Outputs.Average, Outputs.Suffix {
  /** The name of this output on the command line. */
  default String word() {
    return Words.of((Record) this);
  }

  /** The numbers of this choice, by the names of the command line. */
  default Map<String, Object> parameters() {
    return Map.of();
  }

  /** The fraction of the iterates that the answer averages: 0 for the last one alone, 1 for all. */
  double part();

  /** Whether the answer is a mean of several iterates. */
  default boolean isMean() {
    return part() > 0;
  }

  /** Whether the mean leaves out the first iterates. */
  default boolean isSuffix() {
    return part() > 0 && part() < 1;
  }

  /** T - ⌈αT⌉ with α = {@link #part}: the number of first iterates that the mean leaves out. */
  default long start(long t) {
    return t - (long) Math.ceil(part() * t - 1e-9);
  }

  /** w_{T+1}. */
  static Output last() {
    return new Outputs.Last();
  }

  /** w̄_T = (1/T) Σ_{t=1..T} w_t. */
  static Output average() {
    return new Outputs.Average();
  }

  /**
   * w̄_T^α, the mean of the last ⌈αT⌉ of w_1..w_T, for an endless stream in which T is "now".
   *
   * <p>The sum of the first T' iterates is stored at each T' with at most seven significant binary
   * digits: all up to 128, then every second, every fourth and so on. Sums that no suffix needs any
   * more are dropped, which leaves at most 64 log2(1/(1-α)) + 2 copies. The mean is exact whenever
   * T - ⌈αT⌉ is such a number. Otherwise it starts at the preceding one, and so includes at most
   * T/64 more iterates than ⌈αT⌉.
   */
  static Output suffix(double alpha) {
    return new Outputs.Suffix(alpha);
  }
}
