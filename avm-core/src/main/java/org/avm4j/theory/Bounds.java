package org.avm4j.theory;

import org.avm4j.AvmOptions;
import org.avm4j.Output;
import org.avm4j.internal.Rules;

/**
 * What the theorems of Section 6 promise for a choice of options. With A and B the constants of the
 * loss (Section 7), and the constants of Lemmas 16 and 17 in the appendix: ‖w_t‖² ≤ P² and α_t² ≤ M
 * in expectation, ‖h_t‖² ≤ H, ‖w_t - w*‖² ≤ W. They are worst cases; measured values are far
 * better.
 *
 * @param options the choices
 * @param yMax the largest |y|, 1 for classification
 */
public record Bounds(AvmOptions options, double yMax) {
  public Bounds {
    Rules.notNegative("y-max", yMax);
  }

  /** The bounds of a classifier. */
  public static Bounds of(AvmOptions options) {
    return new Bounds(options, Math.max(1, options.yMax()));
  }

  /** δ_Φ = √(2 (1 - k(δ²))): the diameter of the image of a cell (the coverage-image theorem). */
  public double featureDiameter() {
    double delta = options.coverage().diameter();
    return Math.sqrt(2 * (1 - options.kernel().of(delta * delta)));
  }

  /** A: 0, but for the ℓ2 loss y_max^(1/2) λ^(-1/4), or y_max^(1/2) (λ-1)^(-1/2) for λ > 1. */
  public double a() {
    if (!isSquared()) {
      return 0;
    }
    double lambda = options.regularization();
    return Math.sqrt(yMax)
        * (lambda <= 1 ? StrictMath.pow(lambda, -0.25) : 1 / Math.sqrt(lambda - 1));
  }

  /** B: y_max for the ℓ2 loss, 2 for the smooth hinge, otherwise 1. */
  public double b() {
    return isSquared() ? yMax : options.loss().bound();
  }

  /** P, a bound of ‖w_t‖. */
  public double p() {
    double lambda = options.regularization();
    double c = featureDiameter() + 1;
    double root = (c * a() + Math.sqrt(c * c * a() * a() + 4 * b() * lambda * c)) / (2 * lambda);
    return root * root;
  }

  /** M, a bound of α_t². */
  public double m() {
    double largest = Math.max(yMax, 1);
    return isSquared() ? 2 * (p() * p() + yMax * yMax) : largest * largest;
  }

  /** H, a bound of ‖h_t‖². */
  public double h() {
    double gradient = a() * Math.sqrt(p()) + b();
    double root = options.regularization() * p() + gradient + featureDiameter() * gradient;
    return root * root;
  }

  /** W, a bound of ‖w_t - w*‖². */
  public double w() {
    double delta = featureDiameter();
    double root = Math.sqrt(m()) * delta + Math.sqrt(m() * delta * delta + 2 * h());
    root /= 2 * options.regularization();
    return root * root;
  }

  /** H (log T + 1) / (2λT): the part of the regret of w̄_T that vanishes as the stream goes on. */
  public double regret(long t) {
    return h() * (StrictMath.log(t) + 1) / (2 * options.regularization() * t);
  }

  /**
   * d_T: the part of the regret of w̄_T that stays, δ_Φ (M W)^(1/2) times the mean of P(Z_t = 1).
   * Where Z_t depends on the instance the mean is taken as 1, the general case of the theorem.
   */
  public double gap(long t) {
    return featureDiameter() * Math.sqrt(m() * w()) * approximated(0, t) / t;
  }

  /** H log(1/(1-α)) / (2λαT): the part that vanishes for the α-suffix average. */
  public double suffixRegret(double alpha, long t) {
    return h() * -StrictMath.log1p(-alpha) / (2 * options.regularization() * alpha * t);
  }

  /**
   * The part that stays for the α-suffix average: λ(1-α)/(2α) W plus the gap over the last ⌈αT⌉
   * steps.
   */
  public double suffixGap(double alpha, long t) {
    long start = Output.suffix(alpha).start(t);
    double initial = options.regularization() * (1 - alpha) / (2 * alpha) * w();
    double rate = approximated(start, t) / (alpha * t);
    return initial + featureDiameter() * Math.sqrt(m() * w()) * rate;
  }

  /**
   * The model-size theorem: a bound of E[S_T] when the coverage has the given number of cells. It
   * is Σ_{t≤T} (1 - p_t) + cells; with p_t = max(0, 1 - β/t^ρ) the sum is at most β (log T + 1) for
   * ρ = 1, β T^(1-ρ)/(1-ρ) below, and β ζ(ρ), whatever T is, above.
   */
  public double modelSize(long t, double cells) {
    return Math.min(t, options.approximation().kept(t) + cells);
  }

  /** (4 D(X) / δ)^d: no stream in d dimensions whose diameter is D(X) makes more cells. */
  public double cells(double domainDiameter, int d) {
    return StrictMath.pow(4 * domainDiameter / options.coverage().diameter(), d);
  }

  /**
   * Σ P(Z_t = 1) over the steps after {@code from} up to {@code to}; beyond a million terms the
   * last probability stands for all.
   */
  private double approximated(long from, long to) {
    long end = Math.min(to, from + 1_000_000);
    double sum = 0;
    for (long t = from + 1; t <= end; t++) {
      sum += options.approximation().probability(t);
    }
    return sum + (to - end) * options.approximation().probability(to);
  }

  private boolean isSquared() {
    return options.loss().isQuadratic();
  }
}
