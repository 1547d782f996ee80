package org.avm4j;

import org.avm4j.internal.Words;

/**
 * How far back the past counts. The memory m_t is the effective number of instances in the model:
 * m_t = t if nothing is forgotten, and min(m_{t-1} + 1, H) with a horizon of H.
 *
 * <p>Each step multiplies what was learned before by (m_t - 1)/m_{t-1}, and adds the instance with
 * weight 1. This factor is 1 while memory grows, and 1 - 1/H at the horizon. An instance then has
 * weight e^(-1) after H others: an exponential window whose weights sum to H.
 *
 * <ul>
 *   <li>SGD: the sum A_t = (m_t - 1)/m_{t-1} A_{t-1} + α_t Φ(c_t) and w_{t+1} = -(1/(λ m_t)) A_t
 *       give w_{t+1} = (1 - 1/m_t) w_t - 1/(λ m_t) α_t Φ(c_t): the paper's step with t replaced by
 *       m_t. The step 1/(λt), which would become ever smaller, stays at 1/(λH).
 *   <li>Newton: the sums of κ k kᵀ and κ z k are multiplied by the same factor, and the prior is
 *       restored to its full strength whenever the inverse is recomputed. Where instance t weighs
 *       t, this holds until memory stops growing.
 * </ul>
 *
 * <p>With {@link #auto} memory grows until a drift. Then it is cut to a tenth of the instances
 * since the drift began, at least 300.
 *
 * <p>A core point is released when no instance has fallen into its cell for 4 m_t instances and its
 * coefficients have become negligible.
 */
public sealed interface Forgetting permits Forgettings.None, Forgettings.Horizon, Forgettings.Auto {
  /** The value on the command line: a word, or a number of instances. */
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

  /** H: the largest memory in instances. */
  default double horizon() {
    return Double.POSITIVE_INFINITY;
  }

  /** Nothing is forgotten: all instances have the same weight. */
  static Forgetting none() {
    return new Forgettings.None();
  }

  /** An exponential window of a given number of instances. */
  static Forgetting horizon(long instances) {
    return new Forgettings.Horizon(instances);
  }

  /**
   * All instances since the last drift count fully, those before it little. A drift is a
   * significant rise of the prequential error (ADWIN, Bifet and Gavaldà 2007).
   */
  static Forgetting auto() {
    return new Forgettings.Auto();
  }
}
