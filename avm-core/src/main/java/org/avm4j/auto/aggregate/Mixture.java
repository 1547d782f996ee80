package org.avm4j.auto.aggregate;

import java.util.Arrays;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A convex combination of experts with a guarantee and nothing to tune: ML-Poly (Gaillard, Stoltz,
 * van Erven 2014) on the gradient of the loss, with a forgetting factor.
 *
 * <p>Let p be the combined score, e_k that of expert k, g the gradient of the loss at p, and r_k =
 * g (p - e_k) what would have been gained, to first order, by following expert k. With γ = 1 - 1/W,
 * R_k = Σ_t γ^(T-t) r_k, V_k = Σ_t γ^(T-t) r_k² and L the largest |r_k| lately, the weight of
 * expert k is in proportion to max(0, R_k) / (V_k + L²); where nobody is ahead the first expert has
 * all of it. Because the loss is convex, R_k is at least the loss of the combination less that of
 * expert k, or of any fixed mixture of experts, over about the last W rows; and the weights keep
 * R_k ≤ √(K (1 + ln(1 + W)) (V_k + L²)) for all K experts at all times. So on every stretch of
 * about W rows the combination is hardly worse than the best expert of that stretch.
 */
public final class Mixture {
  private double[] regret;
  private double[] squares;
  private final double[] weights;
  private double largest;

  /** A mixture that knows nothing about its experts: the first has all the weight. */
  public Mixture(int experts) {
    regret = new double[experts];
    squares = new double[experts];
    weights = new double[experts];
    findWeights();
  }

  private void findWeights() {
    double sum = 0;
    for (int k = 0; k < weights.length; k++) {
      weights[k] = regret[k] > 0 ? regret[k] / (squares[k] + largest * largest) : 0;
      sum += weights[k];
    }
    for (int k = 0; k < weights.length; k++) {
      weights[k] = sum > 0 ? weights[k] / sum : k == 0 ? 1 : 0;
    }
  }

  /** The weights of all experts; their sum is 1. */
  public double[] weights() {
    return weights.clone();
  }

  /** Whether the first expert has all the weight. */
  public boolean isFirstAlone() {
    return weights[0] == 1;
  }

  void combine(double[][] scores, double[] into) {
    combine(weights, scores, into);
  }

  /** Writes the weighted mean of scores, which are given by expert and column. */
  static void combine(double[] weights, double[][] scores, double[] into) {
    Arrays.fill(into, 0);
    for (int k = 0; k < weights.length; k++) {
      for (int c = 0; c < into.length; c++) {
        into[c] += weights[k] * scores[k][c];
      }
    }
  }

  /**
   * Updates the regrets and the weights.
   *
   * @param gains the first-order gain r_k of following each expert
   * @param weight the weight of the row
   */
  public void learn(double[] gains, double weight) {
    double keep = 1 - 1 / Constants.WINDOW;
    double share = Math.min(weight, Constants.WINDOW);
    largest *= keep;
    for (int k = 0; k < gains.length; k++) {
      double gain = share * gains[k];
      largest = Math.max(largest, Math.abs(gain));
      regret[k] = keep * regret[k] + gain;
      squares[k] = keep * squares[k] + gain * gain;
    }
    findWeights();
  }

  /** Forgets everything about an expert. */
  void forget(int k) {
    regret[k] = 0;
    squares[k] = 0;
    findWeights();
  }

  /**
   * Takes over what another mixture knows about its first {@code count} experts and its last one.
   */
  void takeOver(Mixture other, int count) {
    for (int k = 0; k <= count; k++) {
      int to = k < count ? k : regret.length - 1;
      int from = k < count ? k : other.regret.length - 1;
      regret[to] = other.regret[from];
      squares[to] = other.squares[from];
    }
    largest = other.largest;
    findWeights();
  }

  /** R_k: how much better than the mixture expert k was lately. */
  public double regret(int k) {
    return regret[k];
  }

  /** The upper bound of R_k. */
  public double bound(int k) {
    double spread = squares[k] + largest * largest;
    return Math.sqrt(regret.length * (1 + StrictMath.log(1 + Constants.WINDOW)) * spread);
  }

  /** Appends the number of experts (4) and what is known about each. */
  public void encode(Encoder out) {
    out.int32(regret.length);
    out.doubles(regret, regret.length);
    out.doubles(squares, squares.length);
    out.float64(largest);
  }

  /** Reads what {@link #encode} wrote for this many experts. */
  public static Mixture decode(Decoder in, int experts) throws ModelFileException {
    int n = in.int32("the experts", experts);
    Decoder.check(n == experts, "each expert must have a weight", n);
    Mixture mixture = new Mixture(n);
    mixture.regret = in.doubles(n, n);
    mixture.squares = in.doubles(n, n);
    mixture.largest = in.finite("the largest gain");
    Decoder.check(mixture.largest >= 0, "the largest gain must not be negative", mixture.largest);
    for (int k = 0; k < n; k++) {
      boolean isPossible = mixture.squares[k] + mixture.largest > 0 || mixture.regret[k] <= 0;
      Decoder.check(isPossible, "a regret must have a square", mixture.regret[k]);
    }
    mixture.findWeights();
    return mixture;
  }
}
