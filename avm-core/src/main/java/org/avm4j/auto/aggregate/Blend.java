package org.avm4j.auto.aggregate;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * How the scores of several members become one: a weighted mean of the members and their stack. The
 * stack is a weighted sum of the members' scores. Immutable.
 */
public final class Blend {
  private final double[] weights;
  private final double[] stack;

  /**
   * A blend.
   *
   * @param weights the weight of each member and of the stack in the mean
   * @param stack the weight of each member and of the bias in the stack
   */
  Blend(double[] weights, double[] stack) {
    this.weights = weights;
    this.stack = stack;
  }

  /** A weighted mean without a stack. */
  public static Blend ofMean(double[] weights) {
    int n = weights.length;
    return new Blend(Arrays.copyOf(weights, n + 1), new double[n + 1]);
  }

  /** Whether the first member has all the weight. */
  public boolean isFirstAlone() {
    return weights[0] == 1;
  }

  /** Whether the answer depends on a member. */
  public boolean needs(int member) {
    return weights[member] > 0 || weights[weights.length - 1] > 0 && stack[member] != 0;
  }

  /**
   * The same blend restricted to some members, in ascending order; they must include all that are
   * needed.
   */
  public Blend of(int[] members) {
    int n = members.length;
    double[] theirs = new double[n + 1];
    double[] inStack = new double[n + 1];
    for (int i = 0; i < n; i++) {
      theirs[i] = weights[members[i]];
      inStack[i] = stack[members[i]];
    }
    theirs[n] = weights[weights.length - 1];
    inStack[n] = stack[stack.length - 1];
    return new Blend(theirs, inStack);
  }

  /**
   * Writes the combined scores.
   *
   * @param scores by member and column, already limited
   */
  public void combine(double[][] scores, HuberLoss huber, double[] into) {
    double[] stacked = new double[into.length];
    Stack.combine(stack, scores, stacked);
    huber.limit(stacked);
    double[][] all = Arrays.copyOf(scores, weights.length);
    all[scores.length] = stacked;
    Mixture.combine(weights, all, into);
  }

  /** Appends the weights of the mean and those of the stack (8 each). */
  public void encode(Encoder out) {
    out.doubles(weights, weights.length);
    out.doubles(stack, stack.length);
  }

  /** Reads what {@link #encode} wrote for this many members. */
  public static Blend decode(Decoder in, int members) throws ModelFileException {
    int n = members + 1;
    return new Blend(in.doubles(n, n), in.doubles(n, n));
  }
}
