package org.avm4j.pipeline;

import java.util.Arrays;
import org.avm4j.Features;

/**
 * Caches the latest row as it is learned. The same row is usually scored, answered and learned one
 * after the other; it is scaled only once.
 */
final class PreparedRow {
  private static final int NONE = -1;

  private final Preparation preparation;
  private final Features.Buffer scaled = new Features.Buffer();
  private int count = NONE;
  private int dimension;
  private int[] index = {};
  private double[] value = {};

  PreparedRow(Preparation preparation) {
    this.preparation = preparation;
  }

  /** The row as it is learned; valid until the next call. */
  Features of(Features x) {
    if (preparation.scaler().isIdentity()) {
      return x;
    }
    if (!isSame(x)) {
      count = NONE;
      preparation.transform(x, scaled);
      keep(x);
    }
    return scaled.features();
  }

  private boolean isSame(Features x) {
    boolean isSame = x.count() == count && x.dimension() == dimension;
    for (int i = 0; isSame && i < count; i++) {
      isSame =
          x.index(i) == index[i]
              && Double.doubleToRawLongBits(x.value(i)) == Double.doubleToRawLongBits(value[i]);
    }
    return isSame;
  }

  private void keep(Features x) {
    count = x.count();
    dimension = x.dimension();
    if (index.length < count) {
      index = Arrays.copyOf(index, 2 * count);
      value = Arrays.copyOf(value, 2 * count);
    }
    for (int i = 0; i < count; i++) {
      index[i] = x.index(i);
      value[i] = x.value(i);
    }
  }
}
