package org.avm4j.lab.baseline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SymmetricEigen;
import org.avm4j.math.Vectors;

/**
 * Features of a low-rank kernel (Williams, Seeger, NIPS 2001): with the largest eigenpairs (λ_i,
 * v_i) of the matrix K of n vectors, z_i(x) = λ_i^(-1/2) v_iᵀ k(x), where k(x) holds the K(x_j, x).
 * Then z(x)ᵀz(x') is the kernel projected onto the span of those eigenvectors; with all of them it
 * is exact on the vectors. Eigenvalues that are 0 up to rounding are left out.
 */
record Nystrom(double[][] columns) {
  /** Fraction of the largest eigenvalue below which an eigenvalue is only rounding error. */
  private static final double LEAST = 1e-7;

  /** The map of a kernel matrix; it has a column for each vector, with z = Σ_j k_j column_j. */
  static Nystrom of(double[][] matrix, int rank) {
    SymmetricEigen eigen = SymmetricEigen.of(matrix);
    int size = 0;
    while (size < rank && eigen.value(size) > LEAST * eigen.value(0)) {
      size++;
    }
    double[][] columns = new double[matrix.length][size];
    for (int i = 0; i < size; i++) {
      double[] vector = eigen.vector(i);
      for (int j = 0; j < vector.length; j++) {
        columns[j][i] = vector[j] / Math.sqrt(eigen.value(i));
      }
    }
    return new Nystrom(columns);
  }

  /** The number of features, at most the given rank. */
  int size() {
    return columns[0].length;
  }

  /** Computes z from k. */
  void apply(double[] k, double[] z) {
    Vectors.multiply(k, columns, columns.length, z, size());
  }

  /** The α with Σ_j α_j K(x_j, x) = wᵀz(x). */
  double[] coefficients(double[] w) {
    double[] alpha = new double[columns.length];
    Arrays.setAll(alpha, j -> Vectors.dot(columns[j], w, size()));
    return alpha;
  }

  void encode(Encoder out) {
    out.int32(size());
    for (double[] column : columns) {
      out.doubles(column, size());
    }
  }

  static Nystrom decode(Decoder in, int vectors) throws ModelFileException {
    int count = in.int32("the rank", vectors);
    Decoder.check(count > 0, "the rank must be positive", count);
    return new Nystrom(in.rows(vectors, count));
  }
}
