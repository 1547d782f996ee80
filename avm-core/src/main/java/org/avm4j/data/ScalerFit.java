package org.avm4j.data;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.table.Scaling;

/**
 * Finds a {@link Scaler} from a sample: {@link #observe} rows, then take the {@link #scaler}. A
 * missing entry of a sparse row counts as 0.
 *
 * <p>A single absurd value must not compress the range of all others. A value that is ten thousand
 * ranges away from all before it is set aside, and counts only if a second one like it follows.
 */
public final class ScalerFit {
  /** Relative difference below which values are equal. */
  private static final double ROUNDING = 1e-12;

  /** Distance between a value and all others, in ranges, from which it is set aside. */
  private static final double FAR = 1e4;

  /** Number of values from which the range of a feature is known. */
  private static final int ENOUGH = 10;

  private final Scaling scaling;
  private long rows;
  private int dimension;
  private long[] counts = {};
  private double[] least = {};
  private double[] largest = {};
  private double[] means = {};
  private double[] squares = {};
  private boolean[] hasOthers = {};

  /** The value of each feature that was set aside; 0 if there is none. */
  private double[] aside = {};

  /** A fit without rows. */
  public ScalerFit(Scaling scaling) {
    this.scaling = scaling;
  }

  /** Adds a row to the sample. */
  public void observe(Features x) {
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

  /** The scaler for the rows observed so far. */
  public Scaler scaler() {
    double[] factors = new double[dimension];
    double[] shifts = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      if (counts[i] > 0) {
        fit(i, factors, shifts);
      }
    }
    return new Scaler(scaling, rows, factors, shifts);
  }

  private void observe(int i, double value) {
    if (counts[i] >= ENOUGH && isFar(i, value)) {
      if (aside[i] == 0) {
        aside[i] = value;
        return;
      }
      take(i, aside[i]);
      aside[i] = 0;
    }
    take(i, value);
  }

  private boolean isFar(int i, double value) {
    double reach = FAR * (largest[i] - least[i]);
    return reach > 0 && (value > largest[i] + reach || value < least[i] - reach);
  }

  private void take(int i, double value) {
    long n = ++counts[i];
    hasOthers[i] |= value != 0 && value != 1;
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
      hasOthers = Arrays.copyOf(hasOthers, capacity);
      aside = Arrays.copyOf(aside, capacity);
    }
  }

  private void fit(int i, double[] factors, double[] shifts) {
    long counted = aside[i] == 0 ? rows : rows - 1;
    boolean hasZeros = counts[i] < counted;
    double min = hasZeros ? Math.min(0, least[i]) : least[i];
    double max = hasZeros ? Math.max(0, largest[i]) : largest[i];
    if (max - min <= ROUNDING * Math.max(Math.abs(min), Math.abs(max))) {
      return;
    }
    if (scaling == Scaling.NUMBERS && (!hasOthers[i] || 2 * counts[i] < counted)) {
      factors[i] = 1 / Math.max(Math.abs(min), Math.abs(max));
    } else if (scaling == Scaling.STANDARD || scaling == Scaling.NUMBERS) {
      double mean = means[i] * counts[i] / counted;
      double zeros = counted - counts[i];
      double sum = squares[i] + means[i] * means[i] * counts[i] * zeros / counted;
      factors[i] = 1 / Math.sqrt(sum / counted);
      shifts[i] = -mean * factors[i];
    } else {
      double width = scaling == Scaling.UNIT ? 1 : 2;
      factors[i] = width / (max - min);
      shifts[i] = 0 - min * factors[i] - (scaling == Scaling.UNIT ? 0 : 1);
    }
    if (!Double.isFinite(factors[i]) || !Double.isFinite(shifts[i])) {
      factors[i] = 0;
      shifts[i] = 0;
    }
  }
}
