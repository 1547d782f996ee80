package org.avm4j;

import org.avm4j.internal.Words;

/**
 * How far back the past counts. The memory m_t is the number of instances that the model stands
 * for: m_t = t where nothing is forgotten, and min(m_{t-1} + 1, H) where the horizon is H.
 *
 * <p>In each step what was learned before keeps the part (m_t - 1)/m_{t-1}, and the instance joins
 * with weight 1. While memory grows that is all of it; at the horizon it is 1 - 1/H, so an instance
 * counts e^(-1) after H others: an exponential window whose weights sum to H.
 *
 * <ul>
 *   <li>SGD: the sum A_t = (m_t - 1)/m_{t-1} A_{t-1} + α_t Φ(c_t) and w_{t+1} = -(1/(λ m_t)) A_t
 *       give w_{t+1} = (1 - 1/m_t) w_t - 1/(λ m_t) α_t Φ(c_t): the paper's step with t replaced by
 *       m_t. The step 1/(λt), which forgets how to learn, becomes 1/(λH).
 *   <li>Newton: the sums of κ k kᵀ and κ z k fade by the same part, and the prior is filled up to
 *       its full strength whenever the inverse is computed afresh. Where instance t weighs t, that
 *       is its weight until memory stops growing.
 * </ul>
 *
 * <p>When the horizon is found from the stream, memory grows until a drift, and is then cut back:
 * what was learned counts for a tenth of the instances since, at least 300.
 *
 * <p>A core point is released when no instance has fallen into its cell for 4 m_t instances and its
 * coefficients have become negligible.
 */
public sealed interface Forgetting permits Forgettings.None, Forgettings.Horizon, Forgettings.Auto {
  /** What the command line says: a word, or a number of instances. */
  default Object word() {
    return Words.of((Record) this);
  }

  /** Whether old instances ever lose weight. */
  default boolean forgets() {
    return true;
  }

  /** Whether the errors of the answers are watched for drift. */
  default boolean watchesErrors() {
    return false;
  }

  /** H: the most instances that the model may stand for. */
  default double horizon() {
    return Double.POSITIVE_INFINITY;
  }

  /** All instances count, for ever. */
  static Forgetting none() {
    return new Forgettings.None();
  }

  /** An exponential window of a given number of instances. */
  static Forgetting horizon(long instances) {
    return new Forgettings.Horizon(instances);
  }

  /**
   * All instances since the last drift count, and those before it for little. A drift is where the
   * error of the answers, each given before its instance is learned, rises by more than chance
   * allows (ADWIN, Bifet and Gavaldà 2007).
   */
  static Forgetting auto() {
    return new Forgettings.Auto();
  }
}
