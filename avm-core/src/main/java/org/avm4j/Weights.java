package org.avm4j;

import org.avm4j.codec.Encoder;
import org.avm4j.internal.Interpolation;

/** The coefficients of the vectors, one column a class or just one, and how far they have come. */
sealed interface Weights permits SgdWeights, NewtonWeights {
  /** The number of steps taken or begun. */
  long t();

  /** Adds a column of zeros. */
  void addColumn();

  /** Makes room for n vectors. */
  void grow(int n);

  /**
   * Makes room for vector n, whose kernel values so far followed like this from those of the
   * others; null if that is not known.
   */
  default void grow(int n, Interpolation.Near history) {
    grow(n);
  }

  /**
   * Removes vector j, for which another one stands from now on, or none; the last one takes its
   * place.
   */
  void remove(int j, int into);

  /** Whether w_{t+1} gives vector j any weight. */
  boolean isZero(int j);

  /** w_tᵀΦ(x), the score before step t, where k holds n kernel values. */
  double score(int column, double[] k, int n);

  /** The score by an output, for the steps taken so far. */
  double score(Output output, int column, double[] k, int n);

  /** What the coefficients of an output are to be multiplied with. */
  double factor(Output output);

  /** The coefficients of n vectors by an output, before they are multiplied with the factor. */
  double[] coefficients(Output output, int column, int n);

  /** Begins step t, for which memory has been made. */
  void begin();

  /** How much vector j counts. */
  double strength(int j);

  /** Vectors that count less than this hardly count any more. */
  double faintStrength();

  void encode(Encoder out);
}
