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
 * Scales features by their deviation in the stream so far: z_i = (x_i - o_i) / s_i, with s_i the
 * mean absolute deviation of feature i, times √(π/2) so that it equals the standard deviation for
 * Gaussian numbers. Outliers move it less than they would move a standard deviation. Only
 * differences matter, so the origin o is simply the first row, and zeros that rows share stay
 * zeros.
 *
 * <p>The sum of |x - mean| uses the mean before x, and the factor √((n-1)/n), which makes its
 * square unbiased. Entries missing from sparse rows count as zeros but cost nothing. A feature that
 * never changed has no scale. A row in which it first changes is measured by the scale that it
 * would have with that row; so the longer the stream, the farther out is a first change.
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

  /** A scale that has seen no row. */
  public RunningScale() {}

  /** Throws an exception if a row has values that could overflow a sum. */
  public static void check(Features x) {
    FeatureException.checkWithin(x, LARGEST, "must be within ±1e100");
  }

  /** Adds a row; a feature that changes for the first time gets its scale at once. */
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

  /** The row on the present scale, in a buffer of the caller; changes no state. */
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

  /** The row x that {@link #apply} mapped to z. */
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
   * Whether scales are updated at instance t: if t has at most three significant binary digits,
   * which is four times in each doubling.
   */
  public static boolean isRenewed(long t) {
    return Long.SIZE - Long.numberOfLeadingZeros(t) - Long.numberOfTrailingZeros(t) <= 3;
  }

  /** Updates all scales. */
  public void renew() {
    for (int i = 0; i < factors.length; i++) {
      factors[i] = ScaleFactor.of(rows, counts[i], means[i], absolutes[i]);
    }
  }

  /** Adds the rows of another scale; the origin stays. */
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

  /** The factor on differences of feature i; 0 if the feature never changed. */
  public double factor(int i) {
    return i < factors.length ? factors[i] : 0;
  }

  /** The number of features known so far. */
  public int dimension() {
    return factors.length;
  }

  /** A deep copy. */
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
    origin.encode(out);
    out.int32(factors.length);
    for (double[] values : new double[][] {means, absolutes, factors}) {
      out.doubles(values, values.length);
    }
    Arrays.stream(counts).forEach(out::int64);
  }

  /** Reads what {@link #encode} wrote. */
  public static RunningScale decode(Decoder in) throws ModelFileException {
    RunningScale scale = new RunningScale();
    scale.rows = in.count("the rows");
    scale.origin = in.valid(RunningScale::decodeOrigin);
    int dimension = scale.origin.dimension();
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

  private static Features decodeOrigin(Decoder in) throws ModelFileException {
    Features origin = Features.decode(in);
    check(origin);
    return origin.copy();
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

  /** The present map of feature i. */
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
