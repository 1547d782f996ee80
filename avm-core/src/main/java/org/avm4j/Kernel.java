package org.avm4j;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Exp;
import org.avm4j.internal.Rules;
import org.avm4j.internal.Words;

/**
 * An isotropic positive semi-definite kernel K(x, x') = k(‖x - x'‖²) with k(0) = 1, falling in the
 * distance (Section 4). The parameter γ is always called {@code gamma}. To add a kernel, add a
 * record.
 */
public sealed interface Kernel {
  /** The word of the command line. */
  default String word() {
    return Words.of((Record) this);
  }

  /** γ. */
  double gamma();

  /** The same kernel with another γ. */
  Kernel withGamma(double gamma);

  /** Whether the kernel is a function of γ d², not of γ d. */
  default boolean isOfSquare() {
    return false;
  }

  /** Appends a tag (4) and γ (8). */
  default void encode(Encoder out) {
    AvmCodec.encode(out, this);
  }

  /** The kernel that was appended. */
  static Kernel decode(Decoder in) throws ModelFileException {
    return AvmCodec.decodeKernel(in);
  }

  /** k(d²): the meaning of the kernel. */
  double of(double squaredDistance);

  /** k'(d²): the derivative by the squared distance; 0 where there is none, at d = 0. */
  double slope(double squaredDistance);

  /**
   * k for n squared distances at once, to the precision of floats: out_j = k(squaredDistance_j).
   */
  default void of(float[] squaredDistance, float[] out, int n) {
    for (int j = 0; j < n; j++) {
      out[j] = (float) of(squaredDistance[j]);
    }
  }

  /** exp(-γ d²). */
  record Gaussian(double gamma) implements Kernel {
    public Gaussian {
      Rules.positive("gamma", gamma);
    }

    @Override
    public Kernel withGamma(double gamma) {
      return new Gaussian(gamma);
    }

    @Override
    public boolean isOfSquare() {
      return true;
    }

    @Override
    public double of(double squaredDistance) {
      return StrictMath.exp(-gamma * squaredDistance);
    }

    @Override
    public double slope(double squaredDistance) {
      return -gamma * of(squaredDistance);
    }

    @Override
    public void of(float[] squaredDistance, float[] out, int n) {
      Exp.ofNegative(-Exp.factor(gamma), squaredDistance, out, n);
    }
  }

  /** exp(-γ d). */
  record Laplacian(double gamma) implements Kernel {
    public Laplacian {
      Rules.positive("gamma", gamma);
    }

    @Override
    public Kernel withGamma(double gamma) {
      return new Laplacian(gamma);
    }

    @Override
    public double of(double squaredDistance) {
      return StrictMath.exp(-gamma * Math.sqrt(squaredDistance));
    }

    @Override
    public double slope(double squaredDistance) {
      double d = Math.sqrt(squaredDistance);
      return d == 0 ? 0 : -gamma / (2 * d) * of(squaredDistance);
    }

    @Override
    public void of(float[] squaredDistance, float[] out, int n) {
      Exp.ofNegativeRoots(Exp.factor(gamma), squaredDistance, out, n);
    }
  }

  /** 1 / (1 + γ d²). */
  record RationalQuadratic(double gamma) implements Kernel {
    public RationalQuadratic {
      Rules.positive("gamma", gamma);
    }

    @Override
    public Kernel withGamma(double gamma) {
      return new RationalQuadratic(gamma);
    }

    @Override
    public boolean isOfSquare() {
      return true;
    }

    @Override
    public double of(double squaredDistance) {
      return 1 / (1 + gamma * squaredDistance);
    }

    @Override
    public double slope(double squaredDistance) {
      double k = of(squaredDistance);
      return -gamma * k * k;
    }
  }

  /** (1 + s) exp(-s) with s = √3 γ d. */
  record Matern32(double gamma) implements Kernel {
    public Matern32 {
      Rules.positive("gamma", gamma);
    }

    @Override
    public Kernel withGamma(double gamma) {
      return new Matern32(gamma);
    }

    @Override
    public double of(double squaredDistance) {
      double s = Math.min(gamma * Math.sqrt(3 * squaredDistance), Exp.UNDERFLOW);
      return (1 + s) * StrictMath.exp(-s);
    }

    @Override
    public double slope(double squaredDistance) {
      double s = Math.min(gamma * Math.sqrt(3 * squaredDistance), Exp.UNDERFLOW);
      return -1.5 * gamma * gamma * StrictMath.exp(-s);
    }

    @Override
    public void of(float[] squaredDistance, float[] out, int n) {
      float factor = Exp.factor(gamma * Math.sqrt(3));
      Exp.ofNegativeRoots(factor, squaredDistance, out, n);
      for (int j = 0; j < n; j++) {
        out[j] *= 1 + Math.min(factor * (float) Math.sqrt(squaredDistance[j]), -Exp.LEAST);
      }
    }
  }

  /** (1 + s + s²/3) exp(-s) with s = √5 γ d. */
  record Matern52(double gamma) implements Kernel {
    public Matern52 {
      Rules.positive("gamma", gamma);
    }

    @Override
    public Kernel withGamma(double gamma) {
      return new Matern52(gamma);
    }

    @Override
    public double of(double squaredDistance) {
      double s = Math.min(gamma * Math.sqrt(5 * squaredDistance), Exp.UNDERFLOW);
      return (1 + s + s * s / 3) * StrictMath.exp(-s);
    }

    @Override
    public double slope(double squaredDistance) {
      double s = Math.min(gamma * Math.sqrt(5 * squaredDistance), Exp.UNDERFLOW);
      return -5.0 / 6 * gamma * gamma * (1 + s) * StrictMath.exp(-s);
    }

    @Override
    public void of(float[] squaredDistance, float[] out, int n) {
      float factor = Exp.factor(gamma * Math.sqrt(5));
      Exp.ofNegativeRoots(factor, squaredDistance, out, n);
      for (int j = 0; j < n; j++) {
        float s = Math.min(factor * (float) Math.sqrt(squaredDistance[j]), -Exp.LEAST);
        out[j] *= 1 + s + s * s / 3;
      }
    }
  }
}
