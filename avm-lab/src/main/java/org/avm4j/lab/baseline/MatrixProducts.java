package org.avm4j.lab.baseline;

import java.util.Arrays;
import org.avm4j.math.Vectors;

/** Matrix-vector products, four columns at a time; most of the work of the costly baselines. */
final class MatrixProducts {
  private MatrixProducts() {}

  /**
   * Sets the first n entries of out to those of Σ_j k_j column_j over the first {@code count}
   * columns.
   */
  static void of(double[][] columns, double[] k, int count, double[] out, int n) {
    Arrays.fill(out, 0, n, 0);
    int whole = count & ~3;
    for (int j = 0; j < whole; j += 4) {
      Vectors.addFour(
          k[j],
          columns[j],
          k[j + 1],
          columns[j + 1],
          k[j + 2],
          columns[j + 2],
          k[j + 3],
          columns[j + 3],
          out,
          n);
    }
    for (int j = whole; j < count; j++) {
      Vectors.add(k[j], columns[j], out, n);
    }
  }
}
