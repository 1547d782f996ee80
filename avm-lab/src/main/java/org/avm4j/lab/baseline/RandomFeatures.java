package org.avm4j.lab.baseline;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.math.SplitMix;

/**
 * Random Fourier features (Rahimi, Recht, NIPS 2007) of the kernel exp(-γ‖x - x'‖²): with D
 * frequencies u_d drawn from N(0, 2γ I), z(x) = D^(-1/2) (sin u_dᵀx, cos u_dᵀx) has z(x)ᵀz(x') near
 * K(x, x').
 *
 * <p>The frequencies of a feature are drawn when it first appears, by a generator that depends only
 * on the seed and the index of the feature. They therefore do not depend on the order in which
 * features appear, and need not be saved.
 */
final class RandomFeatures {
  private static final double LARGEST = 1e15;

  private final double gamma;
  private final int frequencies;
  private final double factor;
  private final long seed;
  private final double[] phases;
  private final double[] sines;
  private final double[] cosines;
  private double[][] u = {};

  /** {@code factor} is D^(-1/2), or 1 for the features of the toolboxes. */
  RandomFeatures(double gamma, int frequencies, double factor, long seed) {
    this.gamma = gamma;
    this.frequencies = frequencies;
    this.factor = factor;
    this.seed = seed;
    phases = new double[frequencies];
    sines = new double[frequencies];
    cosines = new double[frequencies];
  }

  static RandomFeatures of(BaselineOptions options) {
    double factor = options.toolbox() ? 1 : 1 / Math.sqrt(options.features());
    return new RandomFeatures(options.gamma(), options.features(), factor, options.seed());
  }

  /** The same features for another thread; the frequencies known so far are shared. */
  RandomFeatures twin() {
    RandomFeatures twin = new RandomFeatures(gamma, frequencies, factor, seed);
    twin.u = u.clone();
    return twin;
  }

  /** The number of features, 2D. */
  int size() {
    return 2 * frequencies;
  }

  /** Computes z(x). */
  void apply(Features x, double[] z) {
    Arrays.fill(phases, 0);
    int i = 0;
    for (; i + 2 <= x.count(); i += 2) {
      addTwo(x.value(i), of(x.index(i)), x.value(i + 1), of(x.index(i + 1)));
    }
    if (i < x.count()) {
      add(x.value(i), of(x.index(i)), frequencies, phases);
    }
    SineCosine.of(phases, sines, cosines, frequencies, factor);
    System.arraycopy(sines, 0, z, 0, frequencies);
    System.arraycopy(cosines, 0, z, frequencies, frequencies);
  }

  private void addTwo(double s, double[] v, double r, double[] w) {
    for (int d = 0; d < frequencies; d++) {
      phases[d] += s * v[d] + r * w[d];
    }
  }

  /** z ← z + s v. */
  static void add(double s, double[] v, int n, double[] z) {
    for (int d = 0; d < n; d++) {
      z[d] += s * v[d];
    }
  }

  /** Throws an exception for values that are too large, as the kernel learners do. */
  static void check(Features x) {
    for (int i = 0; i < x.count(); i++) {
      if (Math.abs(x.value(i)) > LARGEST) {
        throw new IllegalArgumentException(
            "feature " + x.index(i) + " must be within ±1e15, scale it first: " + x.value(i));
      }
    }
  }

  private double[] of(int feature) {
    if (feature >= u.length) {
      u = Arrays.copyOf(u, Math.max(feature + 1, 2 * u.length));
    }
    if (u[feature] == null) {
      u[feature] = draw(feature);
    }
    return u[feature];
  }

  /** Draws by the Box-Muller method, with StrictMath for equal results on all machines. */
  private double[] draw(int feature) {
    SplitMix random = new SplitMix(new SplitMix(seed ^ (feature * 0xD1342543DE82EF95L)).nextLong());
    double[] drawn = new double[frequencies];
    for (int d = 0; d < frequencies; d += 2) {
      double radius = StrictMath.sqrt(-4 * gamma * StrictMath.log(1 - random.getAsDouble()));
      double angle = 2 * Math.PI * random.getAsDouble();
      drawn[d] = radius * StrictMath.cos(angle);
      if (d + 1 < frequencies) {
        drawn[d + 1] = radius * StrictMath.sin(angle);
      }
    }
    return drawn;
  }
}
