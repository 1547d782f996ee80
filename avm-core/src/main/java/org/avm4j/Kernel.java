package org.avm4j;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Words;

/**
 * An isotropic positive semi-definite kernel K(x, x') = k(‖x - x'‖²) with k(0) = 1 that decreases
 * with the distance (Section 4). The parameter γ is always called {@code gamma}. To add a kernel,
 * add a record.
 */
public sealed interface Kernel
    permits Kernels.Gaussian,
        Kernels.Laplacian,
        Kernels.RationalQuadratic,
        Kernels.Matern32,
        Kernels.Matern52 {
  /** The name of this kernel on the command line. */
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

  /** k(d²), the definition of the kernel. */
  double of(double squaredDistance);

  /** k'(d²): the derivative by the squared distance; 0 at d = 0 if it does not exist there. */
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
  static Kernel gaussian(double gamma) {
    return new Kernels.Gaussian(gamma);
  }

  /** exp(-γ d). */
  static Kernel laplacian(double gamma) {
    return new Kernels.Laplacian(gamma);
  }

  /** 1 / (1 + γ d²). */
  static Kernel rationalQuadratic(double gamma) {
    return new Kernels.RationalQuadratic(gamma);
  }

  /** (1 + s) exp(-s) with s = √3 γ d. */
  static Kernel matern32(double gamma) {
    return new Kernels.Matern32(gamma);
  }

  /** (1 + s + s²/3) exp(-s) with s = √5 γ d. */
  static Kernel matern52(double gamma) {
    return new Kernels.Matern52(gamma);
  }
}
