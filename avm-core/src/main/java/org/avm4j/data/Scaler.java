package org.avm4j.data;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;
import org.avm4j.table.Scaling;

/**
 * Brings each feature to a common range by a linear map, found from a sample by {@link ScalerFit},
 * and then into a {@link Metric} if there is one. Immutable, and safe to share between threads.
 *
 * <p>A feature that is constant in the sample, or absent from all of it, has no range: it is left
 * out. A value outside the range of the sample goes beyond the target range, up to ±10,000.
 */
public final class Scaler {
  /**
   * Relative precision of rows mapped by a matrix, which magnifies rounding errors of floats up to
   * a thousand times.
   */
  private static final double CERTAIN = 1e-3;

  /**
   * Limit on scaled values. Ten thousand ranges away, where no kernel reaches, the exact value does
   * not matter, and its square would dominate all sums.
   */
  public static final double FARTHEST = 1e4;

  private final Scaling scaling;
  private final long rows;
  private final double[] factors;
  private final double[] shifts;
  private final boolean keepsZeros;

  /** The features whose scaled value is not 0 for an entry of 0; only for rows that stay sparse. */
  private final int[] shifted;

  private final Metric metric;

  Scaler(Scaling scaling, long rows, double[] factors, double[] shifts) {
    this(scaling, rows, factors, shifts, Metric.NONE);
  }

  private Scaler(Scaling scaling, long rows, double[] factors, double[] shifts, Metric metric) {
    this.metric = metric;
    this.scaling = scaling;
    this.rows = rows;
    this.factors = factors;
    this.shifts = shifts;
    keepsZeros = Arrays.stream(shifts).allMatch(shift -> shift == 0);
    shifted =
        scaling == Scaling.NUMBERS
            ? IntStream.range(0, shifts.length).filter(i -> shifts[i] != 0).toArray()
            : new int[0];
  }

  /**
   * The map of feature i to factor_i times its value plus shift_i.
   *
   * @param scaling the range that it brings features to
   */
  public static Scaler of(Scaling scaling, double[] factors, double[] shifts) {
    Rules.require(
        factors.length == shifts.length,
        "the numbers of shifts and factors must be equal",
        shifts.length + " and " + factors.length);
    return new Scaler(scaling, 0, factors.clone(), shifts.clone());
  }

  /** A scaler that does not change rows. */
  public static Scaler none() {
    return new Scaler(Scaling.NONE, 0, new double[0], new double[0]);
  }

  /** Whether rows stay as they are. */
  public boolean isIdentity() {
    return factors.length == 0;
  }

  /** This scaler followed by a metric; features that the metric does not know are left out. */
  public Scaler weighted(Metric by) {
    if (by.isNone()) {
      return this;
    }
    double[] both = new double[by.dimension()];
    double[] moved = new double[by.dimension()];
    for (int i = 0; i < both.length; i++) {
      double weight = by.isMatrix() ? 1 : by.weight(i);
      both[i] = weight * (isIdentity() ? 1 : at(factors, i));
      moved[i] = weight * at(shifts, i);
    }
    return new Scaler(scaling, rows, both, moved, by);
  }

  private static double at(double[] values, int i) {
    return i < values.length ? values[i] : 0;
  }

  /**
   * The metric of scaled rows. Its weights are already part of the factors and shifts; a matrix is
   * applied after them.
   */
  public Metric metric() {
    return metric;
  }

  /** The range aimed at. */
  public Scaling scaling() {
    return scaling;
  }

  /** The number of features that are scaled; 0 if rows stay. All others are left out. */
  public int dimension() {
    return factors.length;
  }

  /** What feature i is multiplied by: 0 if it has no range. */
  public double factor(int i) {
    return factors[i];
  }

  /** What is added to feature i after that. */
  public double shift(int i) {
    return shifts[i];
  }

