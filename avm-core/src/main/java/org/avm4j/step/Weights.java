package org.avm4j.step;

import org.avm4j.Coverage;
import org.avm4j.Output;
import org.avm4j.Update;
import org.avm4j.codec.Encoder;
import org.avm4j.points.Interpolation;
import org.avm4j.points.KernelRow;

/**
 * The coefficients of the vectors, one column for each class or just one. {@link Update} says how a
 * step moves them.
 */
public interface Weights {
  /** How the columns and vectors of another learner correspond to those of this one in a merge. */
  interface Placement {
    /** The column in this learner of each column of the other. */
    int[] columns();

    /** The vector in this learner for each vector of the other, or {@link Coverage#NONE}. */
    int[] places();

    /**
     * The matrix that maps kernel values at this learner's former vectors to those at the united
     * vectors.
     */
    double[][] fromThis();

    /** The matrix that maps kernel values at the other's vectors to those at the united vectors. */
    double[][] fromOther();
  }

  /** The number of steps begun. */
  long t();

  /** Adds a column for a new class. */
  void addColumn();

  /**
   * Makes room for n vectors.
   *
   * @param history how past kernel values of the new vector follow from those of the others; null
   *     if unknown
   */
  void grow(int n, Interpolation.Near history);

  /** Makes room for vector n; the row holds its kernel values with the others. */
  default void grow(int n, KernelRow row) {
    grow(n, (Interpolation.Near) null);
  }

  /** Gives each new vector its exact history from now on, up to a limit of vectors. */
  default void rememberExactly(int most) {}

  /** Whether a new vector gets its exact history from {@link #grow(int, KernelRow)}. */
  default boolean remembersExactly() {
    return false;
  }

  /**
   * Removes vector j, which is absorbed by another one or, if {@code into} is negative, by none;
   * the last vector takes its place. The core set must still hold vector j.
   */
  void remove(int j, int into);

  /** Whether w_{t+1} gives vector j a coefficient of 0. */
  boolean isZero(int j);

  /** Reads the instance that the row has measured, before it is scored or learned. */
  default void read(KernelRow row) {}

  /** The number of columns, including those for classes still to come. */
  int columns();

  /** w_tᵀΦ(x), the score before step t of the instance that was read. */
  double score(int column, KernelRow row);

  /** The score of an output after the steps taken so far. */
  double score(Output output, int column, KernelRow row);

  /** The factor that the coefficients of an output are to be multiplied by. */
  double factor(Output output);

  /** The coefficients of n vectors for an output, before they are multiplied by the factor. */
  double[] coefficients(Output output, int column, int n);

  /** Begins step t, after {@link Memory#advance}. */
  void begin();

  /** Takes step t: vector j receives the gradient, or none if j is {@link Coverage#NONE}. */
  void step(Step step, int j, KernelRow row);

  /** How much vector j contributes. */
  double strength(int j);

  /** A vector whose strength is at most this is negligible. */
  double negligibleStrength();

  /** Recomputes what depends on all vectors, after some of them were released or merged. */
  default void renew() {}

  /** Adds the coefficients of a learner with equal options. */
  void merge(Weights other, Placement union);

  /** The coefficients of the linear part for a column: bias first; none if there is none. */
  default double[] linear(int column) {
    return new double[0];
  }

  /** Whether the matrix is still positive definite; true if there is no matrix. */
  default boolean isPositiveDefinite() {
    return true;
  }

  /** Appends the whole state. */
  void encode(Encoder out);
}
