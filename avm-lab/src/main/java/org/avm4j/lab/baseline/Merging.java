package org.avm4j.lab.baseline;

import org.avm4j.Features;

/**
 * BSGD with merging (Wang, Crammer, Vucetic, JMLR 13, 2012): the vector m of smallest norm and
 * another vector n become a single vector z = h x_m + (1 - h) x_n.
 *
 * <p>With κ = K(x_m, x_n) the kernel gives K(x_m, z) = κ^((1-h)²) and K(x_n, z) = κ^(h²), the best
 * coefficient of z in column c is α_mc κ^((1-h)²) + α_nc κ^(h²), and f changes by ‖Σ‖² = Σ_c (α_mc²
 * + α_nc² + 2κ α_mc α_nc - α_zc²). h and n are chosen for the smallest change: h by golden section,
 * n by trying all. If coefficients have the same sign, z is between the vectors, else beyond the
 * heavier one.
 */
final class Merging implements Budget {
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final double TOLERANCE = 1e-4;
  private static final double REACH = 5;

  private final int most;

  Merging(int most) {
    this.most = most;
  }

  @Override
  public int most() {
    return most;
  }

  @Override
  public void admit(Expansion f, LabelStep labelStep) {
    f.add(labelStep);
    if (f.size() > most) {
      merge(f);
    }
  }

  private static void merge(Expansion f) {
    int m = f.smallest();
    double[] k = f.kernelsOf(m);
    Pair best = null;
    int n = -1;
    for (int j = 0; j < f.size(); j++) {
      Pair pair = j == m ? null : Pair.of(f, m, j, k[j]);
      if (pair != null && (best == null || pair.change() < best.change())) {
        best = pair;
        n = j;
      }
    }
    become(f, m, n, best);
  }

  private static void become(Expansion f, int m, int n, Pair pair) {
    for (int c = 0; c < f.columns(); c++) {
      double alpha = f.coefficient(c, m) * pair.ofM() + f.coefficient(c, n) * pair.ofN();
      f.coefficient(c, m, alpha);
    }
    f.move(m, between(f.vector(m), f.vector(n), pair.h));
    f.remove(n);
  }

  /** h x + (1 - h) z. */
  static Features between(Features x, Features z, double h) {
    Features.Buffer buffer = new Features.Buffer();
    int i = 0;
    int j = 0;
    while (i < x.count() || j < z.count()) {
      int a = i < x.count() ? x.index(i) : Integer.MAX_VALUE;
      int b = j < z.count() ? z.index(j) : Integer.MAX_VALUE;
      double ofX = a <= b ? x.value(i++) : 0;
      double ofZ = b <= a ? z.value(j++) : 0;
      buffer.add(Math.min(a, b), h * ofX + (1 - h) * ofZ);
    }
    return buffer.features();
  }

  /**
   * Two vectors and a place on the line through them.
   *
   * @param mm Σ_c α_mc²
   * @param mn Σ_c α_mc α_nc
   * @param nn Σ_c α_nc²
   * @param logK ln κ
   * @param h the place
   */
  record Pair(double mm, double mn, double nn, double logK, double h) {
    static Pair of(Expansion f, int m, int n, double kappa) {
      Pair any =
          new Pair(f.product(m, m), f.product(m, n), f.product(n, n), StrictMath.log(kappa), 0);
      if (any.mn >= 0) {
        return any.at(1).better(any).better(any.search(0, 1));
      }
      return any.mm > any.nn ? any.search(1, 1 + REACH) : any.search(-REACH, 0);
    }

    /** ‖f - f_merged‖². */
    double change() {
      return mm + nn + 2 * StrictMath.exp(logK) * mn - norm();
    }

    /** K(x_m, z). */
    double ofM() {
      return StrictMath.exp(logK * (1 - h) * (1 - h));
    }

    /** K(x_n, z). */
    double ofN() {
      return StrictMath.exp(logK * h * h);
    }

    /** Σ_c α_zc². */
    double norm() {
      double m = ofM();
      double n = ofN();
      return mm * m * m + 2 * mn * m * n + nn * n * n;
    }

    private Pair at(double place) {
      return new Pair(mm, mn, nn, logK, place);
    }

    private Pair better(Pair other) {
      return other.norm() > norm() ? other : this;
    }

    /** The largest norm in [from, to], by golden section. */
    private Pair search(double from, double to) {
      double low = from;
      double width = to - from;
      double left = normAt(low + (1 - GOLDEN) * width);
      double right = normAt(low + GOLDEN * width);
      while (width > TOLERANCE) {
        boolean goLeft = left > right;
        low = goLeft ? low : low + (1 - GOLDEN) * width;
        width *= GOLDEN;
        if (goLeft) {
          right = left;
          left = normAt(low + (1 - GOLDEN) * width);
        } else {
          left = right;
          right = normAt(low + GOLDEN * width);
        }
      }
      return at(low + width / 2);
    }

    private double normAt(double place) {
      return at(place).norm();
    }
  }
}
