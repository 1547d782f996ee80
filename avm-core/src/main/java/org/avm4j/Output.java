package org.avm4j;

/** Which of the models along the way is the answer (Algorithm 2 and Theorem 10). */
public sealed interface Output {
  /** w_{T+1}. */
  record Last() implements Output {}

  /** w̄_T = (1/T) Σ_{t=1..T} w_t. */
  record Average() implements Output {}

  /**
   * w̄_T^α, the mean of the last ⌈αT⌉ of w_1..w_T, for an endless stream in which T is "now".
   *
   * <p>The sum of the first T' models is kept at each T' that has at most seven significant binary
   * digits: all up to 128, then every second, every fourth and so on, and only as long as it is of
   * use; that is at most 64 log2(1/(1-α)) + 2 copies. The mean is exact whenever T - ⌈αT⌉ is such a
   * number. Between them it starts at the last one before, so it takes in ⌈αT⌉ models and at most
   * T/64 more.
   */
  record Suffix(double alpha) implements Output {
    public Suffix {
      Rules.check(alpha > 0 && alpha < 1, "the suffix must be > 0 and < 1", alpha);
    }

    /** T - ⌈αT⌉: the last model that the mean leaves out. */
    long start(long t) {
      return t - (long) Math.ceil(alpha * t - 1e-9);
    }
  }
}
