package org.avm4j;

import java.util.List;
import org.avm4j.data.Instance;

/** Small dense solves, the obvious way, to hold learners against. */
public final class Dense {
  private Dense() {}

  /** A⁻¹ b by elimination; both are overwritten. */
  public static double[] solve(double[][] a, double[] b) {
    int n = b.length;
    for (int p = 0; p < n; p++) {
      for (int i = p + 1; i < n; i++) {
        double factor = a[i][p] / a[p][p];
        for (int j = p; j < n; j++) {
          a[i][j] -= factor * a[p][j];
        }
        b[i] -= factor * b[p];
      }
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int j = i + 1; j < n; j++) {
        b[i] -= a[i][j] * b[j];
      }
      b[i] /= a[i][i];
    }
    return b;
  }

  /** Adds w k kᵀ to A and w z k to b. */
  public static void add(double[][] a, double[] b, double w, double z, double[] k) {
    for (int i = 0; i < k.length; i++) {
      b[i] += w * z * k[i];
      for (int j = 0; j < k.length; j++) {
        a[i][j] += w * k[i] * k[j];
      }
    }
  }

  public static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** The kernel values of a row against the first vectors of a core set; beyond them 0. */
  public static double[] kernels(Avm avm, Features x, int first) {
    double[] k = new double[avm.size()];
    for (int j = 0; j < first; j++) {
      Features c = avm.parts().state().core().vector(j);
      double squares = 0;
      for (int i = 0; i < Math.max(c.dimension(), x.dimension()); i++) {
        squares += Math.pow((float) x.get(i) - c.get(i), 2);
      }
      k[j] = avm.options().kernel().of(squares);
    }
    return k;
  }

  /** The same rows in the precision of core points. */
  public static List<Instance> floats(List<Instance> stream) {
    return stream.stream().map(i -> new Instance(floats(i.features()), i.label())).toList();
  }

  private static Features floats(Features x) {
    Features.Buffer buffer = new Features.Buffer();
    for (int e = 0; e < x.count(); e++) {
      buffer.add(x.index(e), (float) x.value(e));
    }
    return buffer.features().copy();
  }
}
