package org.avm4j.points;

import java.util.Arrays;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.internal.ScaleFactor;

/**
 * Brings features to a common scale, found from the stream as it goes by: z_i = (x_i - o_i) / s_i,
 * with s_i the mean absolute deviation of feature i so far, times √(π/2) so that it is the standard
 * deviation of Gaussian numbers. A few values far out move it less than they would move a standard
 * deviation. Only differences matter, so the origin o is simply the first row: zeros that rows
 * share stay zeros.
 *
 * <p>The sum of |x - mean| takes the mean from before x and the factor √((n-1)/n) that makes the
 * square of it unbiased; entries that rows leave out count as zeros but cost nothing. A feature
 * that never changed has no scale; a row in which it does is measured by the scale it would have
 * with that row, so a first change is as far out as the stream is long.
 */
public final class RunningScale {
  private static final double LARGEST = 1e100;
  private static final double FARTHEST = 1e6;

  /** The scale of numbers within ±1e100 is larger than this. */
  private static final double LEAST = 1e-110;

  private long rows;
  private Features origin = Features.dense();
  private long[] counts = {};
  private double[] means = {};
  private double[] absolutes = {};
  private double[] factors = {};

  /** A scale that has seen nothing yet. */
  public RunningScale() {}

  /** Refuses a row with values that no sum can hold. */
  public static void check(Features x) {
    FeatureException.checkWithin(x, LARGEST, "must be within ±1e100");
  }

  /** Takes a row into account; of features that never changed before, the scale too. */
  public void observe(Features x) {
    if (rows == 0) {
      origin = x.copy();
    }
    grow(Math.max(x.dimension(), origin.dimension()));
    for (int e = 0; e < x.count(); e++) {
      observe(x.index(e), x.value(e));
    }
    rows++;
    for (int e = 0; e < x.count(); e++) {
      begin(x.index(e));
    }
    for (int e = 0; e < origin.count(); e++) {
      begin(origin.index(e));
    }
  }

  /** The row on the scale as it is, in a buffer of the caller. Pure. */
  public Features apply(Features x, Features.Buffer into) {
    into.clear();
    int a = 0;
    int b = 0;
    while (a < x.count() || b < origin.count()) {
      int i = a < x.count() ? x.index(a) : Integer.MAX_VALUE;
      int j = b < origin.count() ? origin.index(b) : Integer.MAX_VALUE;
      double value = i <= j ? x.value(a++) : 0;
      double start = j <= i ? origin.value(b++) : 0;
      int feature = Math.min(i, j);
      if (value != start) {
        double z = (value - start) * factor(feature, value);
        into.add(feature, Math.max(-FARTHEST, Math.min(FARTHEST, z)));
      }
    }
    return into.features();
  }

  /** The row that {@link #apply} brought to z. */
  public Features original(Features z) {
    Features.Buffer x = new Features.Buffer();
    int a = 0;
    int b = 0;
    while (a < z.count() || b < origin.count()) {
      int i = a < z.count() ? z.index(a) : Integer.MAX_VALUE;
      int j = b < origin.count() ? origin.index(b) : Integer.MAX_VALUE;
      double moved = i <= j && factors[i] > 0 ? z.value(a) / factors[i] : 0;
      a += i <= j ? 1 : 0;
      x.add(Math.min(i, j), moved + (j <= i ? origin.value(b++) : 0));
    }
    return x.features();
  }

  /**
   * Whether a scale is brought up to date at instance t: where t has at most three binary digits,
   * then zeros, which is four times in each doubling.
   */
  public static boolean isRenewed(long t) {
    return Long.SIZE - Long.numberOfLeadingZeros(t) - Long.numberOfTrailingZeros(t) <= 3;
  }

  /** Brings all scales up to date. */
  public void renew() {
    for (int i = 0; i < factors.length; i++) {
      factors[i] = ScaleFactor.of(rows, counts[i], means[i], absolutes[i]);
    }
  }

  /** Takes in the rows of another; the origin stays. */
  public void merge(RunningScale other) {
    if (rows == 0) {
      origin = other.origin;
    }
    grow(other.factors.length);
    for (int i = 0; i < other.factors.length; i++) {
      long count = counts[i] + other.counts[i];
      means[i] += count == 0 ? 0 : (other.means[i] - means[i]) * other.counts[i] / count;
      counts[i] = count;
      absolutes[i] += other.absolutes[i];
    }
    rows += other.rows;
    renew();
  }

