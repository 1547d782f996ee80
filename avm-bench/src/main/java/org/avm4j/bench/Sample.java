package org.avm4j.bench;

import java.util.Arrays;

/** Repeated measurements of one thing. */
final class Sample {
  private final double[] values;

  Sample(double... values) {
    this.values = values.clone();
    Arrays.sort(this.values);
  }

  /** The measurements minus a constant. */
  Sample less(double part) {
    return new Sample(Arrays.stream(values).map(value -> value - part).toArray());
  }

  /** The middle one; of an even number the lower of the two. */
  double median() {
    return values[(values.length - 1) / 2];
  }

  double least() {
    return values[0];
  }

  double largest() {
    return values[values.length - 1];
  }
}
