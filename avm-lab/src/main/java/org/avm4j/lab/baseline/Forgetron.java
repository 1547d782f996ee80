package org.avm4j.lab.baseline;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The self-tuned Forgetron (Dekel, Shalev-Shwartz, Singer, SIAM J. Computing 37(5), 2008): first f
 * is shrunk by φ, then the oldest vector is forgotten.
 *
 * <p>Let σ be the absolute coefficient of the oldest vector r before shrinking, f' be f with the
 * new instance, and μ = y_r f'(x_r). Forgetting r costs at most Ψ(φ) = (φσ)² + 2φσ(1 - φμ). φ is
 * the largest number in (0, 1] for which the sum Q of all costs is at most 15/32 of the number M of
 * mistakes, as the mistake bound requires.
 *
 * <p>If σ < 2μ and Ψ(1) exceeds the remaining room, the toolboxes take the other root of Ψ(φ) =
 * room, which is above 1, so that f grows. The published figures of KOL are of that variant.
 *
 * <p>For regression, which the paper does not cover, everything is measured in units of the step η,
 * and y_r is the sign of the coefficient.
 */
final class Forgetron implements Budget {
  private static final double SHARE = 15.0 / 32;

  private final int most;
  private final double unit;
  private final boolean grows;
  private long mistakes;
  private double cost;

  /** {@code grows} selects the variant of the toolboxes. */
  Forgetron(int most, double unit, boolean grows) {
    this.most = most;
    this.unit = unit;
    this.grows = grows;
  }

  @Override
  public int most() {
    return most;
  }

  @Override
  public void admit(Expansion f, LabelStep labelStep) {
    mistakes++;
    if (f.size() < most) {
      f.add(labelStep);
    } else {
      forget(f, f.oldest(), labelStep);
    }
  }

  private void forget(Expansion f, int r, LabelStep labelStep) {
    double alpha = f.coefficient(0, r);
    double sigma = Math.abs(alpha) / unit;
    double after = f.valueAt(0, r) + labelStep.step() * f.kernels()[r];
    double mu = Math.signum(alpha) * after / unit;
    double phi = factor(sigma, mu, SHARE * mistakes - cost);
    cost += psi(phi, sigma, mu);
    f.shrink(phi);
    f.replace(r, labelStep.times(phi));
  }

  private double factor(double sigma, double mu, double room) {
    double phi = shrinking(sigma, mu, room);
    double a = sigma * sigma - 2 * sigma * mu;
    return grows && phi < 1 && a < 0 ? -room / (a * phi) : phi;
  }

  /** The largest φ in (0, 1] with Ψ(φ) ≤ room, where room > 0. */
  static double shrinking(double sigma, double mu, double room) {
    if (psi(1, sigma, mu) <= room) {
      return 1;
    }
    double a = sigma * sigma - 2 * sigma * mu;
    return 2 * room / (2 * sigma + Math.sqrt(4 * sigma * sigma + 4 * a * room));
  }

  /** Ψ(φ). */
  static double psi(double phi, double sigma, double mu) {
    return phi * sigma * (phi * sigma + 2 * (1 - phi * mu));
  }

  @Override
  public void encode(Encoder out, int size) {
    out.int64(mistakes);
    out.float64(cost);
  }

  @Override
  public void decode(Decoder in, int size) throws ModelFileException {
    mistakes = in.count("the number of mistakes");
    cost = in.finite("the cost of forgetting");
  }
}
