package org.avm4j.machine;

import java.util.Arrays;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Output;
import org.avm4j.points.FrozenMachine;

/**
 * The inside of a machine, for learners that are made of several. Columns are in the order in which
 * classes appeared, and after them comes one for classes still to come.
 */
public interface MachineParts {
  /** The choices of the machine. */
  AvmOptions options();

  /** All that it has learned. */
  AvmState state();

  /** The column of a label, added if the label is new. */
  int columnOf(double label);

  /** Learns what is left of the loss beside these scores of others, one for each column. */
  void learnBeside(double[] others, Features x, double y, double weight);

  /** Writes the score of each column. */
  void scoreColumns(Features x, double[] into);

  /** Scores as they are now, by column. */
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

  /** From now on, until it is full, every vector gets the history it would have had. */
  default void rememberExactly() {
    state().weights.rememberExactly(options().maxSize());
  }
}
