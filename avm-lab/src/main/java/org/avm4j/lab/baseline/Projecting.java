package org.avm4j.lab.baseline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * The Projectron (Orabona, Keshet, Caputo, JMLR 10, 2009): instead of a new vector, f gets the
 * projection of Φ(x_t) onto the span of its vectors.
 *
 * <p>The projection is Σ_j d_j Φ(x_j) with d = K⁻¹ k_t, and its squared error is δ² = 1 - k_tᵀd.
 * x_t becomes a vector if δ exceeds a threshold and there is room; the toolboxes project only if
 * there is no room. K⁻¹ is stored and grows by a row and a column per vector. Projectron++ also
 * adds a fraction τ of the projection at a margin error, if this certainly brings f nearer to the
 * best one.
 */
final class Projecting implements Budget {
  /** Since distances are floats, a δ² below this may be only rounding error. */
  private static final double LEAST = 1e-6;

  /** The fraction of the projection that is added at a margin error. */
  sealed interface Margin {
    /**
     * τ, for the loss 1 - y f(x), the squared error δ² of the projection and its squared norm p.
     */
    double part(double loss, double deltaSquared, double p);

    /** Whether margin errors cause steps at all. */
    default boolean learns() {
      return true;
    }
  }

  /** Projectron: no steps at margin errors. */
  record Nothing() implements Margin {
    @Override
    public boolean learns() {
      return false;
    }

    @Override
    public double part(double loss, double deltaSquared, double p) {
      return 0;
    }
  }

  /** Projectron++ in the paper: τ = min(ℓ/p, 2(ℓ - δ/η)/p, 1), if ℓ > δ/η. */
  record Sure(double eta) implements Margin {
    @Override
    public double part(double loss, double deltaSquared, double p) {
      double gain = loss - Math.sqrt(deltaSquared) / eta;
      return gain <= 0 ? 0 : Math.min(1, Math.min(loss, 2 * gain) / p);
    }
  }

  /**
   * Projectron++ in the toolboxes: τ = min(ℓ/p, 1), if τ(2ℓ - τp - 2Uδ) ≥ 0, where U = ¼ √((B+1) /
   * ln(B+1)) bounds the norm of the best f.
   */
  record Bounded(double u) implements Margin {
    static Bounded forBudget(int budget) {
      return new Bounded(Math.sqrt((budget + 1) / StrictMath.log(budget + 1.0)) / 4);
    }

    @Override
    public double part(double loss, double deltaSquared, double p) {
      double tau = Math.min(loss / p, 1);
      return 2 * loss - tau * p - 2 * u * Math.sqrt(deltaSquared) >= 0 ? tau : 0;
    }
  }

  private final int most;
  private final double least;
  private final Margin margin;
  private double[][] inverse = {};
  private double[] d = {};
  private double deltaSquared;

  Projecting(int most, double threshold, Margin margin) {
    this.most = most;
    this.least = Math.max(LEAST, threshold * threshold);
    this.margin = margin;
  }

  @Override
  public int most() {
    return most;
  }

  @Override
  public void admit(Expansion f, LabelStep labelStep) {
    project(f);
    if (f.size() < most && deltaSquared > least) {
      f.add(labelStep);
      grow(f.size());
    } else {
      f.addAll(0, labelStep.step(), d);
    }
  }

  /** Makes a step if the instance is a margin error. */
  @Override
  public void pass(Expansion f, LabelStep labelStep) {
    double loss = 1 - labelStep.margin();
    if (loss <= 0 || !margin.learns()) {
      return;
    }
    project(f);
    double tau = margin.part(loss, deltaSquared, 1 - deltaSquared);
    if (tau > 0) {
      f.addAll(0, labelStep.direction() * tau, d);
    }
  }

  private void project(Expansion f) {
    double[] k = f.kernels();
    int n = f.size();
    Vectors.multiply(k, inverse, n, d, n);
    deltaSquared = Math.min(1, Math.max(0, 1 - Vectors.dot(d, k, n)));
  }

  /** K⁻¹ ← (K⁻¹ 0; 0 0) + (d; -1)(d; -1)ᵀ / δ². */
  private void grow(int n) {
    reserve(n);
    d[n - 1] = -1;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        inverse[i][j] += d[i] * d[j] / deltaSquared;
      }
    }
  }

  private void reserve(int n) {
    if (n > d.length) {
      int capacity = Math.min(most, n + n / 2 + 8);
      d = Arrays.copyOf(d, capacity);
      double[][] wider = new double[capacity][capacity];
      for (int i = 0; i < inverse.length; i++) {
        System.arraycopy(inverse[i], 0, wider[i], 0, inverse.length);
      }
      inverse = wider;
    }
  }

  @Override
  public void encode(Encoder out, int size) {
    for (int i = 0; i < size; i++) {
      out.doubles(inverse[i], size);
    }
  }

  @Override
  public void decode(Decoder in, int size) throws ModelFileException {
    d = new double[size];
    inverse = in.rows(size, size);
  }
}
