package org.avm4j.export;

import org.avm4j.form.KernelExpansion;

/**
 * The remainder of a score far from all vectors. In this library kernel values never fall below
 * about 1e-38, so a score far away is the sum of the coefficients times this value; in other
 * programs kernel values fall to 0. With the remainder added to the bias, such a score has the same
 * sign in other programs; it is too small to change other scores.
 */
final class Remainder {
  private Remainder() {}

  /** The bias of a score plus its remainder. */
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
