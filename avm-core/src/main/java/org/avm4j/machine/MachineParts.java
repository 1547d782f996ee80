package org.avm4j.machine;

import java.util.Arrays;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Output;
import org.avm4j.points.FrozenMachine;

/**
 * The parts of a machine, for learners that consist of several machines. Columns are in the order
 * in which classes appeared, followed by one for classes still to come.
 */
public interface MachineParts {
  /** The options of the machine. */
  AvmOptions options();

  /** The state that the machine has learned. */
  AvmState state();

  /** The column of a label, added if the label is new. */
  int columnOf(double label);

  /**
   * Learns an instance whose scores are those of this machine plus those of others, one for each
   * column.
   */
  void learnBeside(double[] others, Features x, double y, double weight);

  /** Writes the score of each column. */
  void scoreColumns(Features x, double[] into);

  /** A frozen copy of the scores, by column. */
  default FrozenMachine frozen() {
    var weights = state().weights;
    int vectors = state().core().size();
    int n = weights.columns();
    double[][] beta = new double[n][];
    double[][] linear = new double[n][];
    Arrays.setAll(beta, c -> weights.coefficients(Output.last(), c, vectors));
    Arrays.setAll(linear, weights::linear);
    return new FrozenMachine(state().core().copy(), options().kernel(), beta, linear);
  }

  /** Gives every new vector its exact history from now on, until the machine is full. */
  default void rememberExactly() {
    state().weights.rememberExactly(options().maxSize());
  }
}