  /** The scaled row, in a buffer of the caller; without scaling, the row itself. */
  public Features apply(Features x, Features.Buffer into) {
    if (isIdentity()) {
      return x;
    }
    into.clear();
    if (keepsZeros) {
      applyToEntries(x, into);
    } else if (scaling == Scaling.NUMBERS) {
      applyToNumbers(x, into);
    } else {
      applyToAll(x, into);
    }
    metric.apply(into);
    return into.features();
  }

  /** The scaled row, immutable if the given one is. */
  public Features apply(Features x) {
    return apply(x, new Features.Buffer());
  }

  /**
   * The row that is scaled to this one; a feature that scaling makes constant is 0. With a matrix,
   * values are rounded to the precision of scaled rows.
   */
  public Features inverse(Features scaled) {
    if (isIdentity()) {
      return scaled;
    }
    Features.Buffer row = new Features.Buffer();
    Features z = metric.isMatrix() ? metric.inverse(scaled) : scaled;
    for (int i = 0; i < factors.length; i++) {
      double value = factors[i] == 0 ? 0 : (z.get(i) - shifts[i]) / factors[i];
      row.add(i, metric.isMatrix() && value != 0 ? rounded(value, CERTAIN / factors[i]) : value);
    }
    return row.features().copy();
  }

  /** Rounds a value to the fewest decimals within a tolerance. */
  private static double rounded(double value, double tolerance) {
    double step = StrictMath.pow(10, Math.floor(StrictMath.log10(Math.abs(tolerance))));
    return step >= 1 ? step * Math.rint(value / step) : Math.rint(value * (1 / step)) / (1 / step);
  }

  private static double limited(double value) {
    return Math.max(-FARTHEST, Math.min(FARTHEST, value));
  }

  private void applyToEntries(Features x, Features.Buffer into) {
    for (int i = 0; i < x.count() && x.index(i) < factors.length; i++) {
      into.add(x.index(i), limited(factors[x.index(i)] * x.value(i)));
    }
    if (into.features().dimension() < factors.length) {
      into.add(factors.length - 1, 0);
    }
  }

  /** The entries of the row and the features that are shifted, in ascending order. */
  private void applyToNumbers(Features x, Features.Buffer into) {
    int at = 0;
    for (int i = 0; i < x.count() && x.index(i) < factors.length; i++) {
      int index = x.index(i);
      for (; at < shifted.length && shifted[at] < index; at++) {
        into.add(shifted[at], shifts[shifted[at]]);
      }
      at += at < shifted.length && shifted[at] == index ? 1 : 0;
      into.add(index, limited(factors[index] * x.value(i) + shifts[index]));
    }
    for (; at < shifted.length; at++) {
      into.add(shifted[at], shifts[shifted[at]]);
    }
    if (into.features().dimension() < factors.length) {
      into.add(factors.length - 1, 0);
    }
  }

  private void applyToAll(Features x, Features.Buffer into) {
    int at = 0;
    for (int i = 0; i < factors.length; i++) {
      double value = at < x.count() && x.index(at) == i ? x.value(at++) : 0;
      into.add(i, limited(factors[i] * value + shifts[i]));
    }
  }

  /**
   * Appends a tag of the scaling (4), rows (8), d (4), d× factor (8), d× shift (8), and the metric
   * if there is one.
   */
  public void encode(Encoder out) {
    scaling.encode(out);
    out.int64(rows);
    out.counted(factors);
    out.doubles(shifts, shifts.length);
    metric.encode(out);
  }

  /** The scaler that was appended. */
  public static Scaler decode(Decoder in) throws ModelFileException {
    Scaling scaling = Scaling.decode(in);
    long rows = in.count("the rows of the sample");
    double[] factors = in.counted("the features", Features.MAX_DIMENSION);
    double[] shifts = in.doubles(factors.length, 0);
    Metric metric = Metric.decode(in);
    boolean fits = metric.isNone() || metric.dimension() == factors.length;
    Decoder.check(fits, "each feature must be in the metric", metric.dimension());
    return new Scaler(scaling, rows, factors, shifts, metric);
  }
}
