package org.avm4j;

import org.avm4j.internal.Exp;
import org.avm4j.internal.Rules;

/** The kernels behind the factories of {@link Kernel}, one record each. */
final class Kernels {
  private Kernels() {}

  /** {@link Kernel#gaussian}. */
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

  /** {@link Kernel#laplacian}. */
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

  /** {@link Kernel#rationalQuadratic}. */
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

  /** {@link Kernel#matern32}. */
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

  /** {@link Kernel#matern52}. */
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
