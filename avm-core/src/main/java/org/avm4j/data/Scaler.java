package org.avm4j.data;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Brings each feature to a common range by a linear map that is found from a sample and then stays:
 * first {@link #observe} rows, then {@link #apply}. An entry that a row leaves out is 0 and counts.
 *
 * <p>A feature that is constant in the sample, or absent from all of it, has no range: it is left
 * out. A value outside the range of the sample goes beyond the target range, it is not cut off.
 */
public final class Scaler {
  private final Scaling scaling;
  private long rows;
  private int dimension;
  private long[] counts = {};
  private double[] least = {};
  private double[] largest = {};
  private double[] means = {};
  private double[] squares = {};

  private boolean isFrozen;
  private boolean keepsZeros;
  private double[] factors = {};
  private double[] shifts = {};
  private final Features.Buffer scaled = new Features.Buffer();

  /** A scaler that has seen nothing yet. */
  public Scaler(Scaling scaling) {
    this.scaling = scaling;
  }

  /** The range aimed at. */
  public Scaling scaling() {
    return scaling;
  }

  /** Takes a row into the sample; not after the first {@link #apply}. */
  public void observe(Features x) {
    if (isFrozen) {
      throw new IllegalStateException("a scaler that was applied takes no further rows");
    }
    rows++;
    if (scaling == Scaling.NONE) {
      return;
    }
    dimension = Math.max(dimension, x.dimension());
    grow(dimension);
    for (int i = 0; i < x.count(); i++) {
      observe(x.index(i), x.value(i));
    }
  }

  /**
   * The scaled row. It is used again by the next call; who keeps it, copies it. From the first call
   * on the map stays as it is.
   */
  public Features apply(Features x) {
    return apply(x, scaled);
  }

  /** The scaled row, in a buffer of the caller: safe from several threads once it was applied. */
  public Features apply(Features x, Features.Buffer into) {
    if (scaling == Scaling.NONE) {
      return x;
    }
    freeze();
    into.clear();
    if (keepsZeros) {
      applyToEntries(x, into);
    } else {
      applyToAll(x, into);
    }
    return into.features();
  }

  private void applyToEntries(Features x, Features.Buffer into) {
    for (int i = 0; i < x.count() && x.index(i) < factors.length; i++) {
      into.add(x.index(i), factors[x.index(i)] * x.value(i));
    }
    if (into.features().dimension() < factors.length) {
      into.add(factors.length - 1, 0);
    }
  }

  private void applyToAll(Features x, Features.Buffer into) {
    int at = 0;
    for (int i = 0; i < factors.length; i++) {
      double value = at < x.count() && x.index(at) == i ? x.value(at++) : 0;
      into.add(i, factors[i] * value + shifts[i]);
    }
  }

  /** Appends the map. */
  public void encode(Encoder out) {
    freeze();
    out.int32(scaling.ordinal());
    out.int64(rows);
    out.int32(factors.length);
    out.doubles(factors, factors.length);
    out.doubles(shifts, shifts.length);
  }

  /** The scaler that was appended; it can be applied. */
  public static Scaler decode(Decoder in) throws ModelFileException {
    int last = Scaling.values().length - 1;
    Scaler scaler = new Scaler(Scaling.values()[in.int32("the scaling", last)]);
    scaler.rows = in.count("the rows of the sample");
    int features = in.int32("the features", Features.MAX_DIMENSION);
    scaler.factors = in.doubles(features, 0);
    scaler.shifts = in.doubles(features, 0);
    scaler.frozen();
    return scaler;
  }

  /** How many rows the map was found from. */
  public long rows() {
    return rows;
  }

  private void observe(int i, double value) {
    long n = ++counts[i];
    least[i] = n == 1 ? value : Math.min(least[i], value);
    largest[i] = n == 1 ? value : Math.max(largest[i], value);
    double before = value - means[i];
    means[i] += before / n;
    squares[i] += before * (value - means[i]);
  }

  private void grow(int d) {
    if (d > counts.length) {
      int capacity = Math.max(d, Math.min(Features.MAX_DIMENSION, 2 * counts.length));
      counts = Arrays.copyOf(counts, capacity);
      least = Arrays.copyOf(least, capacity);
      largest = Arrays.copyOf(largest, capacity);
      means = Arrays.copyOf(means, capacity);
      squares = Arrays.copyOf(squares, capacity);
    }
  }

  private void freeze() {
    if (isFrozen) {
      return;
    }
    factors = new double[dimension];
    shifts = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      if (counts[i] > 0) {
        freeze(i);
      }
    }
    frozen();
  }

  private void frozen() {
    isFrozen = true;
    keepsZeros = Arrays.stream(shifts).allMatch(shift -> shift == 0);
  }

  private void freeze(int i) {
    boolean hasZeros = counts[i] < rows;
    double min = hasZeros ? Math.min(0, least[i]) : least[i];
    double max = hasZeros ? Math.max(0, largest[i]) : largest[i];
    if (max <= min) {
      return;
    }
    if (scaling == Scaling.STANDARD) {
      double mean = means[i] * counts[i] / rows;
      double zeros = rows - counts[i];
      double sum = squares[i] + means[i] * means[i] * counts[i] * zeros / rows;
      factors[i] = 1 / Math.sqrt(sum / rows);
      shifts[i] = -mean * factors[i];
    } else {
      double width = scaling == Scaling.UNIT ? 1 : 2;
      factors[i] = width / (max - min);
      shifts[i] = 0 - min * factors[i] - (scaling == Scaling.UNIT ? 0 : 1);
    }
  }
}
