package org.avm4j.step;

import java.util.Arrays;
import org.avm4j.ClassWeights;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;

/**
 * Running counts of the classes, discounted like the model, and the class weights that follow from
 * them.
 */
public final class ClassCounts {
  private final ClassWeights weights;
  private double[] mass = {};

  /** Counts that are all 0. */
  public ClassCounts(ClassWeights weights) {
    this.weights = weights;
  }

  /** Discounts all counts by a factor. */
  public void discount(double factor) {
    for (int c = 0; factor < 1 && c < mass.length; c++) {
      mass[c] *= factor;
    }
  }

  /** Counts an instance of class number c with its weight. */
  public void count(int c, double weight) {
    if (weights.isBalanced()) {
      mass = c < mass.length ? mass : Arrays.copyOf(mass, c + 1);
      mass[c] += weight;
    }
  }

  /** c_y: the weight of class c with label y; the class must have been counted. */
  public double weight(int c, double y) {
    if (weights.isUniform()) {
      return 1;
    }
    return weights.isBalanced() ? balance(c) : weights.given().getOrDefault(y + 0.0, 1.0);
  }

  private double balance(int c) {
    double sum = 0;
    int classes = 0;
    for (double each : mass) {
      sum += each;
      classes += each > 0 ? 1 : 0;
    }
    return sum / (classes * mass[c]);
  }

  /** Adds the counts of another learner, whose class c is class {@code number[c]} here. */
  public void merge(ClassCounts other, int[] number) {
    for (int c = 0; c < other.mass.length; c++) {
      mass = number[c] < mass.length ? mass : Arrays.copyOf(mass, number[c] + 1);
      mass[number[c]] += other.mass[c];
    }
  }

  /** Appends the counts. */
  public void encode(Encoder out) {
    out.counted(mass);
  }

  /** Reads what {@link #encode} wrote. */
  public static ClassCounts decode(Decoder in, ClassWeights weights, Columns columns)
      throws ModelFileException {
    ClassCounts masses = new ClassCounts(weights);
    masses.mass = in.counted("the number of counted classes", Math.max(2, columns.count()));
    for (double mass : masses.mass) {
      Decoder.check(mass >= 0, "a count must be >= 0", mass);
    }
    return masses;
  }
}
