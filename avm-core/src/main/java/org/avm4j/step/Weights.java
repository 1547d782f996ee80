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
  /** How the columns and vectors of a learner that is merged correspond to those here. */
  interface Placement {
    /** The column here of each column of the other. */
    int[] columns();

    /** The vector here of each vector of the other, or {@link Coverage#NONE}. */
    int[] places();

    /** How kernel values at the united vectors follow from those at the vectors that were here. */
    double[][] fromThis();

    /** How kernel values at the united vectors follow from those at the other's vectors. */
    double[][] fromOther();
  }

  /** The number of steps begun. */
  long t();

  /** Adds a column for a new class. */
  void addColumn();

  /**
   * Makes room for n vectors.
   *
   * @param history how the kernel values of the last one so far follow from those of the others;
   *     null if that is not known
   */
  void grow(int n, Interpolation.Near history);

  /** Makes room for vector n whose kernel values with the others the row has measured. */
  default void grow(int n, KernelRow row) {
    grow(n, (Interpolation.Near) null);
  }

  /** From now on, up to a limit, a new vector gets its exact history. */
  default void rememberExactly(int most) {}

  /** Whether a new vector gets its exact history from {@link #grow(int, KernelRow)}. */
  default boolean remembersExactly() {
    return false;
  }

  /**
   * Removes vector j, which is absorbed by another one or, if {@code into} is negative, by none;
   * the last vector takes its place. The core set still holds it.
   */
  void remove(int j, int into);

  /** Whether w_{t+1} gives vector j a coefficient of 0. */
  boolean isZero(int j);

  /** Sees the instance that the row has measured, before it is scored or learned. */
  default void read(KernelRow row) {}

  /** The number of columns, those for classes still to come included. */
  int columns();

  /** w_tᵀΦ(x), the score before step t of the instance that was read. */
  double score(int column, KernelRow row);

  /** The score by an output, for the steps taken so far. */
  double score(Output output, int column, KernelRow row);

  /** The factor that the coefficients of an output are to be multiplied by. */
  double factor(Output output);

  /** The coefficients of n vectors by an output, before they are multiplied by the factor. */
  double[] coefficients(Output output, int column, int n);

  /** Begins step t, after {@link Memory#advance}. */
  void begin();

  /** Takes step t: vector j receives the gradient, or none if j is {@link Coverage#NONE}. */
  void step(Step step, int j, KernelRow row);

  /** How much vector j contributes. */
  double strength(int j);

  /** A vector whose strength is at most this is negligible. */
  double negligibleStrength();

  /** Computes afresh what depends on all vectors, after some of them were released. */
  default void renew() {}

  /** Takes in the coefficients of a learner with equal options. */
  void merge(Weights other, Placement union);

  /** The coefficients of the linear part for a column: bias first; none if there is none. */
  default double[] linear(int column) {
    return new double[0];
  }

  /** Whether all that must stay positive definite is; always where there is no matrix. */
  default boolean isPositiveDefinite() {
    return true;
  }

  /** Appends the whole state. */
  void encode(Encoder out);
}
