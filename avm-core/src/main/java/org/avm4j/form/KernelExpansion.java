package org.avm4j.form;

import java.util.stream.IntStream;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Kernel;

/**
 * The scores f_c(x) = Σ_j b_cj K(c_j, x) + β_c0 + Σ_i β_ci x_i of a frozen machine: one column c
 * for each class, or a single one. Immutable. The features of x count as floats, as the vectors do.
 */
public interface KernelExpansion {
  /** K. */
  Kernel kernel();

  /** The number of scores. */
  int columns();

  /** The number of vectors. */
  int size();

  /** d: the number of features known. */
  int dimension();

  /** c_j. */
  Features vector(int j);

  /** b_j in the score of a column. */
  double coefficient(int column, int j);

  /** c_j with b_j in each score. */
  default CorePoint corePoint(int j) {
    return new CorePoint(
        vector(j), IntStream.range(0, columns()).mapToObj(c -> coefficient(c, j)).toList());
  }

  /**
   * The linear part of the score of a column: β₀, then the coefficient of each feature; empty if
   * there is none.
   */
  double[] linear(int column);
}
