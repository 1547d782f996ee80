package org.avm4j.data;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A weight for each feature, learned from the data: how much a difference in that feature counts in
 * the distance of two rows, ‖x - x'‖² = Σ_i w_i² (x_i - x'_i)². The largest is 1. Immutable.
 */
public final class Metric {
  /** All features count alike. */
  public static final Metric NONE = new Metric(new double[0]);

  private final double[] weights;

  private Metric(double[] weights) {
    this.weights = weights;
  }

  /** These weights over the largest of them; all alike if there is none above 0. */
  public static Metric of(double... weights) {
    double most = Arrays.stream(weights).max().orElse(0);
    return most > 0 ? new Metric(Arrays.stream(weights).map(w -> w / most).toArray()) : NONE;
  }

  /** Whether all features count alike, as they are. */
  public boolean isNone() {
    return weights.length == 0;
  }

  /** The number of features that have a weight; others are left out unless all count alike. */
  public int dimension() {
    return weights.length;
  }

  /** The weight of feature i. */
  public double weight(int i) {
    return isNone() ? 1 : i < weights.length ? weights[i] : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metric metric && Arrays.equals(weights, metric.weights);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    return Arrays.toString(weights);
  }

  /** Appends d (4) and d× weight (8). */
  public void encode(Encoder out) {
    out.int32(weights.length);
    out.doubles(weights, weights.length);
  }

  /** The metric that was appended. */
  public static Metric decode(Decoder in) throws ModelFileException {
    double[] weights = in.doubles(in.int32("the weights", Features.MAX_DIMENSION), 0);
    for (double weight : weights) {
      Decoder.check(weight >= 0 && weight <= 1, "a weight must be from 0 to 1", weight);
    }
    return new Metric(weights);
  }
}
