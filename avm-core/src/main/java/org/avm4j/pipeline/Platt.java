package org.avm4j.pipeline;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Platt scaling, online: P(yes | s) = 1 / (1 + exp(-(a s + b))). Given are scores and outcomes one
 * pair at a time; minimised over a and b is Σ_i v_i log(1 + exp(-y_i (a s_i + b))) with y = ±1, by
 * one Newton step a pair:
 *
 * <pre>(a, b) += (H + D)^-1 (1{yes} - p) (s, 1),   H = Σ_i v_i p_i (1 - p_i) (s_i, 1)(s_i, 1)ᵀ
 * </pre>
 *
 * <p>Until t reaches the horizon, pair i of t has the weight v_i = i/t, so that the answers of a
 * young learner are forgotten; from then on weights fall by 1 - 1/horizon with each pair. D is
 * diagonal, with the mean square of the scores and 1. It only shortens steps, so that no pair moves
 * its own logit by more than about 2, and does not change the fit to which they converge. Apart
 * from b, a score of typical size gets a logit of at most 10, so that a fit to the tiny first
 * scores of a learner does not persist.
 */
final class Platt {
  private static final int WEIGHT = 0;
  private static final int SQUARES = 1;
  private static final int CURVED_SQUARES = 2;
  private static final int CURVED_SCORES = 3;
  private static final int CURVED = 4;
  private static final double LARGEST = 1e100;
  private static final double LARGEST_LOGIT = 10;

  private final double horizon;
  private double t;
  private final double[] sums = new double[5];
  private double a;
  private double b;

  /** A fit in which every score has probability 1/2. */
  Platt(double horizon) {
    this.horizon = horizon;
  }

  /** a. */
  double slope() {
    return a;
  }

  /** b. */
  double offset() {
    return b;
  }

  /** P(yes | score) for a fit with this slope and offset. */
  static double probability(double slope, double offset, double score) {
    return logistic(slope * bounded(score) + offset);
  }

  /** 1 / (1 + exp(-u)), the same bits on every machine. */
  static double logistic(double u) {
    double e = StrictMath.exp(-Math.abs(u));
    return u >= 0 ? 1 / (1 + e) : e / (1 + e);
  }

  void learn(double score, boolean yes) {
    double s = bounded(score);
    double p = probability(a, b, s);
    double curvature = p * (1 - p);
    t = Math.min(t + 1, horizon);
    double[] terms = {1, s * s, curvature * s * s, curvature * s, curvature};
    for (int i = 0; i < sums.length; i++) {
      sums[i] = (1 - 1 / t) * sums[i] + terms[i];
    }
    step(s, (yes ? 1 : 0) - p);
  }

  private void step(double s, double gradient) {
    double ss = sums[CURVED_SQUARES] + sums[SQUARES] / sums[WEIGHT];
    double s1 = sums[CURVED_SCORES];
    double one = sums[CURVED] + 1;
    double determinant = ss * one - s1 * s1;
    if (determinant > 0) {
      a += (one * s - s1) / determinant * gradient;
      b += (ss - s1 * s) / determinant * gradient;
    } else {
      b += gradient / one;
    }
    double usual = Math.sqrt(sums[SQUARES] / sums[WEIGHT]);
    double steepest = usual > 0 ? LARGEST_LOGIT / usual : 0;
    a = Math.max(-steepest, Math.min(steepest, a));
  }

  private static double bounded(double score) {
    return Math.max(-LARGEST, Math.min(LARGEST, score));
  }

  void encode(Encoder out) {
    out.float64(t);
    out.float64(a);
    out.float64(b);
    for (double sum : sums) {
      out.float64(sum);
    }
  }

  static Platt decode(Decoder in, double horizon) throws ModelFileException {
    Platt platt = new Platt(horizon);
    platt.t = in.finite("the pairs");
    Decoder.check(platt.t >= 0 && platt.t <= horizon, "pairs must be at most " + horizon, platt.t);
    platt.a = in.finite("the slope");
    platt.b = in.finite("the offset");
    for (int i = 0; i < platt.sums.length; i++) {
      platt.sums[i] = in.finite("a sum of the calibration");
    }
    return platt;
  }
}
