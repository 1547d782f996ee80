package org.avm4j.export;

import org.avm4j.form.KernelExpansion;

/**
 * The remainder of a score far from all vectors. In this library no kernel value falls below about
 * 1e-38, so that far away a score is the sum of the coefficients times this value; in other
 * programs kernel values fall to 0. Added to the bias, the remainder gives the sign of such a score
 * to other programs, and changes no digit of any other.
 */
final class Remainder {
  private Remainder() {}

  /** The bias of a score and its remainder. */
  static double bias(KernelExpansion machine, int column) {
    double[] linear = machine.linear(column);
    return (linear.length == 0 ? 0 : linear[0]) + of(machine, column);
  }

  private static double of(KernelExpansion machine, int column) {
    float[] least = new float[1];
    machine.kernel().of(new float[] {Float.MAX_VALUE}, least, 1);
    double sum = 0;
    for (int j = 0; j < machine.size(); j++) {
      sum += machine.coefficient(column, j);
    }
    return sum * least[0];
  }
}