  /** What differences of feature i are multiplied by; 0 if it never changed. */
  public double factor(int i) {
    return i < factors.length ? factors[i] : 0;
  }

  /** The number of features known so far. */
  public int dimension() {
    return factors.length;
  }

  /** A scale in the same state that shares nothing with this one. */
  public RunningScale copy() {
    RunningScale copy = new RunningScale();
    copy.rows = rows;
    copy.origin = origin;
    copy.counts = counts.clone();
    copy.means = means.clone();
    copy.absolutes = absolutes.clone();
    copy.factors = factors.clone();
    return copy;
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    out.int64(rows);
    out.int32(origin.dimension());
    out.int32(origin.count());
    for (int e = 0; e < origin.count(); e++) {
      out.int32(origin.index(e));
      out.float64(origin.value(e));
    }
    out.int32(factors.length);
    for (double[] values : new double[][] {means, absolutes, factors}) {
      out.doubles(values, values.length);
    }
    Arrays.stream(counts).forEach(out::int64);
  }

  /** The scale that was appended. */
  public static RunningScale decode(Decoder in) throws ModelFileException {
    RunningScale scale = new RunningScale();
    scale.rows = in.count("the rows");
    int dimension = in.int32("the dimension", Features.MAX_DIMENSION);
    scale.origin = decodeOrigin(in, dimension);
    int features = in.int32("the features", Features.MAX_DIMENSION);
    Decoder.check(features >= dimension, "the first row must not have more features", dimension);
    scale.means = in.doubles(features, 0);
    scale.absolutes = in.doubles(features, 0);
    scale.factors = in.doubles(features, 0);
    scale.counts = new long[features];
    for (int i = 0; i < features; i++) {
      scale.counts[i] = in.count("the entries of a feature");
      boolean isFewer = scale.counts[i] <= scale.rows;
      Decoder.check(isFewer, "a feature must not have more entries than rows", scale.counts[i]);
      boolean isScale = scale.factors[i] == 0 || scale.factors[i] >= LEAST;
      Decoder.check(isScale, "a scale must be 0 or at least " + LEAST, scale.factors[i]);
    }
    return scale;
  }

  private static Features decodeOrigin(Decoder in, int dimension) throws ModelFileException {
    Features.Buffer row = new Features.Buffer();
    int entries = in.int32("the entries of the first row", dimension);
    int next = 0;
    for (int e = 0; e < entries; e++) {
      int i = in.int32("a feature index", dimension - 1);
      Decoder.check(i >= next, "feature indices must ascend", i);
      double value = in.finite("a feature");
      Decoder.check(Math.abs(value) <= LARGEST, "a feature must be within ±1e100", value);
      row.add(i, value);
      next = i + 1;
    }
    if (next < dimension) {
      row.add(dimension - 1, 0);
    }
    return row.features().copy();
  }

  private void observe(int i, double value) {
    absolutes[i] += ScaleFactor.absolute(rows, counts[i], means[i], value);
    means[i] += (value - means[i]) / ++counts[i];
  }

  private void begin(int i) {
    if (factors[i] == 0) {
      factors[i] = ScaleFactor.of(rows, counts[i], means[i], absolutes[i]);
    }
  }

  private double factor(int i, double value) {
    return i < factors.length && factors[i] > 0 ? factors[i] : scale(i).factor(value);
  }

  /** The map of a feature as it is, laid open. */
  public ModelForm.FeatureScale scale(int i) {
    return i < factors.length
        ? new ModelForm.FeatureScale(
            origin.get(i), factors[i], rows, counts[i], means[i], absolutes[i])
        : new ModelForm.FeatureScale(origin.get(i), 0, rows, 0, 0, 0);
  }

  private void grow(int d) {
    if (d > factors.length) {
      counts = Arrays.copyOf(counts, d);
      means = Arrays.copyOf(means, d);
      absolutes = Arrays.copyOf(absolutes, d);
      factors = Arrays.copyOf(factors, d);
    }
  }
}
