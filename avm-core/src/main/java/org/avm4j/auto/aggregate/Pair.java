package org.avm4j.auto.aggregate;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The weights of the lead and of one other model in a sum of both, which answers rows that do not
 * follow the stream. The weights are those of a {@link Stack} without a bias, learned along the
 * stream.
 */
public final class Pair {
  private static final int MEMBERS = 2;

  private final Task.Kind task;
  private Stack stack;
  private boolean isCurrent;

  /** A pair in which the lead has all the weight. */
  public Pair(Task.Kind task) {
    this.task = task;
    stack = new Stack(task, MEMBERS, task == Task.Kind.MULTICLASS);
  }

  /**
   * Learns a row.
   *
   * @param lead the scores of the lead
   * @param other the other model, or null if there is none now
   * @param x the unscaled row
   * @param classes the labels of the columns in ascending order; empty where there is one column
   */
  public void learn(
      double[] lead, Model other, Features x, double y, double[] classes, double weight) {
    isCurrent = other != null && Arrays.equals(other.classes(), classesOf(other, classes));
    if (isCurrent) {
      double[][] scores = {lead, other.score(x)};
      double[] sum = new double[lead.length];
      stack.combine(scores, sum);
      stack.learn(scores, sum, y, classes, weight);
    }
  }

  private double[] classesOf(Model other, double[] classes) {
    return task == Task.Kind.MULTICLASS ? classes : other.classes();
  }

  /** The weights of the lead and of the other model; only the lead has weight if there is none. */
  public double[] weights() {
    double[] weights = stack.weights();
    boolean hasBoth = isCurrent && weights[0] > 0 && weights[1] > 0;
    return hasBoth ? Arrays.copyOf(weights, MEMBERS) : new double[] {1, 0};
  }

  /** Appends the weights and the sums that they follow from. */
  public void encode(Encoder out) {
    out.bool(isCurrent);
    stack.encode(out);
  }

  /** Reads what {@link #encode} wrote. */
  public static Pair decode(Decoder in, Task.Kind task) throws ModelFileException {
    Pair pair = new Pair(task);
    pair.isCurrent = in.bool();
    pair.stack = Stack.decode(in, task, MEMBERS, task == Task.Kind.MULTICLASS);
    return pair;
  }
}
