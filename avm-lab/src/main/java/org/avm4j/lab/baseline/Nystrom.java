package org.avm4j.lab.baseline;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Vectors;

/**
 * Features of a low-rank kernel (Williams, Seeger, NIPS 2001): with the largest eigenpairs (λ_i,
 * v_i) of the matrix K of n vectors, z_i(x) = λ_i^(-1/2) v_iᵀ k(x), where k(x) holds the K(x_j, x).
 * Then z(x)ᵀz(x') is the kernel projected onto the span of those eigenvectors; with all of them it
 * is exact on the vectors. Eigenvalues that are 0 but for rounding are left out.
 */
record Nystrom(double[][] rows) {
  /** Below this part of the largest an eigenvalue is nothing but rounding. */
  private static final double LEAST = 1e-7;

  static Nystrom of(double[][] matrix, int rank) {
    SymmetricEigen eigen = SymmetricEigen.of(matrix);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < rank && eigen.value(i) > LEAST * eigen.value(0); i++) {
      double[] row = eigen.vector(i).clone();
      for (int j = 0; j < row.length; j++) {
        row[j] /= Math.sqrt(eigen.value(i));
      }
      rows.add(row);
    }
    return new Nystrom(rows.toArray(double[][]::new));
  }

  /** The number of features, at most the rank asked for. */
  int size() {
    return rows.length;
  }

  /** z from k. */
  void apply(double[] k, double[] z) {
    for (int i = 0; i < rows.length; i++) {
      z[i] = Vectors.dot(rows[i], k, rows[i].length);
    }
  }

  /** The α with Σ_j α_j K(x_j, x) = wᵀz(x). */
  double[] coefficients(double[] w) {
    double[] alpha = new double[rows[0].length];
    for (int i = 0; i < rows.length; i++) {
      RandomFeatures.add(w[i], rows[i], alpha.length, alpha);
    }
    return alpha;
  }

  void encode(Encoder out) {
    out.int32(rows.length);
    for (double[] row : rows) {
      out.doubles(row, row.length);
    }
  }

  static Nystrom decode(Decoder in, int vectors) throws ModelFileException {
    int count = in.int32("the rank", vectors);
    Decoder.check(count > 0, "the rank must be positive", count);
    double[][] rows = new double[count][];
    for (int i = 0; i < count; i++) {
      rows[i] = in.doubles(vectors, 0);
    }
    return new Nystrom(rows);
  }
}
